//! Checks a certificate of `Tree::certificate` with the standard library alone: nothing of `buffon` is used.
//!
//! `cargo run --example certificate > third.txt && cargo run --example recheck -- third.txt true=1 false=2`
//! where 1 and 2 are the weights of the outcomes in the law that the machine should have.

/// What the certificate proves, the law being `weights` divided by their sum. Up to 96 flips and weights up to 2^30 in all.
pub(crate) fn check(text: &str, weights: &[(&str, u128)]) -> Result<String, String> {
    let mut lines = text.lines();
    let mut field =
        |name| lines.next().and_then(|line| line.strip_prefix(name)).ok_or("not a certificate");
    field("buffon certificate 1")?;
    let (machine, depth) = (field("machine ")?, field("depth ")?);
    let depth: usize =
        depth.parse().ok().filter(|&depth| depth <= 96).ok_or("no depth up to 96")?;
    // Each end covers an interval of strings, in units of 2^-depth. All together cover all, once: Kraft's sum is 1.
    let (mut covered, mut leaves) = (0u128, Vec::<(&str, Vec<u128>)>::new());
    for line in lines {
        let (flips, end) = line.split_once(' ').ok_or("a line of one word")?;
        if flips == "outcome" {
            leaves.push((end.split_once(' ').ok_or("no name")?.1, vec![0; depth + 1]));
            continue;
        }
        let flips = flips.trim_matches('-');
        let unit = 1 << depth.checked_sub(flips.len()).ok_or("too many flips")?;
        if flips.chars().fold(0, |value, flip| 2 * value + u128::from(flip == 'H')) * unit
            != covered
        {
            return Err(format!("{line:?} does not begin where the line before it ends"));
        }
        covered += unit;
        match end.parse::<usize>() {
            Ok(number) => leaves.get_mut(number).ok_or("no such outcome")?.1[flips.len()] += 1,
            Err(_) if end == "?" && unit == 1 => {}
            Err(_) => return Err(format!("{line:?} is no leaf, and not as deep as the tree")),
        }
    }
    let total: u128 = weights.iter().map(|(_, weight)| weight).sum();
    if covered != 1 << depth || total == 0 || total > 1 << 30 {
        return Err("not all strings of flips are covered, or no weights up to 2^30".into());
    }
    // The mass of leaves of at most k flips, in units of 2^-k, and what is left of all.
    let mass = |of: &[u128], k| (0..=k).map(|j| of[j] << (k - j)).sum::<u128>();
    let open = |k| (1u128 << k) - leaves.iter().map(|(_, of)| mass(of, k)).sum::<u128>();
    for name in leaves.iter().map(|(name, _)| name).chain(weights.iter().map(|(name, _)| name)) {
        let weight = weights.iter().filter(|(of, _)| of == name).map(|(_, w)| w).sum::<u128>();
        let of = leaves.iter().filter(|(of, _)| of == name).map(|(_, of)| mass(of, depth));
        let low = of.sum::<u128>() * total;
        if weight << depth < low || weight << depth > low + open(depth) * total {
            return Err(format!("P({name}) is not {weight}/{total}"));
        }
    }
    // Knuth and Yao: no exact machine has more mass in leaves of at most k flips than whole multiples of 2^-k.
    let fewest = |k| (1u128 << k) - weights.iter().map(|(_, w)| (w << k) / total).sum::<u128>();
    if let Some(k) = (0..=depth).find(|&k| open(k) < fewest(k)) {
        return Err(format!(
            "after {k} flips {} nodes are open, {} at least for the law",
            open(k),
            fewest(k)
        ));
    }
    let speed = if (0..=depth).all(|k| open(k) == fewest(k)) { "with" } else { "not with" };
    let open = open(depth);
    Ok(format!("{machine}: within {open}/2^{depth} of the law, {speed} the fewest flips possible"))
}

#[allow(dead_code, reason = "a test uses the check alone")]
fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, laws) = args.split_first().ok_or("usage: recheck FILE outcome=weight ...")?;
    let weights: Option<Vec<_>> = laws
        .iter()
        .map(|law| law.rsplit_once('=').and_then(|(of, weight)| Some((of, weight.parse().ok()?))))
        .collect();
    let weights = weights.ok_or("write the law as outcome=weight")?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    println!("{}", check(&text, &weights)?);
    Ok(())
}
