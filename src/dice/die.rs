use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::error::ZeroSides;
use crate::machine::Machine;

/// A fair die of n sides, for n from 1 to 2^64 − 1.
///
/// - Answers: a side, from 0 to n − 1.
/// - Law: 1/n each.
/// - Expected fair bits: the optimum of Knuth and Yao 1976, 11/3 for 6 and 1548/205 for 100; exactly k for 2^k; 0 for 1. It
///   is at least log2 n and less than log2 n + 2.
/// - Tail: exponential; P(more than k bits) < n·2^-k. Bounded by k bits for 2^k. For any other n some infinite strings, as
///   heads for ever for 6, give no answer.
/// - Refuses: see [`new`](Self::new).
/// - Source: Lumbroso 2013, with new flips as the high digits, so that a batch of flips is one word.
///
/// ```
/// use buffon::{Die, Machine, Script};
/// let die = Die::new(6)?;
/// assert_eq!(die.try_sample(&mut Script::from_str("HTH")?), Ok(5)); // 101, lowest first
/// assert_eq!(die.try_sample(&mut Script::from_str("HHHTH")?), Ok(5)); // 7 − 6 = 1, then 1 + 2·2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Die {
    n: NonZeroU64,
}

impl Die {
    /// The die of `n` sides.
    ///
    /// # Errors
    ///
    /// [`ZeroSides`] if `n` is zero.
    pub const fn new(n: u64) -> Result<Self, ZeroSides> {
        match NonZeroU64::new(n) {
            Some(n) => Ok(Self { n }),
            None => Err(ZeroSides),
        }
    }

    /// The number of sides.
    #[must_use]
    pub const fn sides(&self) -> NonZeroU64 {
        self.n
    }
}

impl From<NonZeroU64> for Die {
    fn from(n: NonZeroU64) -> Self {
        Self { n }
    }
}

impl Machine for Die {
    type Output = u64;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        bits.try_below(self.n.get())
    }
}
