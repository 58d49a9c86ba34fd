use super::BitSource;
use crate::error::BudgetError;

/// A source that serves at most so many fair bits: a sample, or a clean error.
///
/// A budget of N serves N bits; asking for one more is `Err(Exhausted)`, again and again, and costs the source nothing.
/// The machine and the source beneath stay usable. For a machine that is bounded by m bits a budget of m never fails.
///
/// ```
/// use buffon::{Budget, BudgetError, Coin, Rational, Script};
///
/// let third = Rational::<u64>::new(1, 3)?;
/// let mut bits = Budget::new(Script::from_str("TTTTH")?, 4);
/// assert_eq!(third.try_flip(&mut bits), Err(BudgetError::Exhausted));
/// assert_eq!(third.try_flip(&mut bits.into_inner()), Ok(false)); // the fifth flip is still there
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Budget<S> {
    source: S,
    left: u64,
}

impl<S> Budget<S> {
    /// At most `max_bits` fair bits.
    #[must_use]
    pub const fn new(source: S, max_bits: u64) -> Self {
        Self { source, left: max_bits }
    }

    /// How many fair bits are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// The source back.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.source
    }
}

impl<S: BitSource> BitSource for Budget<S> {
    type Error = BudgetError<S::Error>;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, Self::Error> {
        let left = self.left.checked_sub(1).ok_or(BudgetError::Exhausted)?;
        let bit = self.source.try_bit().map_err(BudgetError::Source)?;
        self.left = left;
        Ok(bit)
    }
}
