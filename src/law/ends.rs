//! Arithmetic on the ends of brackets: as `BigRational` does it, but where both denominators are powers of two, which is
//! most of the time, by shifts. A general greatest common divisor of long numbers costs far more than all else here.

use core::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

/// `n`/2^places in lowest terms.
pub(crate) fn dyadic(n: BigInt, places: u64) -> BigRational {
    let zeros = n.trailing_zeros().unwrap_or(places).min(places);
    BigRational::new_raw(n >> zeros, BigInt::one() << (places - zeros))
}

/// The k of a denominator 2^k.
fn places(x: &BigRational) -> Option<u64> {
    let k = x.denom().trailing_zeros()?;
    (x.denom().bits() == k + 1).then_some(k)
}

/// Both numerators over the greater of two denominators that are powers of two, and its exponent.
fn aligned(a: &BigRational, b: &BigRational) -> Option<(BigInt, BigInt, u64)> {
    let (i, j) = (places(a)?, places(b)?);
    let k = i.max(j);
    Some((a.numer() << (k - i), b.numer() << (k - j), k))
}

pub(super) fn sum(a: &BigRational, b: &BigRational) -> BigRational {
    aligned(a, b).map_or_else(|| a + b, |(a, b, k)| dyadic(a + b, k))
}

pub(super) fn difference(a: &BigRational, b: &BigRational) -> BigRational {
    aligned(a, b).map_or_else(|| a - b, |(a, b, k)| dyadic(a - b, k))
}

pub(super) fn product(a: &BigRational, b: &BigRational) -> BigRational {
    match (places(a), places(b)) {
        (Some(i), Some(j)) => dyadic(a.numer() * b.numer(), i + j),
        _ => a * b,
    }
}

/// 1 − a/b = (b − a)/b, in lowest terms if a/b is.
pub(super) fn complement(x: &BigRational) -> BigRational {
    BigRational::new_raw(x.denom() - x.numer(), x.denom().clone())
}

/// The order of a/b and c/d is that of ad and cb.
pub(super) fn order(a: &BigRational, b: &BigRational) -> Ordering {
    match aligned(a, b) {
        Some((a, b, _)) => a.cmp(&b),
        None => (a.numer() * b.denom()).cmp(&(b.numer() * a.denom())),
    }
}

pub(super) fn least<'a>(a: &'a BigRational, b: &'a BigRational) -> &'a BigRational {
    if order(a, b).is_le() { a } else { b }
}

pub(super) fn greatest<'a>(a: &'a BigRational, b: &'a BigRational) -> &'a BigRational {
    if order(a, b).is_ge() { a } else { b }
}
