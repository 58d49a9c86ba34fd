//! A picture of a decision tree in which widths are probabilities: each flip halves the strip, tails to the left; where the
//! machine answers, the strip has the answer's colour from there down. So the lower edge shows the law, as far as it is known.

use buffon::Tree;
use svg::node::element::{Circle, Group, Path, Title};

use crate::picture::{Picture, colour, group, rectangle, round, text};

const LEFT: f64 = 122.0;
const WIDTH: f64 = 384.0;
const LEVEL: f64 = 27.0;
const TOP: f64 = 14.0;
/// How far the strips reach below the last level.
const FOOT: f64 = 26.0;

/// A string of flips as a strip: its left end and its width, of the whole.
fn strip(prefix: &[bool]) -> (f64, f64) {
    prefix.iter().fold((0.0, 1.0), |(left, width), &heads| {
        let half = width / 2.0;
        (if heads { left + half } else { left }, half)
    })
}

/// The picture; `place` is the number of an answer's colour.
pub(crate) fn draw(
    tree: &Tree<String>,
    place: impl Fn(&String) -> usize,
    picture: Picture,
) -> String {
    let deepest = tree.leaves().map(|leaf| leaf.prefix().len()).max().unwrap_or(0);
    let height = |depth: usize| TOP + depth as f64 * LEVEL;
    let foot = height(deepest) + FOOT;
    let scale = |(left, width): (f64, f64)| (LEFT + left * WIDTH, width * WIDTH);
    let middle = |prefix: &[bool]| {
        let (left, width) = scale(strip(prefix));
        left + width / 2.0
    };
    let (mut strips, mut edges, mut dots) = (group("strips"), group("branches"), group("dots"));
    let mut last: Vec<bool> = Vec::new();
    for leaf in tree.leaves() {
        let prefix = leaf.prefix();
        let (left, width) = scale(strip(prefix));
        let top = height(prefix.len());
        strips = strips.add(match leaf.outcome() {
            Some(outcome) => answer(outcome, &colour(place(outcome)), (left, width), (top, foot)),
            None => {
                let open = rectangle(left, top, width, foot - top).set("class", "unknown");
                Group::new().add(open)
            }
        });
        // The nodes on the way that the leaf before has not passed.
        let shared = prefix.iter().zip(&last).take_while(|(a, b)| a == b).count();
        let new = if last.is_empty() { 0 } else { shared + 1 };
        for depth in new..=prefix.len() {
            let (x, y) = (middle(&prefix[..depth]), height(depth));
            if depth > 0 {
                let from = (middle(&prefix[..depth - 1]), height(depth - 1));
                let path = format!("M{:.1} {:.1}L{x:.1} {y:.1}", from.0, from.1);
                edges = edges.add(Path::new().set("d", path));
            }
            if depth < prefix.len() && WIDTH / f64::exp2(depth as f64) > 6.0 {
                dots = dots.add(Circle::new().set("cx", round(x)).set("cy", y).set("r", 2.6));
            }
        }
        last = prefix.to_vec();
    }
    let mut levels = group("levels");
    for depth in 0..=deepest {
        let open = tree.open_after(u32::try_from(depth).unwrap_or(u32::MAX));
        let share = if open == num_rational::BigRational::default() {
            "done".to_owned()
        } else if depth == 0 {
            "no flip yet".to_owned()
        } else {
            let flips = if depth == 1 { "flip" } else { "flips" };
            format!("> {depth} {flips}: {open}")
        };
        let line = format!("M{LEFT} {0}h{WIDTH}", height(depth));
        levels = levels.add(text(LEFT - 8.0, height(depth) + 4.0, &share));
        levels = levels.add(Path::new().set("d", line));
    }
    let groups = vec![levels.into(), strips.into(), edges.into(), dots.into()];
    picture.finish(LEFT + WIDTH + 4.0, foot + 4.0, groups)
}

/// The strip of an answer, with its name where there is room.
fn answer(name: &str, class: &str, (left, width): (f64, f64), (top, foot): (f64, f64)) -> Group {
    let mut group =
        group(class).add(rectangle(left, top, width, foot - top).set("rx", width.min(6.0) / 2.0));
    let letters = name.chars().count() as f64 * 7.2 + 4.0;
    if letters <= width {
        group = group.add(text(left + width / 2.0, foot - 8.0, name));
    }
    group.add(Title::new(name))
}
