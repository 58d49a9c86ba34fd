use core::fmt::{self, Debug, Formatter};

use crate::bits::BitSource;
use crate::error::FlipsEnded;

/// Fair bits from pairs of flips of an unfair coin: unlike flips decide, like ones are dropped.
///
/// HT is heads and TH tails: both have probability pq, whatever p is, and pairs are independent. Of n flips no more than
/// two are ever in hand.
///
/// - Flips for each bit: 1/(pq) on average; 4 from a fair coin, 16/3 for p = 1/4. P(more than 2k flips) = (1 − 2pq)ᵏ.
/// - Never ends for p = 0 and p = 1; the end of the iterator is then the only way out.
/// - Source: von Neumann 1951.
///
/// # Errors
///
/// [`FlipsEnded`] where the iterator has no flip. The first flip of a pair is kept, should the iterator go on later.
///
/// ```
/// use buffon::{Coin, FlipsEnded, Rational, VonNeumann};
///
/// let third = Rational::<u64>::new(1, 3)?;
/// let recorded = "HH TT TH TT HT H".chars().filter(|c| c.is_alphabetic()).map(|c| c == 'H');
/// let mut bits = VonNeumann::new(recorded);
/// assert_eq!(third.try_flip(&mut bits), Ok(true)); // T from TH, H from HT: the second digit of 0.0101…
/// assert_eq!(third.try_flip(&mut bits), Err(FlipsEnded));
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
///
/// A coin of this crate is such an iterator through [`samples`](crate::Machine::samples).
pub struct VonNeumann<I> {
    flips: I,
    /// The first flip of a pair whose second has not come.
    first: Option<bool>,
}

impl<I> VonNeumann<I> {
    /// Over these flips.
    #[must_use]
    pub const fn new(flips: I) -> Self {
        Self { flips, first: None }
    }

    /// The flips that are left.
    #[must_use]
    pub fn into_inner(self) -> I {
        self.flips
    }
}

impl<I: Iterator<Item = bool>> BitSource for VonNeumann<I> {
    type Error = FlipsEnded;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, FlipsEnded> {
        loop {
            let first = match self.first {
                Some(first) => first,
                None => *self.first.insert(self.flips.next().ok_or(FlipsEnded)?),
            };
            let second = self.flips.next().ok_or(FlipsEnded)?;
            self.first = None;
            if first != second {
                return Ok(first);
            }
        }
    }
}

impl<I> Debug for VonNeumann<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("VonNeumann").finish_non_exhaustive()
    }
}
