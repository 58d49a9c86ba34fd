use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::error::ProbabilityError;
use crate::machine::Machine;
use crate::ratio::far_digit;

/// The coin of probability 1/n.
///
/// - Answers: as [`Rational`](crate::Rational) 1/n.
/// - Law: P(heads) = 1/n.
/// - Expected fair bits: 2; 2 − 2/n if n is a power of two (0 for n = 1, 1 for n = 2).
/// - Tail: P(more than k bits) = 2^-k; bounded by log2 n bits if n is a power of two.
/// - Refuses: nothing, since n is not zero; `try_from(0)` is
///   [`ZeroDenominator`](ProbabilityError::ZeroDenominator).
/// - Source: as [`Rational`](crate::Rational).
///
/// `OneOver::new` is a [`Family`](crate::combinators::Family), so [`parity_of_run(OneOver::new)`](crate::parity_of_run())
/// is the coin 1/e.
///
/// ```
/// use buffon::{Coin, OneOver, Script};
/// let fifth = OneOver::try_from(5)?; // 0.0011 0011 … in binary
/// assert_eq!(fifth.try_flip(&mut Script::from_str("TTH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct OneOver {
    n: NonZeroU64,
}

/// For the n that runs ask for most, the first digits of 1/n.
static SMALL: [u64; 16] = {
    let mut small = [0; 16];
    let mut n = 2;
    while n < small.len() {
        #[allow(clippy::cast_possible_truncation, reason = "n is at least 2")]
        let digits = ((1u128 << 64) / n as u128) as u64;
        small[n] = digits;
        n += 1;
    }
    small
};

impl OneOver {
    /// The coin of probability 1/n.
    #[inline]
    pub const fn new(n: NonZeroU64) -> Self {
        Self { n }
    }

    /// The number n.
    #[inline]
    #[must_use]
    pub const fn n(&self) -> NonZeroU64 {
        self.n
    }
}

impl From<NonZeroU64> for OneOver {
    fn from(n: NonZeroU64) -> Self {
        Self::new(n)
    }
}

impl TryFrom<u64> for OneOver {
    type Error = ProbabilityError;

    fn try_from(n: u64) -> Result<Self, ProbabilityError> {
        NonZeroU64::new(n).map(Self::new).ok_or(ProbabilityError::ZeroDenominator)
    }
}

impl Machine for OneOver {
    type Output = bool;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let n = self.n.get();
        if bits.answers_ratios() {
            return bits.try_ratio(1, n);
        }
        // 1/2^m has one digit, the m-th; any other n has digits without end, and a run of 2^64 tails takes centuries.
        let limit = if n.is_power_of_two() { n.trailing_zeros().into() } else { u64::MAX };
        let Some(tails) = bits.try_tails_within(limit)? else { return Ok(n == 1) };
        if tails > 62 {
            return Ok(far_digit(tails, &1, &n));
        }
        if n < 16 {
            return Ok(SMALL[(n % 16) as usize] << tails >> 63 == 1);
        }
        // Digit k is that of the whole part of 2^k/n, which needs no division while it is zero.
        Ok(2 << tails >= n && (2 << tails) / n % 2 == 1)
    }
}
