use core::convert::Infallible;
use core::fmt::{self, Debug, Formatter};

use super::scaled::{Divider, Scaled, high};
use super::{BitSource, try_rational};

/// How many fractions, and how many dice, a recycler remembers.
const KNOWN: usize = 8;

/// A source that wastes no entropy: it answers ratios and dice out of a uniform state, and puts back what is left over.
///
/// A lone coin of probability 1/3 costs 2 fair bits, though its answer holds only 0.918 bits of information. Over a
/// recycler every rational coin and every die costs its entropy and less than 2·10⁻⁶ bit more, and so does any composition
/// of them: 0.918 bits for 1/3, 2.585 for a die of six sides. A coin of numbers that 64 bits do not hold, and a chooser,
/// are a few such coins that hold no more information than the answer. All other flips (`try_bit`, `try_bits`,
/// `try_tails`, `try_lanes`) come from the source beneath, one fair bit for each.
///
/// - Law: that of the instructions, exactly, whatever was asked before: answers are independent of each other and of the
///   state that stays.
/// - Expected fair bits: drawn from the source in batches; after any number of answers, at most the sum of their
///   entropies, plus 2·10⁻⁶ for each, plus the 64 that the state can hold.
/// - Tail: exponential; a roll is taken again with probability below 2^-24, a coin is finished on fresh flips with
///   probability at most 2^-31.
/// - Refuses: nothing.
/// - Source: Draper and Saad 2026, *Efficient Online Random Sampling via Randomness Recycling*; the coin is finished on
///   fresh flips where theirs is rejected, so that its loss does not depend on the denominator.
///
/// # Proof
///
/// The state is a number Z, uniform on 0..M and independent of all answers so far. M counts the equally likely cases; a
/// flip doubles them.
///
/// - *Die of n sides.* M = q·n + r. If Z < q·n, then Z mod n and ⌊Z/n⌋ are independent and uniform on 0..n and 0..q: the
///   first is the answer, the second, with q, the state. Otherwise Z − q·n is uniform on 0..r: it is the state, and the
///   roll is taken again. (To pair ⌊Z/n⌋ with another count of cases than q would be wrong.) An n above 2³² is rolled
///   with flips added to the state first, so that the quotient fits in it again.
/// - *Coin a/b.* Take c with c <= M·a/b < c + 2. Z < c is heads, and then Z is uniform on 0..c. Z >= c + 2 is tails, and
///   then Z − c − 2 is uniform on 0..M − c − 2. The w <= 2 cases between are heads with probability (M·a/b − c)/w, decided
///   by fresh flips from a state that starts anew. So P(heads) = (c + (M·a/b − c))/M = a/b.
///
/// *Loss.* Let h be the binary entropy. log2 M = h(r/M) + (1 − r/M)·(log2 n + log2 q) + (r/M)·log2 r: a die loses h(r/M)
/// for each time it is rolled. M is first filled up to 2²⁴·n at least (and 2³²), so r/M < 2^-24 and the loss is below
/// 1.6·10⁻⁶; for n = 6 it is below 5·10⁻⁸. A coin loses at most 2·h(2/(M − 2)) + 6/M, below 4·10⁻⁸ for every a/b, since
/// M >= 2³² and c/(M − 2) is within 2/(M − 2) of a/b.
///
/// # Errors
///
/// When the source fails nothing has been answered, and the state stays uniform: of what it held, what decided nothing is
/// kept. Flips that a source delivered before it failed in the middle of a batch are lost, unless it keeps them itself as
/// [`BitBuffer`](crate::BitBuffer) does. Nothing is ever used twice. A recycler is not `Clone`, and `Debug` does not print
/// the state.
///
/// ```
/// use buffon::{BitBuffer, Coin, Counted, Rational, Recycler};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let third = Rational::<u64>::new(1, 3)?;
/// let mut bits = Recycler::new(Counted::new(BitBuffer::new(StdRng::seed_from_u64(1))));
/// let heads = (0..10_000).filter(|_| third.flip(&mut bits)).count();
/// assert!((3000..3700).contains(&heads));
/// assert!((8900..9400).contains(&bits.source().count())); // 10 000 coins; alone they take 20 000 bits
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
pub struct Recycler<S> {
    source: S,
    /// Z: uniform on 0..range.
    value: u64,
    /// M: at least 1.
    range: u64,
    /// 2^⌊s/2⌋: the range that a coin wants at least, and the most sides that are rolled without widening.
    low: u64,
    /// ⌊3s/8⌋: a die wants a range of n·2^slack at least.
    slack: u32,
    /// 64 − s.
    spare: u32,
    coins: [Scaled; KNOWN],
    dice: [Divider; KNOWN],
}

impl<S> Recycler<S> {
    /// A recycler with 64 bits of state, of which none is drawn until the first answer.
    #[must_use]
    pub const fn new(source: S) -> Self {
        Self::with_state_bits(source, 64)
    }

    /// A recycler whose state holds `s` bits, from 4 to 64; an `s` outside counts as the nearest.
    ///
    /// The law is the same for every `s`, only the loss grows as it gets smaller: a coin is left to fresh flips with
    /// probability at most 2^(1−⌊s/2⌋), and a roll is taken again with probability at most 2^-⌊3s/8⌋. A state so small that
    /// all its cases can be looked through shows that the law is right, see `tests/recycler.rs`.
    #[must_use]
    pub const fn with_state_bits(source: S, s: u32) -> Self {
        let s = if s < 4 {
            4
        } else if s > 64 {
            64
        } else {
            s
        };
        Self {
            source,
            value: 0,
            range: 1,
            low: 1 << (s / 2),
            slack: 3 * s / 8,
            spare: 64 - s,
            coins: [Scaled::NONE; KNOWN],
            dice: [Divider::NONE; KNOWN],
        }
    }

    /// The source beneath.
    #[must_use]
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// The source back; the randomness in the state is gone.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.source
    }

    /// How many equally likely cases the state holds, from 1 to 2^64 − 1: log2 of it is the entropy in hand.
    #[must_use]
    pub const fn cases(&self) -> u64 {
        self.range
    }

    #[inline]
    fn coin(&mut self, num: u64, den: u64) -> Scaled {
        let known = &mut self.coins[place(num.wrapping_mul(3).wrapping_add(den))];
        if !known.is(num, den) {
            *known = Scaled::new(num, den);
        }
        *known
    }

    #[inline]
    fn die(&mut self, n: u64) -> Divider {
        let known = &mut self.dice[place(n)];
        if !known.is(n) {
            *known = Divider::new(n);
        }
        *known
    }
}

impl<S> Debug for Recycler<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recycler").finish_non_exhaustive()
    }
}

impl<S: BitSource> Recycler<S> {
    /// Fills the state up if it holds fewer cases than `least`.
    #[inline]
    fn refill(&mut self, least: u64) -> Result<(), S::Error> {
        if self.range < least { self.fill_up() } else { Ok(()) }
    }

    /// Fills the state up to its s bits: 2^(s−1) cases at least.
    #[inline(never)]
    fn fill_up(&mut self) -> Result<(), S::Error> {
        let flips = self.range.leading_zeros() - self.spare;
        let fresh = self.source.try_bits(flips)?;
        self.value = (self.value << flips) | fresh;
        self.range <<= flips;
        Ok(())
    }

    /// A coin whose Z is one of the w <= 2 cases at `below`: heads with probability (M·a/b − below)/w.
    #[cold]
    #[inline(never)]
    fn undecided(&mut self, below: u64, num: u64, den: u64) -> Result<bool, S::Error> {
        let (num, den) = odds(self.range, below, num, den);
        // Z is known now. It must be gone before the source can fail.
        (self.value, self.range) = (0, 1);
        try_rational(&num, &den, &mut self.source)
    }

    /// A roll of more than `low` sides.
    #[inline(never)]
    fn try_below_wide(&mut self, n: u64) -> Result<u64, S::Error> {
        // 2^flips <= n, so the quotient of M·2^flips by n is at most M.
        let flips = n.ilog2();
        let sides = u128::from(n);
        let word = |x: u128| u64::try_from(x).unwrap_or(u64::MAX);
        loop {
            self.refill(self.low)?;
            let fresh = u128::from(self.source.try_bits(flips)?);
            let value = (u128::from(self.value) << flips) | fresh;
            let range = u128::from(self.range) << flips;
            let quotient = range / sides;
            let (rest, side) = (value / sides, value % sides);
            if rest < quotient {
                (self.value, self.range) = (word(rest), word(quotient));
                return Ok(word(side));
            }
            let used = quotient * sides;
            (self.value, self.range) = (word(value - used), word(range - used));
        }
    }

    /// Rolls a fair die of `n` sides for every place of `out`, many at a time.
    ///
    /// Law: as so many [`try_below`](BitSource::try_below), but not the same answers on the same flips: k rolls, as many
    /// as fit into 32 bits, are taken as one roll of a die of nᵏ sides. Total as that one is: `n <= 1` writes zeros.
    ///
    /// # Errors
    ///
    /// The source's own error; what `out` holds then is not specified.
    ///
    /// ```
    /// use buffon::{BitBuffer, Recycler};
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let mut bits = Recycler::new(BitBuffer::new(StdRng::seed_from_u64(1)));
    /// let mut rolls = [9; 100];
    /// bits.fill_below(6, &mut rolls);
    /// assert!(rolls.iter().all(|&roll| roll < 6));
    /// ```
    pub fn try_fill_below(&mut self, n: u64, out: &mut [u64]) -> Result<(), S::Error> {
        if n <= 1 {
            out.fill(0);
            return Ok(());
        }
        let rolls = u32::try_from(n).map_or(1, |n| u32::MAX.ilog(n));
        for block in out.chunks_mut(rolls as usize) {
            if let [roll] = block {
                *roll = self.try_below(n)?;
                continue;
            }
            let sides = block.iter().fold(1, |sides, _| sides * n);
            // All rolls as one number, and as a fraction of nᵏ < 2^32 in 64 bits, rounded up by less than 2^32·2^-64: too
            // little to change a digit of k places.
            let all = self.try_below(sides)?;
            let mut fraction = all * (u64::MAX / sides + 1);
            for roll in block {
                *roll = high(fraction, n);
                fraction = fraction.wrapping_mul(n);
            }
        }
        Ok(())
    }

    /// [`try_fill_below`](Self::try_fill_below) from a source that cannot fail.
    pub fn fill_below(&mut self, n: u64, out: &mut [u64])
    where
        S: BitSource<Error = Infallible>,
    {
        let Ok(()) = self.try_fill_below(n, out);
    }
}

/// The place where a thing with this number is remembered.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "it is less than KNOWN")]
const fn place(number: u64) -> usize {
    (number % KNOWN as u64) as usize
}

/// (M·a/b − below)/w as a fraction, for the w cases at `below` that are less than M and not more than 2.
fn odds(range: u64, below: u64, num: u64, den: u64) -> (u128, u128) {
    let cases = (range - below).min(2);
    let heads = u128::from(range) * u128::from(num) - u128::from(below) * u128::from(den);
    (heads, u128::from(cases) * u128::from(den))
}

impl<S: BitSource> BitSource for Recycler<S> {
    type Error = S::Error;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, S::Error> {
        self.source.try_bit()
    }

    #[inline]
    fn try_bits(&mut self, n: u32) -> Result<u64, S::Error> {
        self.source.try_bits(n)
    }

    #[inline]
    fn try_tails(&mut self) -> Result<u64, S::Error> {
        self.source.try_tails()
    }

    #[inline]
    fn try_tails_within(&mut self, limit: u64) -> Result<Option<u64>, S::Error> {
        self.source.try_tails_within(limit)
    }

    #[inline]
    fn try_code(&mut self, table: &[u32]) -> Result<u32, S::Error> {
        self.source.try_code(table)
    }

    #[inline]
    fn try_lanes(&mut self, lanes: &mut [u64]) -> Result<(), S::Error> {
        self.source.try_lanes(lanes)
    }

    #[inline]
    fn try_ratio(&mut self, num: u64, den: u64) -> Result<bool, S::Error> {
        if num == 0 || num >= den {
            return Ok(num >= den);
        }
        self.refill(self.low)?;
        let below = self.coin(num, den).of(self.range);
        let over = self.value.wrapping_sub(below);
        if over < 2 {
            return self.undecided(below, num, den);
        }
        // Masks and no branch: which side it falls on cannot be predicted.
        let heads = self.value < below;
        let tails = u64::from(heads).wrapping_sub(1);
        let rest = self.range.wrapping_sub(2).wrapping_sub(below);
        self.value -= below.wrapping_add(2) & tails;
        self.range = below ^ ((below ^ rest) & tails);
        Ok(heads)
    }

    #[inline]
    fn try_below(&mut self, n: u64) -> Result<u64, S::Error> {
        if n <= 1 {
            return Ok(0);
        }
        if n > self.low {
            return self.try_below_wide(n);
        }
        let by = self.die(n);
        loop {
            self.refill(self.low.max(n << self.slack))?;
            let quotient = by.divide(self.range);
            let used = quotient * n;
            if self.value < used {
                let rest = by.divide(self.value);
                let side = self.value - rest * n;
                (self.value, self.range) = (rest, quotient);
                return Ok(side);
            }
            self.value -= used;
            self.range -= used;
        }
    }

    fn answers_ratios(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
