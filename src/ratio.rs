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
        Some(double(&mut self.rest, self.den))
    }
}

/// The next binary digit of `rest/den < 1`, where `rest` becomes what is left to divide.
///
/// Long division by doubling: with remainder r < d the next digit is [2r >= d], that is r >= d - r,
/// and the next remainder is 2r - d = r - (d - r) or 2r = r + r < d. Nothing here exceeds `den`.
#[inline]
pub(crate) fn double<T: Integer + Clone>(rest: &mut T, den: &T) -> bool {
    let gap = den.clone() - rest.clone();
    let digit = *rest >= gap;
    *rest = if digit { rest.clone() - gap } else { rest.clone() + rest.clone() };
    digit
}

/// The digit of `num/den` after `tails` others, for the rare flip that goes so far; false where no digit is left.
#[cold]
#[inline(never)]
pub(crate) fn far_digit<T: Integer + Clone>(tails: u64, num: &T, den: &T) -> bool {
    let mut digits = Digits::new(num, den);
    (0..tails).all(|_| digits.next().is_some()) && digits.next() == Some(true)
}

/// The first binary digits of a number in [0, 1], in one word: what a coin of that probability looks its answer up in.
///
/// Digit k is known without the ones before it, so that a flip costs the same wherever its first heads is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leading {
    /// The first digit is the highest bit.
    word: u64,
    /// How many digits are here.
    len: u64,
    /// Whether only zeros follow them.
    ends: bool,
    one: bool,
}

impl Leading {
    /// The first digits of `num/den`, which counts as one if `num >= den`.
    ///
    /// Below 2^32 they are 32 digits for one small division, and none if `den` is a power of two, since families build
    /// coins for every flip.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "num < den < 2^64 where it is cast")]
    pub(crate) const fn new(num: u128, den: u128) -> Self {
        if num >= den {
            return Self { word: 0, len: 0, ends: true, one: true };
        }
        if den >> 64 != 0 {
            return Self::wide(num, den);
        }
        let (small_num, small_den) = (num as u64, den as u64);
        if small_den.is_power_of_two() {
            // num < 2^m, so the digits are the m bits of num; m = 0 leaves num = 0.
            let m = small_den.trailing_zeros();
            return Self::ending(if m == 0 { 0 } else { small_num << (64 - m) });
        }
        let (word, rest, len) = if small_den >> 32 == 0 {
            let shifted = small_num << 32;
            ((shifted / small_den) << 32, shifted % small_den, 32)
        } else {
            // Below 2^64, since num < den < 2^64. One wide division: the remainder num·2^64 − word·den is less than 2^64.
            let word = ((num << 64) / den) as u64;
            (word, word.wrapping_mul(small_den).wrapping_neg(), 64)
        };
        if rest == 0 { Self::ending(word) } else { Self { word, len, ends: false, one: false } }
    }

    /// The same by 64 doublings, as by [`double`], for constants.
    const fn wide(num: u128, den: u128) -> Self {
        let (mut word, mut rest, mut len) = (0, num, 0);
        while len < 64 {
            let gap = den - rest;
            let digit = rest >= gap;
            rest = if digit { rest - gap } else { rest + rest };
            word = word << 1 | digit as u64;
            len += 1;
        }
        if rest == 0 { Self::ending(word) } else { Self { word, len, ends: false, one: false } }
    }

    /// From the digits themselves, in any integer type.
    pub(crate) fn of<T: Integer + Clone>(num: &T, den: &T) -> Self {
        if num >= den {
            return Self { word: 0, len: 0, ends: true, one: true };
        }
        let mut digits = Digits::new(num, den);
        let (mut word, mut len) = (0, 0);
        for digit in digits.by_ref().take(64) {
            word |= u64::from(digit) << (63 - len);
            len += 1;
        }
        if digits.next().is_some() {
            Self { word, len, ends: false, one: false }
        } else {
            Self::ending(word)
        }
    }

    /// The first `len` digits, at most 64, of a number below one, in a word of which the highest bit is the first.
    pub(crate) const fn known(word: u64, len: u64, ends: bool) -> Self {
        Self { word, len, ends, one: false }
    }

    /// The number that the first `n` digits make, for n from 1 to 63.
    #[cfg(feature = "exact")]
    pub(crate) const fn leading(&self, n: u32) -> u64 {
        self.word >> (64 - n)
    }

    /// The digits of a number below one that ends within the word.
    const fn ending(word: u64) -> Self {
        Self { word, len: 64 - word.trailing_zeros() as u64, ends: true, one: false }
    }

    /// How many digits are here.
    #[inline]
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// The digit after `tails` others, which are fewer than [`len`](Self::len).
    #[inline]
    pub(crate) const fn digit(&self, tails: u64) -> bool {
        self.word << tails >> 63 == 1
    }

    /// Whether only zeros follow the digits that are here.
    #[inline]
    pub(crate) const fn ends(&self) -> bool {
        self.ends
    }

    /// Whether the number is one, which has no digits.
    #[inline]
    pub(crate) const fn is_one(&self) -> bool {
        self.one
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
    fn leading_digits_are_the_first_digits() {
        let check = |num: u128, den: u128| {
            for (first, most) in [
                (Leading::new(num, den), if den < 1 << 32 { 32 } else { 64 }),
                (Leading::of(&num, &den), 64),
            ] {
                let mut digits = Digits::new(&num, &den);
                for tails in 0..first.len() {
                    let digit = digits.next();
                    assert_eq!(digit, Some(first.digit(tails)), "{num}/{den} after {tails}");
                    assert_eq!(digit, Some(far_digit(tails, &num, &den)));
                }
                let next = digits.next();
                assert_eq!(next.is_none(), first.ends(), "{num}/{den}");
                assert_eq!(next == Some(true), far_digit(first.len(), &num, &den));
                assert!(first.ends() || first.len() == most);
                assert!(!first.is_one());
            }
        };
        for den in 2..=130 {
            (0..den).for_each(|num| check(num, den));
        }
        for k in [16, 31, 32, 33, 63, 64, 65, 127] {
            for den in [(1u128 << k) - 1, 1 << k, (1 << k) + 1, 3 << (k - 2)] {
                for num in [0, 1, 2, 3, den / 3, den / 2, den - 2, den - 1] {
                    check(num, den);
                }
            }
        }
        check(u128::MAX - 1, u128::MAX);
        assert_eq!(Leading::new(3, 3), Leading { word: 0, len: 0, ends: true, one: true });
        assert_eq!(Leading::of(&3, &3), Leading::new(3, 3));
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
