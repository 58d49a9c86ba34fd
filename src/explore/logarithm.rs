use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::tally::dyadic;
use crate::law::Bracket;

/// The binary logarithm of a positive number, in a bracket no wider than 2^-places.
///
/// With x = 2^e·m, 1 ≤ m < 2, log2 x = e + log2 m, and each squaring of m gives one binary digit of log2 m: 1 if m² ≥ 2, m²/2
/// going on, else 0 and m². A fixed-point m rounded down gives a lower end, and one rounded up an upper end. Both are kept
/// with enough digits that the ends differ by little: n squarings multiply a relative error by 2^n.
pub(super) fn log2(x: &BigRational, places: u32) -> Bracket {
    if !x.is_positive() {
        return Bracket::exact(BigRational::from_integer(0.into())); // not reached
    }
    let rounds = places + 2;
    let point = 2 * rounds + 8;
    let (num, den) = (x.numer(), x.denom());
    let lengths = i64::try_from(num.bits()).unwrap_or(i64::MAX)
        - i64::try_from(den.bits()).unwrap_or(i64::MAX);
    // 2^(lengths − 1) < x < 2^(lengths + 1): scale to (1/2, 2), and once more if that is below 1.
    let scaled = |e: i64| {
        let (up, down) = ((-e).max(0).unsigned_abs(), e.max(0).unsigned_abs());
        (num << up, den << down)
    };
    let (mut e, (mut a, mut b)) = (lengths, scaled(lengths));
    if a < b {
        e -= 1;
        (a, b) = scaled(e);
    }
    let floor: BigInt = (&a << point) / &b;
    let exact = &floor * &b == &a << point;
    let ceil = if exact { floor.clone() } else { &floor + 1u8 };
    let end = |mut m: BigInt, up: bool| {
        let two = BigInt::one() << (point + 1);
        let mut digits = BigInt::from(e);
        // Rounding up may reach 2 at the start.
        if m >= two {
            digits += 1u8;
            m = BigInt::one() << point;
        }
        let halve = |m: BigInt, by: u32| {
            let low: BigInt = &m >> by;
            if up && &low << by != m { low + 1u8 } else { low }
        };
        for _ in 0..rounds {
            digits <<= 1;
            m = halve(&m * &m, point);
            if m >= two {
                digits += 1u8;
                m = halve(m, 1);
            }
        }
        // What is left of the logarithm is in [0, 1) units of the last digit, and 0 for m = 1.
        if up && m > BigInt::one() << point {
            digits += 1u8;
        }
        dyadic(digits, rounds as usize)
    };
    Bracket::new(end(floor, false), end(ceil, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_bracketed() {
        let q = |a: i64, b: i64| BigRational::new(a.into(), b.into());
        for e in -5..5i32 {
            let power = if e < 0 { q(1, 1 << -e) } else { q(1 << e, 1) };
            assert_eq!(log2(&power, 30), Bracket::exact(q(e.into(), 1)));
        }
        for (a, b) in [(3, 1), (1, 3), (7, 5), (999, 1000), (1001, 1000), (5, 8), (1 << 40, 3)] {
            let x = q(a, b);
            let found = log2(&x, 20);
            assert!(found.width() <= q(1, 1 << 20), "{found}");
            // 2^(low·2^k) ≤ x^(2^k) ≤ 2^(high·2^k), with k = 10 and the ends opened to whole multiples.
            let power = num_traits::pow(x, 1 << 10);
            let scaled = |end: &BigRational| end * BigInt::from(1 << 10);
            let (low, high) = (scaled(found.low()).floor(), scaled(found.high()).ceil());
            let two = |n: &BigRational| {
                let n = i32::try_from(n.to_integer()).unwrap_or_default();
                let two = BigInt::one() << n.unsigned_abs();
                if n < 0 { BigRational::new(1.into(), two) } else { two.into() }
            };
            assert!(two(&low) <= power && power <= two(&high), "{a}/{b}");
        }
    }
}
