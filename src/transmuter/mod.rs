//! Rolls of one die made of rolls of another, wasting nothing.
//!
//! | way | takes | memory | what is lost | a million rolls, 2 to 6 / 6 to 2 / 10 to 7 sides |
//! |---|---|---|---|---|
//! | [`Transmuter::lossless`] | roll by roll | grows with the rolls | nothing | 0.16 / 0.6 / 1.4 s |
//! | [`Transmuter::convert`] | a slice | grows with the rolls | nothing | 0.05 / 0.35 / 0.75 s |
//! | [`Transmuter::bounded`] | roll by roll | 256 bits | less than 2^-56 bits a roll | 0.01 / 0.04 / 0.03 s |
//!
//! The first two are the converter of Gidney's "Transmuting Dice, Conserving Entropy"; the machines of that text, which
//! throw rolls away and need no memory from one answer to the next, are in [`ladder`](crate::ladder).

mod bounded;
#[cfg(feature = "exact")]
mod bulk;
#[cfg(feature = "exact")]
mod lossless;
#[cfg(feature = "exact")]
mod power;
mod roll;
#[cfg(feature = "exact")]
mod tower;
#[cfg(feature = "exact")]
mod window;

#[cfg(feature = "exact")]
use alloc::vec::Vec;

pub use bounded::Bounded;
#[cfg(feature = "exact")]
pub use lossless::Lossless;
pub use roll::Roll;

#[cfg(feature = "exact")]
use crate::error::RollOutOfRange;
use crate::error::SidesOutOfRange;

/// A converter from rolls of an n-sided die to rolls of an m-sided one, for n and m from 2 to 2^32.
///
/// - Answers: rolls from 0 to m − 1, as iterators over rolls from 0 to n − 1, or all at once.
/// - Law: if the rolls are independent and fair, the answers are independent and fair.
/// - Expected rolls: log_n m for each answer, in the long run.
/// - Tail: see the methods.
/// - Refuses: see [`new`](Self::new); a roll that is not below n is an error of the type that [`Roll`] names.
/// - Source: Craig Gidney, "Transmuting Dice, Conserving Entropy", 2013.
///
/// ```
/// use buffon::Transmuter;
///
/// let flips = [0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0];
/// let rolls = Transmuter::new(2, 6)?.convert(&flips)?;
/// assert_eq!(rolls, [1, 5, 4, 0, 4, 4]); // 0.01010011… in base 2 is 0.15404… in base 6
/// let back = Transmuter::new(6, 2)?.convert(&rolls)?;
/// assert_eq!(back, flips[..14]); // the very flips that went in, as far as they are fixed
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transmuter {
    n: u64,
    m: u64,
}

impl Transmuter {
    /// The converter from `n` to `m` sides.
    ///
    /// # Errors
    ///
    /// [`SidesOutOfRange`] if one of them is below 2 or above 2^32.
    pub const fn new(n: u64, m: u64) -> Result<Self, SidesOutOfRange> {
        const MOST: u64 = 1 << 32;
        if n < 2 || n > MOST {
            Err(SidesOutOfRange { sides: n })
        } else if m < 2 || m > MOST {
            Err(SidesOutOfRange { sides: m })
        } else {
            Ok(Self { n, m })
        }
    }

    /// n, the sides of the die whose rolls come in.
    #[must_use]
    pub const fn sides_in(&self) -> u64 {
        self.n
    }

    /// m, the sides of the die whose rolls go out.
    #[must_use]
    pub const fn sides_out(&self) -> u64 {
        self.m
    }

    /// Converts roll by roll, without any loss: an answer comes with the first roll that fixes it.
    ///
    /// The rolls are the digits of a number in base n, the answers its digits in base m. After each roll the number is known
    /// to lie in an interval [min, max); as soon as all its numbers have the same next digit, that is the next answer. Nothing
    /// is lost: converting the answers back gives the rolls again, as far as they go. (The text's program, as printed, counts
    /// max in, by the sign of its epsilon; its prose does not, and neither does this.)
    ///
    /// - Delay: an answer waits while a border between two digits lies in the interval. P(at least k bits of the rolls do not
    ///   show yet) <= m·2^-k after any number of rolls: fewer than m^j borders come with digit j, and each of them is in the
    ///   interval with the probability of its length. From 2 sides to 6 and back, the flips lag 4.7 behind on average (Gidney
    ///   measured between 4.5 and 4.9). Some endless strings of rolls, as heads and tails in turn for 3 sides, give no answer;
    ///   their probability is zero.
    /// - Memory: up to 16 times the rolls as one number, so 2 MB for a million flips; a few hundred bytes for ever if n and m
    ///   are small powers of one number, as 4 and 8 are.
    /// - Time: that of some fifteen products of numbers as long as all rolls, which grows as n^1.5 or slower. Rolls that keep
    ///   a border in the interval for thousands of rolls need a pass over the number for each hundred bits or so.
    ///
    /// A roll that is not below n is answered by an error; the converter is as if it had not come.
    ///
    /// ```
    /// use buffon::{BitBuffer, Fair, Machine, Transmuter};
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let flips = || Fair.samples(BitBuffer::new(StdRng::seed_from_u64(7)));
    /// let rolls = Transmuter::new(2, 6)?.lossless(flips());
    /// let back = Transmuter::new(6, 2)?.lossless(rolls); // results are rolls too
    /// for (flip, again) in flips().zip(back).take(1000) {
    ///     assert_eq!(u32::from(flip), again?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "exact")]
    pub fn lossless<I: IntoIterator<Item: Roll>>(&self, rolls: I) -> Lossless<I::IntoIter> {
        Lossless::new(rolls.into_iter(), self.n, self.m)
    }

    /// Converts all rolls at once: the answers that [`lossless`](Self::lossless) gives, sooner.
    ///
    /// Time: that of some eight products of numbers as long as all rolls, whatever the rolls are, which grows as n^1.5 or
    /// slower. Memory: about 12 such numbers, and the answers.
    ///
    /// # Errors
    ///
    /// [`RollOutOfRange`] for the first roll that is not below n.
    #[cfg(feature = "exact")]
    pub fn convert(&self, rolls: &[u32]) -> Result<Vec<u32>, RollOutOfRange> {
        for roll in rolls {
            roll.side(self.n)?;
        }
        Ok(bulk::convert(rolls, self.n, self.m))
    }

    /// Converts roll by roll in a few words of memory, with a tiny loss.
    ///
    /// It keeps a number that is uniform on 0..r. A roll multiplies r by n; when r is above 2^95, a roll of m sides is divided
    /// out of it, unless the number is among the last r mod m, and what is left stays uniform (randomness recycling). The
    /// answers are exactly uniform and independent; the rate alone is not quite the best.
    ///
    /// - Loss: the choice whether the number is among the last r mod m. Its probability is below m/2^95, its entropy below
    ///   2^-56 bits for each answer; 2^-85 for six sides. And what is kept, 127 bits at most.
    /// - Delay: 63 to 127 bits. When the rolls end, the answers go on until r is below m.
    ///
    /// A roll that is not below n is answered by an error; the converter is as if it had not come.
    ///
    /// ```
    /// use buffon::Transmuter;
    /// let rolls = Transmuter::new(6, 10)?.bounded([3u32, 1, 4, 1, 5, 6, 2]);
    /// let (good, bad): (Vec<_>, Vec<_>) = rolls.partition(Result::is_ok);
    /// assert_eq!((good.len(), bad.len()), (4, 1)); // a die of six sides has no side 6
    /// # Ok::<(), buffon::SidesOutOfRange>(())
    /// ```
    pub fn bounded<I: IntoIterator<Item: Roll>>(&self, rolls: I) -> Bounded<I::IntoIter> {
        Bounded::new(rolls.into_iter(), self.n, self.m)
    }
}
