//! Draws a flow graph: columns from left to right, rows as the graph says, edges as curves with their labels on them.

use svg::node::element::{Circle, Group, Path};

use crate::graph::{Edge, Graph, Kind, Node};
use crate::picture::{Picture, group, rectangle, round, text};

const ROW: f64 = 60.0;
/// Half the height of a node.
const HALF: f64 = 19.0;
/// Space for an edge that leads back, above or below.
const LANE: f64 = 26.0;
const MARGIN: f64 = 8.0;
/// The widths of letters, and of those of labels and costs.
const LETTER: f64 = 7.4;
const SMALL: f64 = 6.2;

struct Place {
    left: f64,
    right: f64,
    y: f64,
}

impl Place {
    fn middle(&self) -> f64 {
        (self.left + self.right) / 2.0
    }
}

fn letters(text: &str) -> f64 {
    text.chars().count() as f64
}

fn cost(node: &Node) -> String {
    match node.cost.as_str() {
        "" => String::new(),
        "1" => "1 bit".to_owned(),
        bits => format!("{bits} bits"),
    }
}

fn width(node: &Node) -> f64 {
    match node.kind {
        Kind::Bits => 2.0 * HALF + 4.0,
        Kind::Open => 30.0,
        Kind::Part | Kind::Answer => {
            let cost = letters(&cost(node)) * SMALL + 16.0;
            (letters(&node.text) * LETTER + 18.0).max(cost).max(40.0)
        }
    }
}

/// The left end and the width of each column.
fn columns(graph: &Graph) -> Vec<(f64, f64)> {
    let count = graph.nodes.iter().map(|node| node.column + 1).max().unwrap_or(1);
    let mut x = MARGIN;
    let column = |column| {
        let nodes = graph.nodes.iter().filter(|node| node.column == column);
        let widest = nodes.map(width).fold(0.0, f64::max);
        let through = |edge: &&Edge| {
            let ends = [edge.from, edge.to].map(|node| graph.nodes[node].column);
            !edge.back && (ends[0] == column || ends[1] == column + 1)
        };
        let labels = graph.edges.iter().filter(through).map(|edge| letters(&edge.label));
        let left = x;
        x += widest + (labels.fold(0.0, f64::max) * SMALL + 30.0).max(36.0);
        (left, widest)
    };
    (0..count).map(column).collect()
}

/// How many nodes an edge back has in its way above (−1) or below (1) where it leaves and where it lands.
fn in_the_way(graph: &Graph, edge: &Edge, side: i32) -> [usize; 2] {
    [edge.from, edge.to].map(|end| {
        let end = &graph.nodes[end];
        let beside = |node: &&Node| node.column == end.column && (node.row - end.row) * side > 0;
        graph.nodes.iter().filter(beside).count()
    })
}

/// Whether an edge back goes round above its ends; below, where fewer nodes are in its way there.
fn goes_above(graph: &Graph, edge: &Edge) -> bool {
    let [above, below] = [-1, 1].map(|side| in_the_way(graph, edge, side).iter().sum::<usize>());
    above <= below
}

/// The picture of a graph; `colour` is the class of an answer that is an outcome.
pub(crate) fn draw(
    graph: &Graph,
    colour: impl Fn(&str) -> Option<String>,
    picture: Picture,
) -> String {
    let columns = columns(graph);
    let rows = || graph.nodes.iter().map(|node| node.row);
    let (first, last) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    let back = || graph.edges.iter().filter(|edge| edge.back);
    let above = back().filter(|edge| goes_above(graph, edge)).count() as f64;
    let below = back().count() as f64 - above;
    let top = MARGIN + above * LANE + if above > 0.0 { 10.0 } else { 0.0 };
    let place = |node: &Node| {
        let (left, widest) = columns[node.column];
        let (middle, half) = (left + widest / 2.0, width(node) / 2.0);
        let y = top + HALF + f64::from(node.row - first) * ROW;
        Place { left: middle - half, right: middle + half, y }
    };
    let places: Vec<Place> = graph.nodes.iter().map(place).collect();
    let bottom = top + f64::from(last - first) * ROW + 2.0 * HALF;
    let (mut lines, mut labels) = (group("edges"), group("labels"));
    let (mut up, mut down) = (top, bottom);
    for edge in &graph.edges {
        let (from, to) = (&places[edge.from], &places[edge.to]);
        if edge.back {
            let lane = if goes_above(graph, edge) {
                up -= LANE;
                up
            } else {
                down += LANE;
                down
            };
            let side = if lane < from.y { -1 } else { 1 };
            let blocked = in_the_way(graph, edge, side)[0] > 0;
            let beside = blocked.then(|| columns[graph.nodes[edge.from].column].0 - 10.0);
            lines =
                lines.add(around(from, to, beside, lane)).add(head(landing(from, to).1, lane, to));
            let below = if side < 0 { -5.0 } else { 14.0 };
            labels =
                labels.add(text((from.middle() + to.middle()) / 2.0, lane + below, &edge.label));
            continue;
        }
        let (start, end) = gap(graph, edge, &columns);
        let (a, b, bend) = (from.y, to.y, (start + end) / 2.0);
        let path = format!(
            "M{:.1} {a:.1}H{start:.1}C{bend:.1} {a:.1} {bend:.1} {b:.1} {end:.1} {b:.1}H{:.1}",
            from.right,
            to.left - 4.0
        );
        let tip = format!("M{:.1} {b:.1}l-8 -3.5v7z", to.left);
        lines = lines
            .add(Path::new().set("d", path))
            .add(Path::new().set("d", tip).set("class", "head"));
        // On a curve, nearer to its start: so the labels of curves that cross stand apart.
        let lift = if b < a { -1.0 } else { 4.0 };
        let (x, y) = if a == b {
            (bend, a - 5.0)
        } else {
            (start + 0.42 * (end - start), a + 0.35 * (b - a) + lift)
        };
        labels = labels.add(text(x, y, &edge.label));
    }
    let nodes =
        graph.nodes.iter().zip(&places).map(|(node, place)| draw_node(node, place, &colour));
    let nodes = nodes.fold(group("nodes"), Group::add);
    let right = places.iter().map(|place| place.right).fold(0.0, f64::max) + MARGIN;
    let bottom = bottom + below * LANE + if below > 0.0 { 12.0 } else { 0.0 } + MARGIN;
    picture.finish(right, bottom, vec![lines.into(), labels.into(), nodes.into()])
}

/// Where an edge changes rows: in its first gap, if its target's row is free from there on, else in its last one.
fn gap(graph: &Graph, edge: &Edge, columns: &[(f64, f64)]) -> (f64, f64) {
    let [source, target] = [edge.from, edge.to].map(|node| &graph.nodes[node]);
    let between = |node: &&Node| source.column < node.column && node.column < target.column;
    let free = graph.nodes.iter().filter(between).all(|node| node.row != target.row);
    let next = if free { source.column + 1 } else { target.column };
    let (left, widest) = columns[next - 1];
    (left + widest, columns[next].0)
}

/// Where an edge back leaves and where it lands; side by side on the same node.
fn landing(from: &Place, to: &Place) -> (f64, f64) {
    let (a, b) = (from.middle(), to.middle());
    if a > b { (a, b) } else { (a + 12.0, b - 12.0) }
}

/// An edge that leads back, by way of the height `lane`; it leaves at the side and goes past other nodes at `beside`, if they
/// are in its way.
fn around(from: &Place, to: &Place, beside: Option<f64>, lane: f64) -> Path {
    let side = if lane < from.y { -1.0 } else { 1.0 };
    let (a, b) = landing(from, to);
    let a = beside.unwrap_or(a);
    let start = match beside {
        None => format!("M{a:.1} {:.1}", from.y + side * HALF),
        Some(_) => format!("M{:.1} {:.1}H{a:.1}", from.left, from.y + side * 10.0),
    };
    let turn = (a - b).abs().min(20.0) / 2.0;
    let path = format!(
        "{start}V{:.1}Q{a:.1} {lane:.1} {:.1} {lane:.1}H{:.1}Q{b:.1} {lane:.1} {b:.1} {:.1}V{:.1}",
        lane - side * turn,
        a - turn,
        b + turn,
        lane - side * turn,
        to.y + side * (HALF + 4.0)
    );
    Path::new().set("d", path)
}

/// The arrow's head where an edge back lands.
fn head(x: f64, lane: f64, to: &Place) -> Path {
    let side = if lane < to.y { -1.0 } else { 1.0 };
    let path = format!("M{x:.1} {:.1}l-3.5 {:.1}h7z", to.y + side * HALF, side * 8.0);
    Path::new().set("d", path).set("class", "head")
}

fn draw_node(node: &Node, place: &Place, colour: impl Fn(&str) -> Option<String>) -> Group {
    let (x, y) = (place.middle(), place.y);
    let class = match node.kind {
        Kind::Bits => {
            let circle = Circle::new().set("cx", round(x)).set("cy", round(y)).set("r", HALF);
            let words = [text(x, y - 1.0, "fair"), text(x, y + 11.0, "bits")];
            return words.into_iter().fold(group("bits").add(circle), Group::add);
        }
        Kind::Open => return group("open").add(text(x, y + 4.0, "…")),
        Kind::Answer => format!("answer {}", colour(&node.text).unwrap_or("other".to_owned())),
        Kind::Part => "part".to_owned(),
    };
    let corner = if node.kind == Kind::Answer { HALF } else { 7.0 };
    let frame = rectangle(place.left, y - HALF, place.right - place.left, 2.0 * HALF);
    let group = group(&class).add(frame.set("rx", corner));
    let cost = cost(node);
    if cost.is_empty() {
        return group.add(text(x, y + 4.5, &node.text));
    }
    group.add(text(x, y - 2.0, &node.text)).add(text(x, y + 12.0, &cost).set("class", "small"))
}
