//! Two small pictures of a machine: what it costs beside what it must cost, and how often its answers came beside its law.

use svg::node::element::{Circle, Path, Title};

use crate::facts::{Facts, SAMPLES, SHOWN, float};
use crate::picture::{Picture, colour, group, rectangle, round, text};

const WIDTH: f64 = 508.0;

/// A bar from zero for the expected bits, with marks for the entropy, the optimum and, for a chooser, H + 2.
pub(crate) fn cost(facts: &Facts, picture: Picture) -> String {
    let expected = facts.expected();
    let limit = if facts.is_coin() { 2.0 } else { facts.entropy + 2.0 };
    let most = expected.max(limit).max(facts.counted) * 1.04;
    let (left, top, length) = (8.0, 26.0, WIDTH - 16.0);
    let x = |bits: f64| left + length * bits / most;
    let mut bars = group("cost");
    bars = bars.add(rectangle(left, top, length, 16.0).set("class", "ground"));
    bars = bars.add(rectangle(left, top, x(facts.optimum) - left, 16.0).set("class", "o2"));
    if expected > facts.optimum {
        let (from, to) = (x(facts.optimum), x(expected));
        bars = bars.add(rectangle(from, top, to - from, 16.0).set("class", "o5"));
    }
    let counted = Circle::new().set("cx", round(x(facts.counted))).set("cy", top + 8.0).set("r", 4);
    let counted =
        counted.set("class", "dot").add(Title::new(format!("{:.4} counted", facts.counted)));
    // Marks above and below in turn, so that near ones do not cover each other.
    let mut marks = group("marks");
    let mut mark = |bits: f64, name: &str, below: bool| {
        let at = x(bits);
        let (from, to, y) =
            if below { (top + 16.0, top + 23.0, top + 36.0) } else { (top - 7.0, top, top - 11.0) };
        let line = Path::new().set("d", format!("M{at:.1} {from}V{to}"));
        let half = name.chars().count() as f64 * 3.2;
        let middle = at.clamp(left + half, left + length - half);
        marks = std::mem::replace(&mut marks, group("")).add(line).add(text(middle, y, name));
    };
    mark(facts.entropy, &format!("entropy {:.4}", facts.entropy), false);
    mark(facts.optimum, &format!("optimum {:.4}", facts.optimum), true);
    if !facts.is_coin() && (facts.entropy + 2.0 - facts.entropy) / most > 0.3 {
        mark(facts.entropy + 2.0, "entropy + 2", false);
    }
    if (expected - facts.optimum) / most > 0.3 {
        mark(expected, &format!("this machine {expected:.4}"), true);
    }
    picture.finish(WIDTH, 68.0, vec![bars.into(), marks.into(), counted.into()])
}

/// Wilson's interval of three standard deviations for a probability, from so many of so many.
pub(crate) fn interval(count: u32, of: u32) -> (f64, f64) {
    let (n, z) = (f64::from(of), 3.0);
    let p = f64::from(count) / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// How many of the shown intervals there are, and how many of them miss the law.
pub(crate) fn misses(facts: &Facts) -> (usize, usize) {
    let shown = facts.outcomes.iter().take(SHOWN);
    let miss = shown.filter(|outcome| {
        let (low, high) = interval(outcome.count, SAMPLES);
        let p = float(outcome.p.low());
        p < low || high < p
    });
    (facts.outcomes.len().min(SHOWN), miss.count())
}

/// A bar for each probability; a dot and an interval for the frequency; the exact count.
pub(crate) fn frequencies(facts: &Facts, picture: Picture) -> String {
    let shown = || facts.outcomes.iter().take(SHOWN);
    let longest = shown().map(|outcome| outcome.name.chars().count()).max().unwrap_or(0);
    let left = (longest as f64 * 7.4 + 14.0).clamp(48.0, 150.0);
    let (row, length) = (24.0, WIDTH - left - 116.0);
    let most = shown().map(|outcome| float(outcome.p.high())).fold(0.0, f64::max);
    let high = shown().map(|outcome| interval(outcome.count, SAMPLES).1).fold(most, f64::max);
    let x = |p: f64| left + length * p / high;
    let (mut bars, mut names, mut dots) = (group("law"), group("names"), group("measured"));
    for (place, outcome) in shown().enumerate() {
        let y = 6.0 + row * place as f64;
        let p = float(outcome.p.low());
        let bar = rectangle(left, y, x(p) - left, row - 8.0);
        bars = bars.add(bar.set("class", colour(place)));
        bars =
            bars.add(Path::new().set("d", format!("M{:.1} {:.1}v{:.1}", x(p), y - 2.0, row - 4.0)));
        names = names.add(text(left - 7.0, y + 12.0, &outcome.name).set("class", "name"));
        names = names.add(text(
            left + length + 10.0,
            y + 12.0,
            &format!("{} of {SAMPLES}", outcome.count),
        ));
        let (a, b) = interval(outcome.count, SAMPLES);
        let middle = y + (row - 8.0) / 2.0;
        let frequency = f64::from(outcome.count) / f64::from(SAMPLES);
        let whisker = format!(
            "M{:.1} {middle}H{:.1}M{:.1} {:.1}v7M{:.1} {:.1}v7",
            x(a),
            x(b),
            x(a),
            middle - 3.5,
            x(b),
            middle - 3.5
        );
        dots = dots.add(Path::new().set("d", whisker));
        dots = dots.add(Circle::new().set("cx", round(x(frequency))).set("cy", middle).set("r", 3));
    }
    let height = 8.0 + row * shown().count() as f64;
    picture.finish(WIDTH, height, vec![bars.into(), names.into(), dots.into()])
}
