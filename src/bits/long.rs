use super::{BitSource, try_first_heads};

/// So many digits are answered as one ratio.
const DIGITS: u32 = 24;

/// A coin of the probability below 1 with these binary digits; of as little information as the answer has, from a source
/// that answers ratios.
///
/// Let c be the number that the first digits make, of N = 2^24. Heads with c/N; failing that, with 1/(N − c) the answer is
/// that of the digits which follow, and else tails: P(heads) = c/N + (1 − c/N)·r/(N − c) = (c + r)/N. The second coin is
/// nearly certain: its information, 1.6·10⁻⁶ bits, is what is lost.
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
