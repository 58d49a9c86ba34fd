use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Debug;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use svg::node::element::{Circle, Group, Path, Rectangle, Text, Title};
use svg::{Document, Node};

use super::draw::colour;
use super::tree::Tree;
use super::verdict::word;

/// Space between levels, and below and above the tree, in pixels.
const LEVEL: u64 = 52;
const TOP: u64 = 34;
/// Space at the left, for the open mass of each level.
const LEFT: u64 = 116;
const RIGHT: u64 = 24;

/// Where a node of the tree stands.
struct Spot {
    x: u64,
    depth: u64,
}

impl Spot {
    const fn y(&self) -> u64 {
        TOP + self.depth * LEVEL
    }
}

impl<T: Debug> Tree<T> {
    /// A picture of the tree, as SVG: tails to the left, answers coloured by outcome, dots where it goes on below the depth.
    /// At the left stands P(more than k bits) for each level, and below the tree the masses share out a bar.
    ///
    /// All leaves and open nodes stand side by side, so a tree of some dozens of them makes a good picture.
    ///
    /// ```
    /// use buffon::{Die, explore};
    /// let picture = explore(&Die::new(3)?, 4).to_svg();
    /// assert!(picture.starts_with("<svg") && picture.contains("P(0) ≥ 5/16"));
    /// # Ok::<(), buffon::ZeroSides>(())
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        let labels: Vec<String> =
            self.outcomes().iter().map(|outcome| format!("{outcome:?}")).collect();
        let widths = labels.iter().map(|label| label.chars().count() as u64 * 8 + 14);
        let slot = widths.clone().max().unwrap_or(0).clamp(30, 240) + 8;
        let ends: Vec<_> = self.leaves().map(|leaf| leaf.prefix().to_vec()).collect();
        let numbers: Vec<_> = self.ends().map(|(_, number)| number).collect();
        let deepest = ends.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let width = (ends.len() as u64 * slot).max(360) + LEFT + RIGHT;
        let (bar, height) = (
            TOP + deepest * LEVEL + 44,
            TOP + deepest * LEVEL + 44 + 58 + self.legend_height(width),
        );

        let mut levels = Group::new().set("fill", "#888888").set("text-anchor", "end");
        for k in 0..=deepest {
            let y = TOP + k * LEVEL;
            let line = Path::new().set("d", format!("M{LEFT} {y} H{}", width - RIGHT));
            levels = levels.add(line.set("stroke", "#eeeeee").set("fill", "none")).add(text(
                LEFT - 12,
                y + 4,
                &self.open_label(k),
            ));
        }
        let mut edges =
            Group::new().set("fill", "none").set("stroke", "#555555").set("stroke-width", 1.4);
        let mut marks = Group::new()
            .set("fill", "#777777")
            .set("text-anchor", "middle")
            .set("font-size", 10)
            .set("stroke", "#ffffff")
            .set("stroke-width", 4)
            .set("paint-order", "stroke");
        let mut nodes = Group::new().set("text-anchor", "middle");
        self.place(&mut Vec::new(), &ends, 0, slot, &mut |node, children, first| {
            let y = node.y();
            for (child, side) in children.iter().zip(["T", "H"]) {
                let (below, x) = (child.y(), child.x);
                let bend = y + LEVEL / 2;
                edges.append(Path::new().set(
                    "d",
                    format!("M{} {y} C{} {bend} {x} {bend} {x} {below}", node.x, node.x),
                ));
                let middle = (node.x + x) / 2;
                marks.append(text(middle, y + LEVEL / 2 + 4, side));
            }
            if !children.is_empty() {
                let dot = Circle::new().set("cx", node.x).set("cy", y).set("r", 4);
                nodes.append(
                    dot.set("fill", "#ffffff").set("stroke", "#555555").set("stroke-width", 1.4),
                );
                return;
            }
            let prefix = ends.get(first).map(|prefix| word(prefix)).unwrap_or_default();
            let name = if prefix.is_empty() { "no flip".into() } else { prefix };
            let number = numbers.get(first).copied().flatten();
            let end = match number.and_then(|number| Some((number, labels.get(number)?))) {
                Some((number, label)) => answer(node.x, y, label, colour(number)),
                None => goes_on(node.x, y),
            };
            nodes.append(end.add(Title::new(name)));
        });
        let document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("font-family", "sans-serif")
            .set("font-size", 12)
            .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#ffffff"))
            .add(levels)
            .add(edges)
            .add(marks)
            .add(nodes)
            .add(self.bar(bar, width, &labels));
        document.to_string()
    }

    /// "> 2 flips: 1/4": what is still open there.
    fn open_label(&self, k: u64) -> String {
        let open = self.open_after(u32::try_from(k).unwrap_or(u32::MAX));
        if open.is_zero() { "done".into() } else { format!("> {k} flips: {}", short(&open)) }
    }

    /// Shows each node with its children and the number of its first end, parents after children; a parent stands in the middle of
    /// its children.
    fn place(
        &self,
        prefix: &mut Vec<bool>,
        ends: &[Vec<bool>],
        first: usize,
        slot: u64,
        show: &mut impl FnMut(&Spot, &[Spot], usize),
    ) -> Spot {
        let depth = prefix.len() as u64;
        if ends.len() <= 1 {
            let node = Spot { x: LEFT + slot * first as u64 + slot / 2, depth };
            show(&node, &[], first);
            return node;
        }
        let tails = ends.iter().take_while(|end| end.get(prefix.len()) == Some(&false)).count();
        let mut child = |flip, part: &[Vec<bool>], first| {
            prefix.push(flip);
            let node = self.place(prefix, part, first, slot, show);
            prefix.pop();
            node
        };
        let children =
            [child(false, &ends[..tails], first), child(true, &ends[tails..], first + tails)];
        let node = Spot { x: (children[0].x + children[1].x) / 2, depth };
        show(&node, &children, first);
        node
    }

    /// The masses of the outcomes and what is open, as parts of a bar, and a legend.
    fn bar(&self, top: u64, width: u64, labels: &[String]) -> Group {
        let length = width - LEFT - RIGHT;
        let pixels = |mass: &BigRational| {
            (mass * BigInt::from(length)).round().to_integer().to_u64().unwrap_or(0)
        };
        let mut group = Group::new();
        let (mut sum, mut place) = (BigRational::zero(), LEFT);
        let mut column = LEFT;
        let mut row = top + 44;
        let open = self.open();
        let masses =
            self.tally().counts().map(|(_, counts)| super::tally::mass(counts)).enumerate();
        for (number, mass) in
            masses.map(|(number, mass)| (Some(number), mass)).chain([(None, open)])
        {
            if mass.is_zero() {
                continue;
            }
            sum += &mass;
            let end = LEFT + pixels(&sum);
            let fill = number.map_or("#dddddd", colour);
            let part = Rectangle::new().set("x", place).set("y", top).set("width", end - place);
            let name = match number.and_then(|number| labels.get(number)) {
                Some(label) => format!("P({label}) ≥ {}", short(&mass)),
                None => format!("open: {}", short(&mass)),
            };
            group.append(part.set("height", 22).set("fill", fill).add(Title::new(name.clone())));
            place = end;
            let wide = legend_width(&name);
            if column + wide > width && column > LEFT {
                (column, row) = (LEFT, row + LEGEND_ROW);
            }
            let sample = Rectangle::new()
                .set("x", column)
                .set("y", row - 10)
                .set("width", 11)
                .set("height", 11);
            group.append(sample.set("fill", fill));
            group.append(text(column + 17, row, &name).set("fill", "#333333"));
            column += wide;
        }
        let frame =
            Rectangle::new().set("x", LEFT).set("y", top).set("width", length).set("height", 22);
        group.add(frame.set("fill", "none").set("stroke", "#555555"))
    }

    /// What the legend takes below its first row.
    fn legend_height(&self, width: u64) -> u64 {
        let labels = self.outcomes().iter().map(|outcome| {
            let mass = "1234567/12345678"; // about as long as `short` lets it be
            legend_width(&format!("P({outcome:?}) ≥ {mass}"))
        });
        labels.sum::<u64>() / (width - LEFT - RIGHT).max(1) * LEGEND_ROW
    }
}

const LEGEND_ROW: u64 = 20;

fn legend_width(name: &str) -> u64 {
    name.chars().count() as u64 * 7 + 34
}

/// A fraction, or a power of two for a tiny one.
fn short(p: &BigRational) -> String {
    let text = format!("{p}");
    if text.chars().count() <= 14 {
        return text;
    }
    format!("{:.6}", crate::law::Bracket::exact(p.clone()))
}

fn text(x: u64, y: u64, content: &str) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

/// An answer in a box.
fn answer(x: u64, y: u64, label: &str, fill: &str) -> Group {
    let width = label.chars().count() as u64 * 8 + 14;
    let frame = Rectangle::new()
        .set("x", x.saturating_sub(width / 2))
        .set("y", y - 11)
        .set("width", width)
        .set("height", 22)
        .set("rx", 6)
        .set("fill", fill);
    Group::new()
        .add(frame)
        .add(text(x, y + 4, label).set("fill", "#ffffff").set("font-weight", "bold"))
}

/// Dots below a node that is open.
fn goes_on(x: u64, y: u64) -> Group {
    let dot = |below| Circle::new().set("cx", x).set("cy", y + below).set("r", 1.6);
    Group::new().set("fill", "#777777").add(dot(4)).add(dot(10)).add(dot(16))
}
