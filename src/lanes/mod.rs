//! Many flips at once: a coin evaluated in the lanes of machine words.
//!
//! A lane is one bit of a word, and each lane holds a flip of its own. A coin is given a mask of *open* lanes and answers a
//! word with a one in each open lane that came up heads. So `then` is a word operation and a second word of flips for the lanes
//! that are still open, and a run goes on while any lane is open. A source gives
//! [one fair bit for each open lane](crate::BitSource::try_lanes): the lanes draw different bits, so they are independent.

mod combinators;
#[cfg(feature = "exact")]
mod compiled;
mod kernel;

use core::convert::Infallible;

use crate::bits::BitSource;
use crate::coin::Coin;

pub use combinators::LaneFamily;

/// Words that are flipped together: 256 lanes.
const WIDE: usize = 4;

/// The bits of every byte, the lowest first.
static BITS: [[bool; 8]; 256] = {
    let mut bits = [[false; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut place = 0;
        while place < 8 {
            bits[byte][place] = byte >> place & 1 == 1;
            place += 1;
        }
        byte += 1;
    }
    bits
};

/// A coin that can be flipped in many lanes at once.
///
/// | can be flipped in lanes | if |
/// |---|---|
/// | `Fair`, `Always`, `Never`, `Certain<bool>`, `OneOver`, `Dyadic`, `Fraction`, `Rational`, `Ratios` | |
/// | `p.not()`, `p.then(q)`, `p.or_else(q)`, `p.xor(q)`, `p.power(n)`, `p.mix(x, y)` | their coins can |
/// | `p.map(f)`, `p.and_then(f)`, `p.condition(holds)` | p can, and the coins that `f` makes |
/// | `p.parity_of_run()`, `parity_of_run(family)` | the coins of the [`LaneFamily`] can |
/// | `coin.compile()`, for a law with two outcomes or one | |
/// | `External`, `from_fn`, `coin.erased()` | they are flipped lane by lane |
///
/// So are the coins of the catalogue and the factories that are made of these, such as 1/e and exp(−x).
/// What is not: a machine whose answer is a number on the way, as a die, a run of which more than the parity is wanted, and
/// `retry`. Each lane would have a number of its own, so that words gain nothing; [`erased`](crate::Machine::erased) puts such a
/// coin into a composition that is flipped in lanes.
///
/// - Answers: in each open lane, a flip; in the others, zero.
/// - Law: that of the coin in each open lane, independently.
/// - Expected fair bits: in each lane those of the coin, one by one. A [`BitBuffer`](crate::BitBuffer) throws away what the closed
///   lanes of its words would get. A lone coin draws six words for each of its words of lanes, and about one more for 64 lanes
///   that wait longer, three for 256: so 7.3 bits a flip and 6.8, in a fraction of the time of a flip alone.
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
            let bytes = words.into_iter().flat_map(u64::to_le_bytes);
            let mut eights = bytes.map(|byte| BITS[usize::from(byte)]);
            let mut whole = places.chunks_exact_mut(8);
            for (places, bits) in whole.by_ref().zip(eights.by_ref()) {
                places.copy_from_slice(&bits);
            }
            for (place, bit) in whole.into_remainder().iter_mut().zip(eights.flatten()) {
                *place = bit;
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
