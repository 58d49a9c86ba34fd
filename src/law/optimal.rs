//! What the optimal trees of Knuth and Yao cost, and so the instructions of a source that answers them from fair bits.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::bracket::Bracket;
use super::cost::Cost;

/// The part of an outcome of probability w/W in the expected bits of an optimal tree: Σ 2^-k·frac(2^k·w/W) over k ≥ 0.
///
/// Knuth and Yao: of the nodes still open after k flips, frac(2^k·p) belong to an outcome of probability p. The remainders
/// 2^k·w mod W are periodic from the power of two in W on, so the sum is geometric over one period. Where the period is
/// longer than the places wanted, the terms up to there are a bracket, as those from k on are less than 2·2^-k in all.
pub(crate) fn share(w: impl Into<BigUint>, total: impl Into<BigUint>, places: u32) -> Bracket {
    let (w, total) = (w.into(), total.into());
    let before = total.trailing_zeros().unwrap_or(0);
    let most = before + u64::from(places) + 2;
    let (mut sum, mut rest, mut k) = (BigInt::zero(), w % &total, 0u64);
    let (mut first, mut first_sum) = (BigUint::zero(), BigInt::zero());
    // The value of `sum` after k terms: Horner's rule has it at 2^(k-1) times the sum of r(j)·2^-j.
    let value = |sum: &BigInt, k: u64| BigRational::new(sum << 1u32, BigInt::from(&total << k));
    while k < most {
        if rest.is_zero() {
            return Bracket::exact(value(&sum, k));
        }
        if k == before {
            (first, first_sum) = (rest.clone(), sum.clone());
        } else if k > before && rest == first {
            let period = k - before;
            let head = value(&first_sum, before);
            let cycle = value(&(&sum - (&first_sum << period)), k);
            // The cycle, and again at 2^-period of it, and so on: cycle/(1 − 2^-period).
            let again = BigRational::new(BigInt::one() << period, (BigInt::one() << period) - 1);
            return Bracket::exact(head + cycle * again);
        }
        sum = (sum << 1) + BigInt::from(rest.clone());
        rest <<= 1u32;
        if rest >= total {
            rest -= &total;
        }
        k += 1;
    }
    let low = value(&sum, k);
    let high = &low + BigRational::new(BigInt::one() << 1, BigInt::one() << k);
    Bracket::new(low, high)
}

/// The same for an outcome of probability p.
pub(super) fn share_of(p: &BigRational, places: u32) -> Bracket {
    let unsigned = |n: &BigInt| n.to_biguint().unwrap_or_default();
    share(unsigned(p.numer()), unsigned(p.denom()), places)
}

/// The expected fair bits of the first-heads rule for p: 2, or 2 − 2^(1−m) if p = a/2^m in lowest terms.
pub(crate) fn coin_cost(p: &BigRational) -> Cost {
    let two = BigRational::from_integer(2.into());
    let saved = match exponent(p) {
        Some(0) => two.clone(),
        Some(m) => BigRational::new(BigInt::one(), BigInt::one() << (m - 1)),
        None => BigRational::zero(),
    };
    Cost::within(&Bracket::exact(two - saved))
}

/// The m of p = a/2^m in lowest terms, if p is dyadic.
pub(crate) fn exponent(p: &BigRational) -> Option<u64> {
    let m = p.denom().trailing_zeros()?;
    (p.denom() >> m).is_one().then_some(m)
}

/// The expected fair bits of a flip of a num/den coin, 0 < num < den.
pub(crate) fn ratio_cost(num: u64, den: u64) -> Cost {
    coin_cost(&BigRational::new(num.into(), den.into()))
}

/// The expected fair bits of an optimal roll of n sides, n > 0.
pub(crate) fn roll_cost(n: u64, places: u32) -> Cost {
    let of_side = share(1u32, n, places.saturating_add(n.ilog2()));
    Cost::within(&of_side).times(&Bracket::ratio(n, 1))
}
