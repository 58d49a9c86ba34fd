use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::error::ProbabilityError;
use crate::machine::Machine;

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
pub struct OneOver {
    n: NonZeroU64,
}

impl OneOver {
    /// The coin of probability 1/n.
    #[inline]
    #[must_use]
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

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        bits.try_ratio(1, self.n.get())
    }
}
