use core::convert::Infallible;
use core::fmt::{self, Debug, Formatter};

use rand_core::TryRng;

use super::{BitSource, code_entry, code_length};

/// Fair bits from a random number generator: each `u64` that it gives is served from its lowest bit up.
///
/// Sixty-four flips draw exactly one `u64`, and the sixty-fifth draws the next; only
/// [`try_next_u64`](TryRng::try_next_u64) is ever called. No bit is dropped or served twice: when the generator fails in
/// the middle of [`try_bits`](BitSource::try_bits) or [`try_tails`](BitSource::try_tails), the bits in hand stay for the
/// next call. It is not `Clone`, since two copies would serve the same bits, and `Debug` does not print them.
///
/// Any rand_core 0.10 generator will do, also `&mut R` and `&mut dyn TryRng<Error = E>`.
///
/// ```
/// use buffon::{BitBuffer, Coin, Fair};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let mut bits = BitBuffer::new(StdRng::seed_from_u64(1));
/// let heads = (0..1000).filter(|_| Fair.flip(&mut bits)).count();
/// assert!((400..600).contains(&heads));
/// ```
pub struct BitBuffer<R> {
    /// The bits not yet served, the next one lowest; zeros above them.
    word: u64,
    /// How many there are. It may exceed 64 where all of them are tails (`word` is zero).
    left: u32,
    rng: R,
}

impl<R> BitBuffer<R> {
    /// A buffer that is empty, so nothing is drawn until the first flip.
    #[must_use]
    pub const fn new(rng: R) -> Self {
        Self { word: 0, left: 0, rng }
    }

    /// The generator back; bits drawn from it and not yet served are gone.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.rng
    }
}

impl<R> Debug for BitBuffer<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitBuffer").finish_non_exhaustive()
    }
}

impl<R: TryRng> BitSource for BitBuffer<R> {
    type Error = R::Error;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, R::Error> {
        if self.left == 0 {
            self.word = self.rng.try_next_u64()?;
            self.left = 64;
        }
        let bit = self.word & 1 == 1;
        self.word >>= 1;
        self.left -= 1;
        Ok(bit)
    }

    #[inline]
    fn try_bits(&mut self, n: u32) -> Result<u64, R::Error> {
        let n = n.min(64);
        if n == 64 && self.left == 0 {
            return self.rng.try_next_u64();
        }
        let mask = u64::MAX.checked_shr(64 - n).unwrap_or(0);
        if n <= self.left {
            let answer = self.word & mask;
            self.word = self.word.checked_shr(n).unwrap_or(0);
            self.left -= n;
            return Ok(answer);
        }
        // Here left < n <= 64: what is in hand comes first, the next word supplies the rest.
        let next = self.rng.try_next_u64()?;
        let answer = (self.word | (next << self.left)) & mask;
        let taken = n - self.left;
        self.word = next.checked_shr(taken).unwrap_or(0);
        self.left = 64 - taken;
        Ok(answer)
    }

    /// Each word that has an open lane takes a `u64` of its own from the generator, and what the closed lanes would get is
    /// thrown away; the bits in hand stay.
    #[inline]
    fn try_lanes(&mut self, lanes: &mut [u64]) -> Result<(), R::Error> {
        for word in lanes.iter_mut().filter(|word| **word != 0) {
            *word &= self.rng.try_next_u64()?;
        }
        Ok(())
    }

    #[inline]
    fn try_tails(&mut self) -> Result<u64, R::Error> {
        while self.word == 0 {
            // All in hand is tails. They stay in hand, as a longer run, if the generator fails next time.
            let next = self.rng.try_next_u64()?;
            if next != 0 {
                let tails = u64::from(self.left) + u64::from(next.trailing_zeros());
                self.take_heads(next);
                return Ok(tails);
            }
            self.left = self.left.saturating_add(64);
        }
        let tails = self.word.trailing_zeros();
        let left = self.left;
        self.take_heads(self.word);
        self.left = left - tails - 1;
        Ok(u64::from(tails))
    }

    #[inline]
    fn try_code(&mut self, table: &[u32]) -> Result<u32, R::Error> {
        let entry = code_entry(table, self.word);
        let length = code_length(entry);
        if length <= self.left {
            self.word >>= length;
            self.left -= length;
            return Ok(entry);
        }
        // Here left < length <= 31, and no word of the code is within what is in hand.
        let next = self.rng.try_next_u64()?;
        let entry = code_entry(table, self.word | (next << self.left));
        let taken = code_length(entry).saturating_sub(self.left);
        self.word = next >> taken;
        self.left = 64 - taken;
        Ok(entry)
    }
}

impl<R> BitBuffer<R> {
    /// Drops the tails and the heads at the low end of `word`, which is not zero, and keeps the rest.
    #[inline]
    fn take_heads(&mut self, word: u64) {
        let taken = word.trailing_zeros() + 1;
        self.word = word.checked_shr(taken).unwrap_or(0);
        self.left = 64 - taken;
    }
}

/// A buffer over a generator that cannot fail is a source that cannot fail.
const _: fn() = || {
    fn infallible<B: BitSource<Error = Infallible>>() {}
    fn check<R: rand_core::Rng>() {
        infallible::<BitBuffer<R>>();
    }
    let _ = check::<&mut dyn rand_core::Rng>;
};
