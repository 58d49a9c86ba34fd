//! Many flips at once: a coin evaluated in the lanes of machine words.
//!
//! A lane is one bit of a word, and each lane holds a flip of its own. A coin is given a mask of *open* lanes and answers a
//! word with a one in each open lane that came up heads. So `then` is a word operation and a second word of flips for the lanes
//! that are still open, and a run goes on while any lane is open. A source gives
//! [one fair bit for each open lane](crate::BitSource::try_lanes): the lanes draw different bits, so they are independent.

mod combinators;
mod kernel;

use core::convert::Infallible;

use crate::bits::BitSource;
use crate::coin::Coin;

pub use combinators::LaneFamily;

/// Words that are flipped together: 256 lanes.
const WIDE: usize = 4;

/// A coin that can be flipped in many lanes at once.
///
/// It is implemented for the coins of this crate and the combinators over them that answer heads or tails.
///
/// - Answers: in each open lane, a flip; in the others, zero.
/// - Law: that of the coin in each open lane, independently.
/// - Expected fair bits: in each lane those of the coin, one by one. A [`BitBuffer`](crate::BitBuffer) throws away what the closed lanes
///   of its words would get: a lone coin in 64 lanes draws about 7.3 words, so about 7.3 bits a flip, for the time of a fraction.
/// - Tail: that of the coin; all lanes are waited for.
///
/// ```
/// use buffon::{BitBuffer, Coin, Fair, Lanes, Rational};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let mut bits = BitBuffer::new(StdRng::seed_from_u64(1));
/// let sixth = Rational::<u64>::new(1, 3)?.then(Fair);
/// let mut flips = [false; 60_000];
/// sixth.fill_bools(&mut flips, &mut bits);
/// let heads = flips.iter().filter(|&&heads| heads).count();
/// assert!((9_500..10_500).contains(&heads));
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
pub trait Lanes: Coin {
    /// Flips once in each open lane; the other lanes of the answer are zero.
    ///
    /// # Errors
    ///
    /// The source's own error.
    fn try_flip_lanes<const N: usize, B: BitSource + ?Sized>(
        &self,
        open: [u64; N],
        bits: &mut B,
    ) -> Result<[u64; N], B::Error>;

    /// Fills each word with 64 flips; the first is the least significant bit.
    ///
    /// # Errors
    ///
    /// The source's own error; the words up to there are filled, what the others hold is not said.
    fn try_fill<B: BitSource + ?Sized>(
        &self,
        words: &mut [u64],
        bits: &mut B,
    ) -> Result<(), B::Error> {
        let mut wide = words.chunks_exact_mut(WIDE);
        for words in &mut wide {
            words.copy_from_slice(&self.try_flip_lanes([u64::MAX; WIDE], bits)?);
        }
        for word in wide.into_remainder() {
            [*word] = self.try_flip_lanes([u64::MAX], bits)?;
        }
        Ok(())
    }

    /// Fills each word with 64 flips, from a source that cannot fail.
    fn fill<B: BitSource<Error = Infallible> + ?Sized>(&self, words: &mut [u64], bits: &mut B) {
        let Ok(()) = self.try_fill(words, bits);
    }

    /// Fills each place with one flip.
    ///
    /// # Errors
    ///
    /// The source's own error; the places up to there are filled.
    fn try_fill_bools<B: BitSource + ?Sized>(
        &self,
        flips: &mut [bool],
        bits: &mut B,
    ) -> Result<(), B::Error> {
        for places in flips.chunks_mut(64 * WIDE) {
            let open = core::array::from_fn(|word| match places.len().saturating_sub(64 * word) {
                lanes @ 0..64 => (1 << lanes) - 1,
                _ => u64::MAX,
            });
            let words: [u64; WIDE] = self.try_flip_lanes(open, bits)?;
            for (places, word) in places.chunks_mut(64).zip(words) {
                for (lane, place) in places.iter_mut().enumerate() {
                    *place = word >> lane & 1 == 1;
                }
            }
        }
        Ok(())
    }

    /// Fills each place with one flip, from a source that cannot fail.
    fn fill_bools<B: BitSource<Error = Infallible> + ?Sized>(
        &self,
        flips: &mut [bool],
        bits: &mut B,
    ) {
        let Ok(()) = self.try_fill_bools(flips, bits);
    }
}
