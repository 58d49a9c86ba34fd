use alloc::vec::Vec;
use core::str::FromStr;

use super::BitSource;
use crate::error::{NotAFlip, ScriptEnded};

/// Flips that are written down: a reproducible sample, independent of any random number generator.
///
/// `T` or `0` is tails, `H` or `1` is heads; the first character is the first flip. When the flips run out the answer is
/// [`ScriptEnded`].
///
/// ```
/// use buffon::{Coin, Rational, Script, ScriptEnded};
///
/// let third = Rational::<u64>::new(1, 3)?; // 1/3 = 0.010101… in binary
/// let mut bits = Script::from_str("HTHTT")?;
/// assert_eq!(third.try_flip(&mut bits), Ok(false));
/// assert_eq!(third.try_flip(&mut bits), Ok(true));
/// assert_eq!(third.try_flip(&mut bits), Err(ScriptEnded));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    flips: Vec<bool>,
    at: usize,
}

impl Script {
    /// The flips that `text` spells.
    ///
    /// # Errors
    ///
    /// [`NotAFlip`] for any character but `T`, `0`, `H`, `1`.
    #[allow(clippy::should_implement_trait, reason = "it is implemented; this spares the import")]
    pub fn from_str(text: &str) -> Result<Self, NotAFlip> {
        text.parse()
    }

    /// How many flips have been taken.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }
}

impl FromStr for Script {
    type Err = NotAFlip;

    fn from_str(text: &str) -> Result<Self, NotAFlip> {
        let flip = |(at, found)| match found {
            'T' | '0' => Ok(false),
            'H' | '1' => Ok(true),
            _ => Err(NotAFlip { found, at }),
        };
        Ok(text.chars().enumerate().map(flip).collect::<Result<Vec<_>, _>>()?.into())
    }
}

impl From<Vec<bool>> for Script {
    /// The flips in order; `true` is heads.
    fn from(flips: Vec<bool>) -> Self {
        Self { flips, at: 0 }
    }
}

impl BitSource for Script {
    type Error = ScriptEnded;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, ScriptEnded> {
        let bit = *self.flips.get(self.at).ok_or(ScriptEnded)?;
        self.at += 1;
        Ok(bit)
    }
}
