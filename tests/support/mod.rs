//! What the tests on exact trees share: laws as rationals, the optimum of Knuth and Yao, and the two ways to be refused.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fmt::Debug;

use buffon::Tree;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// A law: each outcome with its probability.
pub(crate) type Law<T> = Vec<(T, BigRational)>;

pub(crate) fn q(num: impl Into<BigInt>, den: impl Into<BigInt>) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// 2^-k.
pub(crate) fn two_to_minus(k: u32) -> BigRational {
    BigRational::new(BigInt::one(), BigInt::one() << k)
}

/// The law of a coin.
pub(crate) fn coin_law(p: BigRational) -> Law<bool> {
    vec![(false, BigRational::one() - &p), (true, p)]
}

/// What fair dice cost at the least: (sides, numerator, denominator) of the expected fair bits, as published.
pub(crate) const DIE_COSTS: [(u64, u64, u64); 9] = [
    (3, 8, 3),
    (5, 18, 5),
    (6, 11, 3),
    (7, 24, 7),
    (10, 23, 5),
    (12, 14, 3),
    (20, 28, 5),
    (52, 436, 65),
    (100, 1548, 205),
];

/// The law of a fair die.
pub(crate) fn uniform(n: u64) -> Law<u64> {
    (0..n).map(|side| (side, q(1, n))).collect()
}

/// The least mass that any machine of this law can have open after k bits: 2^-k Σ {2^k p}.
///
/// Its leaves down to depth k carry a multiple of 2^-k for each outcome, at most ⌊2^k p⌋.
pub(crate) fn least_open<T>(law: &[(T, BigRational)], k: u32) -> BigRational {
    let power = BigInt::one() << k;
    let parts = law.iter().map(|(_, p)| (p * &power).fract());
    parts.fold(BigRational::zero(), |sum, part| sum + part) / power
}

/// The least expected fair bits of a coin of probability `p`: 0 if certain, 2 − 2^(1−m) for m binary digits, else 2.
pub(crate) fn kappa(p: &BigRational) -> BigRational {
    let den = p.denom();
    let Some(m) = den.trailing_zeros().filter(|&zeros| *den == BigInt::one() << zeros) else {
        return q(2, 1);
    };
    if m == 0 { BigRational::zero() } else { q(2, 1) - q(2, BigInt::one() << m) }
}

/// Why a machine with this tree can not have this law, if the tree says so at any depth.
///
/// Either an outcome's mass exceeds its probability or falls short by more than what is open; or less is open than any
/// machine of the law can have.
pub(crate) fn refuse_law<T: PartialEq + Debug>(
    tree: &Tree<T>,
    law: &[(T, BigRational)],
) -> Option<String> {
    if !tree.is_reproducible() {
        return Some("chance from elsewhere".into());
    }
    let open = tree.open();
    if let Some(other) = tree.outcomes().iter().find(|&x| law.iter().all(|(of, _)| of != x)) {
        return Some(format!("{other:?} is outside the law"));
    }
    for (outcome, p) in law {
        let mass = tree.mass(outcome);
        if mass > *p || &mass + &open < *p {
            return Some(format!("{outcome:?} has {mass} of {p}, and {open} is open"));
        }
    }
    let fast = (0..=tree.depth()).find(|&k| tree.open_after(k) < least_open(law, k));
    fast.map(|k| format!("less is open after {k} bits than can be"))
}

/// Why a machine with this tree is not an optimal one of this law, if the tree says so.
pub(crate) fn refuse_optimal<T: PartialEq + Debug>(
    tree: &Tree<T>,
    law: &[(T, BigRational)],
) -> Option<String> {
    let slow = |&k: &u32| tree.open_after(k) != least_open(law, k);
    let slow = || (0..=tree.depth()).find(slow).map(|k| format!("not optimal at {k} bits"));
    refuse_law(tree, law).or_else(slow)
}

/// Why a machine with this tree does not cost `cost` fair bits, if at most `rest` can be spent beyond the tree's depth.
pub(crate) fn refuse_cost<T>(
    tree: &Tree<T>,
    cost: &BigRational,
    rest: &BigRational,
) -> Option<String> {
    let least = tree.expected_bits();
    let wrong = least > *cost || &least + rest < *cost;
    wrong.then(|| format!("{least} to {} bits, not {cost}", &least + rest))
}

/// Whether the bracket holds a number that has these decimals: within one unit of the last.
pub(crate) fn has_decimals(bracket: &buffon::Bracket, decimals: &str) -> bool {
    let (whole, part) = decimals.split_once('.').expect("a decimal point");
    let digits: BigInt = format!("{whole}{part}").parse().expect("digits");
    let unit = BigInt::from(10).pow(u32::try_from(part.len()).expect("short"));
    let (low, high) = (q(&digits - 1, unit.clone()), q(digits + 1, unit));
    low <= *bracket.high() && *bracket.low() <= high
}

/// Whether the machine's law is within 2^-64 and has these decimals, and its cost within 2^-`places` and has those.
pub(crate) fn has_law<C: buffon::KnownLaw<Output = bool>>(
    coin: &C,
    heads: &str,
    places: u32,
    bits: &str,
) {
    let law = coin.probability(64);
    assert!(law.width() <= two_to_minus(64) && has_decimals(&law, heads), "{heads}: {law}");
    let cost = coin.expected_bits(places);
    assert!(cost.width() <= two_to_minus(places) && has_decimals(&cost, bits), "{bits}: {cost}");
}

/// Whether the compiled coin's exact trees, by bits and by weights, lie around its law; answers what is open by weights.
pub(crate) fn trees_agree<C: buffon::KnownLaw<Output = bool>>(
    coin: &C,
    bits: u32,
    questions: u32,
) -> BigRational {
    let law = coin.probability(64);
    let within = |mass: BigRational, open: BigRational| {
        assert!(mass <= *law.high() && mass + open >= *law.low(), "{law}");
    };
    let tree = buffon::explore(coin, bits);
    assert!(tree.is_reproducible());
    within(tree.mass(&true), tree.open());
    if let Ok(cost) = coin.try_expected_bits(16) {
        assert!(tree.expected_bits() <= *cost.high());
    }
    let weighed = buffon::explore_weighted(coin, questions);
    assert!(weighed.is_reproducible());
    within(weighed.mass(&true), weighed.open().clone());
    weighed.open().clone()
}
