use core::convert::Infallible;
use core::fmt::{self, Debug, Formatter};

use rand_core::TryRng;

use super::{BitSource, code_entry, code_length, doublings, left_over, try_roll, try_roll_on};

/// Fair bits from a random number generator: each `u64` that it gives is served from its lowest bit up.
///
/// Sixty-four flips draw exactly one `u64`, and the sixty-fifth draws the next; only
/// [`try_next_u64`](TryRng::try_next_u64) is ever called. No bit is dropped or served twice: when the generator fails in
/// the middle of [`try_bits`](BitSource::try_bits), [`try_tails`](BitSource::try_tails) or
/// [`try_tails_within`](BitSource::try_tails_within), the bits in hand stay for the next call. It is not `Clone`, since two
/// copies would serve the same bits, and `Debug` does not print them.
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
    /// The last word drawn, with zeros for the bits that are served: the next bit is the one at place 64 − `left`.
    ///
    /// To serve a heads is to clear the lowest one, which waits for nothing; a word that is shifted waits for its count.
    word: u64,
    /// How many bits are not yet served. It may exceed 64 where all of them are tails (`word` is zero).
    left: u64,
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

    /// What turns place 64 − left to place 0, modulo 64 as rotations are.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "modulo 64")]
    const fn turn(&self) -> u32 {
        self.left as u32
    }

    /// The bits in hand, the next one lowest, with zeros above: the places that are served are zero.
    #[inline]
    const fn ahead(&self) -> u64 {
        self.word.rotate_left(self.turn())
    }

    /// Takes `n` bits, which are in hand; `mask` has `n` ones. Clearing them by place waits for no bit of them.
    #[inline]
    const fn serve(&mut self, n: u32, mask: u64) {
        self.word &= (!mask).rotate_right(self.turn());
        self.left -= n as u64;
    }

    /// How many tails come before the next heads in hand; `word` is not zero.
    #[inline]
    const fn tails(&self) -> u64 {
        self.left - (64 - self.word.trailing_zeros() as u64)
    }

    /// Takes those tails and the heads.
    #[inline]
    const fn serve_heads(&mut self) {
        self.left = 63 - self.word.trailing_zeros() as u64;
        self.word &= self.word - 1;
    }
}

impl<R> Debug for BitBuffer<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitBuffer").finish_non_exhaustive()
    }
}

impl<R: TryRng> BitBuffer<R> {
    /// Draws the next word where all in hand is tails: they stay in hand, as a longer run.
    #[inline]
    fn draw(&mut self) -> Result<(), R::Error> {
        self.word = self.rng.try_next_u64()?;
        self.left = self.left.saturating_add(64);
        Ok(())
    }
}

impl<R: TryRng> BitSource for BitBuffer<R> {
    type Error = R::Error;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, R::Error> {
        if self.left == 0 {
            self.draw()?;
        }
        let bit = self.word & 1u64.rotate_right(self.turn());
        self.word ^= bit;
        self.left -= 1;
        Ok(bit != 0)
    }

    #[inline]
    fn try_bits(&mut self, n: u32) -> Result<u64, R::Error> {
        let n = n.min(64);
        if n == 64 && self.left == 0 {
            return self.rng.try_next_u64(); // word after word costs what the generator does
        }
        if u64::from(n) <= self.left {
            let answer = self.ahead() & low(n);
            self.serve(n, low(n));
            return Ok(answer);
        }
        // Here left < n <= 64: what is in hand comes first, the next word supplies the rest.
        let next = self.rng.try_next_u64()?;
        let answer = (self.ahead() | next << self.left) & low(n);
        self.word = next ^ (answer >> self.left);
        self.left = 64 + self.left - u64::from(n);
        Ok(answer)
    }

    /// Each word that has an open lane takes a `u64` of its own from the generator, and what the closed lanes would get is
    /// thrown away; the bits in hand stay.
    #[inline]
    fn try_lanes(&mut self, lanes: &mut [u64]) -> Result<(), R::Error> {
        // Mostly all of them are open, and then there is nothing to foresee.
        if lanes.iter().all(|&word| word != 0) {
            for word in lanes {
                *word &= self.rng.try_next_u64()?;
            }
            return Ok(());
        }
        for word in lanes.iter_mut().filter(|word| **word != 0) {
            *word &= self.rng.try_next_u64()?;
        }
        Ok(())
    }

    #[inline]
    fn try_tails(&mut self) -> Result<u64, R::Error> {
        while self.word == 0 {
            self.draw()?;
        }
        let tails = self.tails();
        self.serve_heads();
        Ok(tails)
    }

    #[inline]
    fn try_tails_within(&mut self, limit: u64) -> Result<Option<u64>, R::Error> {
        while self.word == 0 {
            if self.left >= limit {
                self.left -= limit;
                return Ok(None);
            }
            self.draw()?;
        }
        let tails = self.tails();
        if tails < limit {
            self.serve_heads();
            return Ok(Some(tails));
        }
        self.left -= limit;
        Ok(None)
    }

    /// The optimal roll. Its first two rounds are one where n is small and the bits for both are in hand: a branch less
    /// that no processor can foresee.
    #[inline]
    fn try_below(&mut self, n: u64) -> Result<u64, R::Error> {
        if !(2..=SMALL_DIE).contains(&n) {
            return try_roll(n, self);
        }
        let first = doublings(1, n);
        let range = left_over(1, first, n);
        let second = if range == 0 { 0 } else { doublings(range, n) };
        if u64::from(first + second) > self.left {
            return try_roll_on(0, 1, n, self);
        }
        let ahead = self.ahead();
        let once = ahead & low(first);
        let twice = once.wrapping_sub(n).wrapping_add(range * (ahead >> first & low(second)));
        let (value, flips, mask) = if once < n {
            (once, first, low(first))
        } else {
            (twice, first + second, low(first + second))
        };
        self.serve(flips, mask);
        if value < n {
            return Ok(value);
        }
        try_roll_on(value - n, left_over(range, second, n), n, self)
    }

    #[inline]
    fn try_code(&mut self, table: &[u32]) -> Result<u32, R::Error> {
        let entry = code_entry(table, self.ahead());
        let length = code_length(entry);
        if u64::from(length) <= self.left {
            self.serve(length, low(length));
            return Ok(entry);
        }
        // Here left < length <= 31, and no word of the code is within what is in hand.
        let next = self.rng.try_next_u64()?;
        let entry = code_entry(table, self.ahead() | next << self.left);
        let taken = u64::from(code_length(entry)).saturating_sub(self.left);
        self.word = next & u64::MAX << taken;
        self.left = 64 - taken;
        Ok(entry)
    }
}

/// The most sides for which two rounds are taken as one: few bits, so that they are mostly in hand.
const SMALL_DIE: u64 = 256;

/// A word whose `n` lowest bits are set, for n at most 64.
#[inline]
const fn low(n: u32) -> u64 {
    match u64::MAX.checked_shr(64 - n) {
        Some(mask) => mask,
        None => 0,
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
