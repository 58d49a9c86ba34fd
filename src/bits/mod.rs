//! Where fair bits come from.
//!
//! A machine describes, a [`BitSource`] executes: everything stateful is on this side. The same machine is run at
//! speed on a [`BitBuffer`], counted by [`Counted`], limited by [`Budget`], and replayed on a [`Script`].

mod budget;
mod buffer;
mod counted;
mod extract;
#[cfg(feature = "alloc")]
mod levels;
mod long;
mod recycler;
mod scaled;
#[cfg(feature = "alloc")]
mod script;

pub use budget::Budget;
pub use buffer::BitBuffer;
pub use counted::Counted;
#[cfg(feature = "exact")]
pub use extract::Elias;
#[cfg(feature = "alloc")]
pub use extract::Peres;
pub use extract::VonNeumann;
#[cfg(feature = "alloc")]
pub(crate) use levels::{Levels, Node};
#[cfg(feature = "alloc")]
pub(crate) use long::try_halve;
pub(crate) use long::{try_digits, try_wide};
pub use recycler::Recycler;
#[cfg(feature = "alloc")]
pub use script::Script;

use num_integer::Integer;

use crate::ratio::{Digits, Leading};

/// A source of independent fair bits; `true` is heads.
///
/// One method is required. The others have bodies made of single bits; a source may answer them faster, or in another
/// way of the same law, but always as if it had flipped: the law of what they answer is part of the contract.
///
/// That the bits are *independent and fair* is the assumption under which every law of this crate is proved.
/// The trait is dyn-compatible: `&mut dyn BitSource<Error = E>` is a source.
///
/// # Errors
///
/// Every method returns the source's own error ([`Infallible`](core::convert::Infallible) for one that cannot fail).
/// After an error the source can be used again, and bits it has already delivered are not delivered twice.
///
/// ```
/// use buffon::BitSource;
///
/// /// Flips that a person types in.
/// struct Typed<I>(I);
///
/// impl<I: Iterator<Item = char>> BitSource for Typed<I> {
///     type Error = &'static str;
///     fn try_bit(&mut self) -> Result<bool, Self::Error> {
///         self.0.next().map(|c| c == 'H').ok_or("no flip left")
///     }
/// }
///
/// let mut bits = Typed("THH".chars());
/// assert_eq!(bits.try_bits(2), Ok(0b10)); // the first flip is the least significant bit
/// assert_eq!(bits.try_tails(), Ok(0));
/// assert_eq!(bits.try_bit(), Err("no flip left"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of fair bits",
    note = "wrap a random number generator: `BitBuffer::new(rng)`"
)]
pub trait BitSource {
    /// What can go wrong when a bit is drawn.
    type Error;

    /// Flips once; `true` is heads.
    fn try_bit(&mut self) -> Result<bool, Self::Error>;

    /// Flips `n` times, at most 64; the first flip is the least significant bit of the answer.
    ///
    /// An `n` above 64 counts as 64.
    fn try_bits(&mut self, n: u32) -> Result<u64, Self::Error> {
        let mut word = 0;
        for place in 0..n.min(64) {
            word |= u64::from(self.try_bit()?) << place;
        }
        Ok(word)
    }

    /// Flips until heads; answers how many tails came before it. The heads is consumed.
    fn try_tails(&mut self) -> Result<u64, Self::Error> {
        let mut tails = 0;
        while !self.try_bit()? {
            tails += 1;
        }
        Ok(tails)
    }

    /// Flips until heads, at most `limit` times; answers how many tails came before the heads, and `None` after `limit`
    /// tails. The heads is consumed.
    fn try_tails_within(&mut self, limit: u64) -> Result<Option<u64>, Self::Error> {
        for tails in 0..limit {
            if self.try_bit()? {
                return Ok(Some(tails));
            }
        }
        Ok(None)
    }

    /// An instruction: one flip of a coin of probability `num/den`.
    ///
    /// Its body is the first-heads rule (see [`Rational`](crate::Rational)); a source that knows a better way, such as
    /// one that recycles randomness or one that explores both answers, replaces it. Total: `num >= den` is heads and
    /// `num == 0` is tails, both without a bit.
    fn try_ratio(&mut self, num: u64, den: u64) -> Result<bool, Self::Error> {
        let first = Leading::new(num.into(), den.into());
        try_leading(&first, &num, &den, self)
    }

    /// An instruction: one roll of a fair die of `n` sides, from 0 to n − 1.
    ///
    /// Its body is the optimal roll described at [`Die`](crate::Die). Total: `n <= 1` answers 0 without a bit.
    fn try_below(&mut self, n: u64) -> Result<u64, Self::Error> {
        try_roll(n, self)
    }

    /// An instruction: one fair bit for each open lane.
    ///
    /// The words come with a one for each open lane, and go with a one for each open lane that came up heads. The body draws
    /// one bit for each open lane and none for the others, from the lowest lane of the first word up; a source may draw whole
    /// words and throw the rest away. After an error what the words hold is not said.
    fn try_lanes(&mut self, lanes: &mut [u64]) -> Result<(), Self::Error> {
        for word in lanes {
            let mut open = *word;
            *word = 0;
            while open != 0 {
                let lane = open & open.wrapping_neg();
                if self.try_bit()? {
                    *word |= lane;
                }
                open ^= lane;
            }
        }
        Ok(())
    }

    /// An instruction: flips until the flips are a word of a prefix code, and answers the word's entry in `table`.
    ///
    /// The table has a power of two of entries. The low five bits of an entry are a length: as many low bits of the entry's
    /// own place spell the word, first flip lowest, and all places that agree in them hold the same entry. The flips are
    /// those of the word and no more; a source with bits in hand finds them by one look at the table.
    fn try_code(&mut self, table: &[u32]) -> Result<u32, Self::Error> {
        let (mut word, mut flips) = (0, 0);
        loop {
            // With tails for the flips to come, the entry is the word's own only once the word is complete.
            let entry = code_entry(table, word);
            if code_length(entry) <= flips {
                return Ok(entry);
            }
            word |= u64::from(self.try_bit()?) << flips;
            flips += 1;
        }
    }

    /// Whether [`try_ratio`](Self::try_ratio) and [`try_below`](Self::try_below) are answered otherwise than from single bits.
    ///
    /// A machine that keeps digits or tables of its own asks this first, and uses the instruction where it is `true`.
    fn answers_ratios(&self) -> bool {
        false
    }
}

/// The entry of a code's table at the low bits of `word`; 0 if the table is empty.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "only the low bits are looked at")]
pub(crate) fn code_entry(table: &[u32], word: u64) -> u32 {
    table.get(word as usize & table.len().wrapping_sub(1)).copied().unwrap_or(0)
}

/// How many flips an entry of a code's table stands for.
#[inline]
pub(crate) const fn code_length(entry: u32) -> u32 {
    entry & 31
}

/// Answers by the first-heads rule: at the first heads, on flip k, the answer is digit k of p; when no digit is left, tails.
///
/// P(first heads on flip k) = 2^-k, so P(answer 1) = Σ d_k 2^-k = p.
#[inline]
pub(crate) fn try_first_heads<B: BitSource + ?Sized>(
    digits: impl Iterator<Item = bool>,
    bits: &mut B,
) -> Result<bool, B::Error> {
    for digit in digits {
        if bits.try_bit()? {
            return Ok(digit);
        }
    }
    Ok(false)
}

/// The first-heads rule where the first digits of `num/den` are at hand: one look-up instead of a walk.
#[inline]
pub(crate) fn try_leading<T, B>(
    first: &Leading,
    num: &T,
    den: &T,
    bits: &mut B,
) -> Result<bool, B::Error>
where
    T: Integer + Clone,
    B: BitSource + ?Sized,
{
    match bits.try_tails_within(first.len())? {
        Some(tails) => Ok(first.digit(tails)),
        None if first.ends() => Ok(first.is_one()),
        None => try_following(first.len(), num, den, bits),
    }
}

/// Goes on with the first-heads rule after so many tails.
#[cold]
#[inline(never)]
pub(crate) fn try_following<T, B>(
    tails: u64,
    num: &T,
    den: &T,
    bits: &mut B,
) -> Result<bool, B::Error>
where
    T: Integer + Clone,
    B: BitSource + ?Sized,
{
    let mut digits = Digits::new(num, den);
    for _ in 0..tails {
        digits.next();
    }
    try_first_heads(digits, bits)
}

/// One flip of a coin of probability `num/den`, in any integer type: the plain rule, digit by digit.
#[inline]
pub(crate) fn try_rational<T, B>(num: &T, den: &T, bits: &mut B) -> Result<bool, B::Error>
where
    T: Integer + Clone,
    B: BitSource + ?Sized,
{
    if num >= den {
        return Ok(true);
    }
    try_first_heads(Digits::new(num, den), bits)
}

/// One optimal roll of a fair die of `n` sides.
#[inline]
pub(crate) fn try_roll<B: BitSource + ?Sized>(n: u64, bits: &mut B) -> Result<u64, B::Error> {
    if n <= 1 {
        return Ok(0);
    }
    // The first round of `try_roll_on(0, 1, …)`.
    let flips = doublings(1, n);
    let value = bits.try_bits(flips)?;
    if value < n { Ok(value) } else { try_roll_on(value - n, left_over(1, flips, n), n, bits) }
}

/// Goes on with a roll of a fair die of `n` sides.
///
/// Invariant: `value` is uniform on 0..range, with range < n. Flips double the range until it reaches n (new flips are
/// the high digits: value + range·flips). Then value < n has probability n/range and is uniform there: it is the answer.
/// Otherwise value − n is uniform on 0..range − n, which is less than n: nothing is thrown away (Lumbroso 2013).
#[inline]
pub(crate) fn try_roll_on<B: BitSource + ?Sized>(
    mut value: u64,
    mut range: u64,
    n: u64,
    bits: &mut B,
) -> Result<u64, B::Error> {
    loop {
        let flips = doublings(range, n);
        let high = bits.try_bits(flips)?;
        // Less than 2n, which 64 bits need not hold.
        let wide = u128::from(value) + u128::from(range) * u128::from(high);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "either below n, or below 2n with n to be taken off"
        )]
        let low = wide as u64;
        if wide < u128::from(n) {
            return Ok(low);
        }
        value = low.wrapping_sub(n);
        range = left_over(range, flips, n);
    }
}

/// The least j with range·2^j >= n, for 0 < range < n: enough to bring the highest bits to one place, or one more.
#[inline]
pub(crate) const fn doublings(range: u64, n: u64) -> u32 {
    let level = range.leading_zeros() - n.leading_zeros();
    level + (range << level < n) as u32
}

/// range·2^flips − n, which is less than n where that many flips are needed.
#[inline]
pub(crate) const fn left_over(range: u64, flips: u32, n: u64) -> u64 {
    match range.checked_shl(flips) {
        Some(range) => range.wrapping_sub(n),
        None => n.wrapping_neg(), // 2^64·range − n, for range = 1
    }
}

/// Forwards every method, instructions included, to the source behind a pointer.
macro_rules! forward {
    ($($pointer:ty)+) => {$(
        impl<B: BitSource + ?Sized> BitSource for $pointer {
            type Error = B::Error;
            #[inline]
            fn try_bit(&mut self) -> Result<bool, B::Error> {
                (**self).try_bit()
            }
            #[inline]
            fn try_bits(&mut self, n: u32) -> Result<u64, B::Error> {
                (**self).try_bits(n)
            }
            #[inline]
            fn try_tails(&mut self) -> Result<u64, B::Error> {
                (**self).try_tails()
            }
            #[inline]
            fn try_tails_within(&mut self, limit: u64) -> Result<Option<u64>, B::Error> {
                (**self).try_tails_within(limit)
            }
            #[inline]
            fn try_ratio(&mut self, num: u64, den: u64) -> Result<bool, B::Error> {
                (**self).try_ratio(num, den)
            }
            #[inline]
            fn try_below(&mut self, n: u64) -> Result<u64, B::Error> {
                (**self).try_below(n)
            }
            #[inline]
            fn try_lanes(&mut self, lanes: &mut [u64]) -> Result<(), B::Error> {
                (**self).try_lanes(lanes)
            }
            #[inline]
            fn try_code(&mut self, table: &[u32]) -> Result<u32, B::Error> {
                (**self).try_code(table)
            }
            #[inline]
            fn answers_ratios(&self) -> bool {
                (**self).answers_ratios()
            }
        }
    )+};
}

forward!(&mut B);
#[cfg(feature = "alloc")]
forward!(alloc::boxed::Box<B>);
