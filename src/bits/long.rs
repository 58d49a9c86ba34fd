use num_integer::Integer;
use num_traits::ToPrimitive;

use super::{BitSource, try_first_heads};
use crate::ratio::Digits;

/// So many digits are answered as one ratio.
const DIGITS: u32 = 32;

/// A coin of the probability below 1 with these binary digits; of as little information as the answer has, from a source
/// that answers ratios.
///
/// Let c be the number that the first digits make, of N = 2^32. Heads with c/N; failing that, with 1/(N − c) the answer is
/// that of the digits which follow, and else tails: P(heads) = c/N + (1 − c/N)·r/(N − c) = (c + r)/N. The second coin is
/// nearly certain: its information, 8·10⁻⁹ bits, is what is lost.
pub(crate) fn try_digits<B: BitSource + ?Sized>(
    mut digits: impl Iterator<Item = bool>,
    bits: &mut B,
) -> Result<bool, B::Error> {
    while bits.answers_ratios() {
        let (mut first, mut more) = (0, true);
        for _ in 0..DIGITS {
            let digit = digits.next();
            more = digit.is_some();
            first = first << 1 | u64::from(digit == Some(true));
        }
        if bits.try_ratio(first, 1 << DIGITS)? {
            return Ok(true);
        }
        if !more || !bits.try_ratio(1, (1 << DIGITS) - first)? {
            return Ok(false);
        }
    }
    try_first_heads(digits, bits)
}

/// One flip of a coin of probability `num/den`: by the source's instruction where 64 bits hold it.
#[inline]
pub(crate) fn try_wide<T, B>(num: &T, den: &T, bits: &mut B) -> Result<bool, B::Error>
where
    T: Integer + Clone + ToPrimitive,
    B: BitSource + ?Sized,
{
    match (num.to_u64(), den.to_u64()) {
        (Some(num), Some(den)) => bits.try_ratio(num, den),
        _ if num >= den => Ok(true),
        _ => try_digits(Digits::new(num, den), bits),
    }
}

/// Chooses among `n > 0` outcomes, of which `end` gives the cumulative weights: a coin for a half of the list, until one is left.
///
/// From a source that answers ratios the coins take the information of the answer and no more; a roll below the total would
/// take more.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn try_halve<B: BitSource + ?Sized>(
    n: usize,
    end: impl Fn(usize) -> u128,
    bits: &mut B,
) -> Result<usize, B::Error> {
    let (mut outcomes, mut low) = (0..n, 0);
    let mut high = end(n.saturating_sub(1));
    while outcomes.len() > 1 {
        let half = outcomes.start + outcomes.len() / 2;
        let middle = end(half - 1);
        if try_wide(&(middle - low), &(high - low), bits)? {
            (outcomes.end, high) = (half, middle);
        } else {
            (outcomes.start, low) = (half, middle);
        }
    }
    Ok(outcomes.start)
}
