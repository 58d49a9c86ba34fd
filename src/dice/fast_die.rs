use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::error::ZeroSides;
use crate::machine::Machine;

/// A fair die of n sides that saves time and not bits, for n from 1 to 2^64 − 1: one word and one product a roll.
///
/// [`Die`](crate::Die) is the default, and takes the fewest bits. A word is half a `u64` of the generator, 32 flips, for n up to
/// 2^24, and a whole one for more: of b bits, in what follows.
///
/// - Answers: a side, from 0 to n − 1: ⌊w·n/2^b⌋ for the first word w of b flips, the first flip lowest, whose low product
///   w·n mod 2^b is at least r = 2^b mod n.
/// - Law: 1/n each, exactly. Side x is answered by the w with x·2^b + r ≤ w·n < (x + 1)·2^b. That interval has
///   2^b − r = n·⌊2^b/n⌋ places, and so, wherever it lies, ⌊2^b/n⌋ multiples of n: as many words for every side.
/// - Expected fair bits: b·2^b/(2^b − r): less than 32.13 for n up to 2^24, less than 128 for more, and b for 2^k; 0 for 1.
/// - Tail: exponential; P(more than kb bits) = (r/2^b)^k, below (n/2^b)^k and 2^-k. Bounded by b bits for 2^k.
/// - Refuses: see [`new`](Self::new).
/// - Source: Lemire 2019, Fast Random Integer Generation in an Interval.
///
/// A source that [answers ratios](BitSource::answers_ratios) is asked for one roll instead.
///
/// ```
/// use buffon::{FastDie, Machine, Script};
/// let die = FastDie::new(6)?;
/// let word = format!("{:H<32}", "T"); // the word 2^32 − 2
/// assert_eq!(die.try_sample(&mut Script::from_str(&word)?), Ok(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct FastDie {
    n: NonZeroU64,
    /// 2^b mod n: how many low products are refused.
    refused: u64,
}

impl FastDie {
    /// The die of `n` sides.
    ///
    /// # Errors
    ///
    /// [`ZeroSides`] if `n` is zero.
    pub const fn new(n: u64) -> Result<Self, ZeroSides> {
        match NonZeroU64::new(n) {
            Some(n) => Ok(Self { n, refused: refused(n.get(), width(n.get())) }),
            None => Err(ZeroSides),
        }
    }

    /// The number of sides.
    #[must_use]
    pub const fn sides(&self) -> NonZeroU64 {
        self.n
    }

    /// The bits of a word.
    #[cfg(feature = "exact")]
    pub(crate) const fn width(&self) -> u32 {
        width(self.n.get())
    }

    /// How many of the 2^b words are refused, and the next taken instead: 2^b mod n.
    #[cfg(feature = "exact")]
    pub(crate) const fn refused(&self) -> u64 {
        self.refused
    }
}

impl From<NonZeroU64> for FastDie {
    fn from(n: NonZeroU64) -> Self {
        Self { n, refused: refused(n.get(), width(n.get())) }
    }
}

/// The bits of a word for so many sides: half of those of a generator's word, where hardly any is refused.
const fn width(n: u64) -> u32 {
    if n <= 1 << 24 { 32 } else { 64 }
}

/// 2^width mod n, as (2^width − n) mod n where that fits a word.
const fn refused(n: u64, width: u32) -> u64 {
    (u64::MAX >> (64 - width)).wrapping_sub(n).wrapping_add(1) % n
}

/// The side that a word of `width` bits answers, unless it is one of those refused.
#[inline]
const fn side(word: u64, n: u64, refused: u64, width: u32) -> Option<u64> {
    let product = word as u128 * n as u128;
    #[allow(clippy::cast_possible_truncation, reason = "the two halves of the product")]
    let (low, high) = (product as u64 & (u64::MAX >> (64 - width)), (product >> width) as u64);
    if low >= refused { Some(high) } else { None }
}

impl Machine for FastDie {
    type Output = u64;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        let n = self.n.get();
        if n == 1 {
            return Ok(0);
        }
        if bits.answers_ratios() {
            return bits.try_below(n);
        }
        let width = width(n);
        if width == 32 {
            loop {
                // Below 2^56.
                let product = bits.try_bits(32)? * n;
                if product & u64::from(u32::MAX) >= self.refused {
                    return Ok(product >> 32);
                }
            }
        }
        loop {
            if let Some(side) = side(bits.try_bits(width)?, n, self.refused, width) {
                return Ok(side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The proof is of any word size, and here every word of every size up to 12 bits is counted.
    #[test]
    fn every_side_has_as_many_words() {
        for width in 1..=12 {
            for n in 1..1u64 << width {
                let refused = refused(n, width);
                assert_eq!(refused, (1 << width) % n);
                let mut words = [0; 1 << 12];
                for word in 0..1 << width {
                    if let Some(side) = side(word, n, refused, width) {
                        words[usize::try_from(side).unwrap_or(usize::MAX)] += 1;
                    }
                }
                let sides = usize::try_from(n).unwrap_or(usize::MAX);
                assert!(words[..sides].iter().all(|&words| words == (1u64 << width) / n), "{n}");
            }
        }
    }

    #[test]
    fn whole_words_are_refused_as_the_reduced_ones() {
        for n in [1, 2, 3, 6, 7, 1_000_003, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX] {
            let refused = refused(n, 64);
            assert_eq!(u128::from(refused), (1u128 << 64) % u128::from(n));
            assert_eq!(side(u64::MAX, n, refused, 64), Some(n - 1));
            assert_eq!(side(0, n, refused, 64), (refused == 0).then_some(0));
        }
    }
}
