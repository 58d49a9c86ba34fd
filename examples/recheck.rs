//! Checks a certificate of `Tree::certificate` with the standard library alone: nothing of `buffon` is used.
//!
//! `cargo run --example certificate > third.txt && cargo run --example recheck -- third.txt true=1 false=2`
//! where 1 and 2 are the weights of the outcomes in the law that the machine should have.

/// What the certificate proves, the law being `weights` divided by their sum. Up to 96 flips and weights up to 2^30 in all.
pub(crate) fn check(text: &str, weights: &[(&str, u128)]) -> Result<String, String> {
    let need = |holds, or: &str| if holds { Ok(()) } else { Err(or.to_owned()) };
    let mut lines = text.lines();
    let mut field = |name| lines.next()?.strip_prefix(name);
    let (_, machine) =
        field("buffon certificate 1").zip(field("machine ")).ok_or("no certificate")?;
    let depth = field("depth ").and_then(|depth| depth.parse::<usize>().ok()).unwrap_or(97);
    let total = weights.iter().map(|(_, weight)| weight).sum::<u128>();
    need(depth <= 96 && 0 < total && total <= 1 << 30, "no depth up to 96, or weights up to 2^30")?;
    // Each end covers the strings that begin with its flips, an interval in units of 2^-depth. All together cover all, once.
    let (mut covered, mut outcomes) = (0, Vec::new());
    for line in lines {
        let (flips, end) = line.split_once(' ').ok_or("a line of one word")?;
        if flips == "outcome" {
            outcomes.push((end.split_once(' ').ok_or("no name")?.1, vec![0; depth + 1]));
            continue;
        }
        let flips = flips.trim_matches('-');
        let unit = 1u128 << depth.checked_sub(flips.len()).ok_or("too many flips")?;
        let start = unit * flips.chars().fold(0, |value, flip| 2 * value + u128::from(flip == 'H'));
        need(start == covered, &format!("{line:?} does not begin where the line before it ends"))?;
        covered += unit;
        if end != "?" {
            let outcome = end.parse().ok().and_then(|outcome: usize| outcomes.get_mut(outcome));
            outcome.ok_or("no such outcome")?.1[flips.len()] += 1;
        }
    }
    need(covered == 1 << depth, "not all strings of flips are covered")?;
    // The mass of leaves of at most k flips, in units of 2^-k; what is left of all is open.
    let mass = |of: &[u128], k: usize| of[..=k].iter().fold(0, |sum, leaves| 2 * sum + leaves);
    let open = |k| (1u128 << k) - outcomes.iter().map(|(_, of)| mass(of, k)).sum::<u128>();
    for name in outcomes.iter().map(|(name, _)| name).chain(weights.iter().map(|(name, _)| name)) {
        let weight = weights.iter().filter(|(of, _)| of == name).map(|(_, w)| w).sum::<u128>();
        let of_name = outcomes.iter().filter(|(of, _)| of == name);
        let low = of_name.map(|(_, of)| mass(of, depth)).sum::<u128>() * total;
        let holds = (low..=low + open(depth) * total).contains(&(weight << depth));
        need(holds, &format!("P({name}) is not {weight}/{total}"))?;
    }
    // Knuth and Yao: no exact machine has more mass in leaves of at most k flips than whole multiples of 2^-k.
    let fewest = |k| (1u128 << k) - weights.iter().map(|(_, w)| (w << k) / total).sum::<u128>();
    let more: Option<Vec<_>> = (0..=depth).map(|k| open(k).checked_sub(fewest(k))).collect();
    let optimal = more.ok_or("faster than any exact machine")?.iter().all(|&more| more == 0);
    let speed = if optimal { "the fewest flips possible" } else { "more flips than needed" };
    Ok(format!("{machine}: within {}/2^{depth} of the law, with {speed}", open(depth)))
}

#[allow(dead_code, reason = "a test uses the check alone")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, law) = args.split_first().ok_or("usage: recheck FILE outcome=weight ...")?;
    let mut weights = Vec::new();
    for entry in law {
        let (outcome, weight) = entry.rsplit_once('=').ok_or("write the law as outcome=weight")?;
        weights.push((outcome, weight.parse()?));
    }
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    println!("{}", check(&text, &weights)?);
    Ok(())
}
