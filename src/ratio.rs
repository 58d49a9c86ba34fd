//! Numbers in [0, 1] and their binary digits: the overflow-free kernel that every coin uses.

use num_integer::Integer;

use crate::error::ProbabilityError;

/// Refuses what is not a probability, in any integer type, without negating or multiplying anything.
pub(crate) fn validate<T: Integer>(num: &T, den: &T) -> Result<(), ProbabilityError> {
    let zero = T::zero();
    if *den == zero {
        Err(ProbabilityError::ZeroDenominator)
    } else if *den < zero || *num < zero {
        Err(ProbabilityError::Negative)
    } else if num > den {
        Err(ProbabilityError::AboveOne)
    } else {
        Ok(())
    }
}

/// The binary digits of `num/den` after the point, first digit first, for `0 <= num < den`.
///
/// It ends where only zero digits remain, so a dyadic number yields its terminating expansion.
///
/// Long division by doubling: with remainder r < d the next digit is [2r >= d], that is r >= d - r,
/// and the next remainder is 2r - d = r - (d - r) or 2r = r + r < d. Nothing here exceeds `den`.
#[derive(Clone, Debug)]
pub(crate) struct Digits<'a, T> {
    rest: T,
    den: &'a T,
}

impl<'a, T: Integer + Clone> Digits<'a, T> {
    pub(crate) fn new(num: &T, den: &'a T) -> Self {
        Self { rest: num.clone(), den }
    }
}

impl<T: Integer + Clone> Iterator for Digits<'_, T> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        if self.rest.is_zero() {
            return None;
        }
        let gap = self.den.clone() - self.rest.clone();
        let digit = self.rest >= gap;
        self.rest =
            if digit { self.rest.clone() - gap } else { self.rest.clone() + self.rest.clone() };
        Some(digit)
    }
}

/// The finite `x >= 0` as `significand * 2^exponent`, the significand odd or zero.
pub(crate) const fn decode(x: f64) -> Result<(u64, i32), ProbabilityError> {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    let negative = bits >> 63 == 1;
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & FRACTION;
    if biased == 0x7ff {
        return Err(ProbabilityError::NotFinite);
    }
    // A subnormal number has no hidden bit and the exponent of the smallest normal one.
    let (significand, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
    if significand == 0 {
        return Ok((0, 0)); // -0.0 is zero too
    }
    if negative {
        return Err(ProbabilityError::Negative);
    }
    let shift = significand.trailing_zeros();
    #[allow(clippy::cast_possible_wrap, reason = "at most 52")]
    Ok((significand >> shift, exponent + shift as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_end_where_zeros_remain() {
        assert!(Digits::new(&3u8, &8).eq([false, true, true]));
        assert!(Digits::new(&0u8, &8).next().is_none());
        assert!(Digits::new(&1u8, &3).take(6).eq([false, true, false, true, false, true]));
    }

    #[test]
    fn doubling_does_not_overflow_at_the_top_of_the_type() {
        // (2^8 - 2)/(2^8 - 1): its digits repeat 1,1,1,1,1,1,1,0.
        let digits = Digits::new(&254u8, &255);
        assert!(digits.take(16).enumerate().all(|(k, d)| d == (k % 8 != 7)));
        assert!(Digits::new(&126i8, &127).take(6).all(|d| d));
        assert!(Digits::new(&(u128::MAX - 1), &u128::MAX).take(127).all(|d| d));
    }

    #[test]
    fn decoding_is_exact() {
        assert_eq!(decode(0.1), Ok((3_602_879_701_896_397, -55)));
        assert_eq!(decode(f64::from_bits(1)), Ok((1, -1074)));
        assert_eq!(decode(-0.0), Ok((0, 0)));
        assert_eq!(decode(1.0), Ok((1, 0)));
        assert_eq!(decode(f64::MAX), Ok(((1 << 53) - 1, 971)));
        assert_eq!(decode(-f64::from_bits(1)), Err(ProbabilityError::Negative));
        assert_eq!(decode(f64::NAN), Err(ProbabilityError::NotFinite));
        assert_eq!(decode(f64::NEG_INFINITY), Err(ProbabilityError::NotFinite));
    }
}
