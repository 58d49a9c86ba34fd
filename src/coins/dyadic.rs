use crate::bits::{BitSource, try_digits};
use crate::error::ProbabilityError;
use crate::machine::Machine;
use crate::ratio::{Leading, decode};

/// A coin of dyadic probability a/2^m.
///
/// - Answers: at the first heads, on flip k, binary digit k of a/2^m; tails when no digit is left.
/// - Law: P(heads) = a/2^m, exactly.
/// - Expected fair bits: 2 − 2^(1−m) in lowest terms; 0 for 0 and 1. No exact coin costs less.
/// - Tail: bounded by m bits in lowest terms: zero digits at the end are not flipped for. It always ends.
/// - Refuses: see [`new`](Self::new).
/// - Source: Knuth and Yao 1976; the early end is the exception to the "two bits for any p" of Lumbroso 2013.
///
/// ```
/// use buffon::{Coin, Dyadic, Script};
/// let coin = Dyadic::new(3, 3)?; // 3/8 = 0.011 in binary
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTH")?), Ok(true));
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTT")?), Ok(false)); // three flips at most
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Dyadic {
    /// Odd, or zero; in lowest terms, so that equal coins are equal.
    a: u64,
    m: u32,
}

impl Dyadic {
    /// The coin of probability a/2^m.
    ///
    /// # Errors
    ///
    /// [`AboveOne`](ProbabilityError::AboveOne) if a > 2^m.
    pub const fn new(a: u64, m: u32) -> Result<Self, ProbabilityError> {
        Self::from_wide(a as u128, m)
    }

    /// The same for the numbers up to 2^64 of Viglietta's lemmas.
    pub(crate) const fn from_wide(a: u128, m: u32) -> Result<Self, ProbabilityError> {
        if a == 0 {
            return Ok(Self { a: 0, m: 0 });
        }
        if m < 128 && a > 1 << m {
            return Err(ProbabilityError::AboveOne);
        }
        let zeros = a.trailing_zeros();
        let shift = if zeros < m { zeros } else { m };
        let a = a >> shift;
        if a > u64::MAX as u128 {
            return Err(ProbabilityError::AboveOne); // not reached: callers give a <= 2^64
        }
        #[allow(clippy::cast_possible_truncation, reason = "just checked")]
        Ok(Self { a: a as u64, m: m - shift })
    }

    /// The coin whose probability is the very value of `x`; see [`Rational::from_f64`](crate::Rational::from_f64).
    ///
    /// # Errors
    ///
    /// [`NotFinite`](ProbabilityError::NotFinite) for a NaN or an infinity, [`Negative`](ProbabilityError::Negative) below
    /// 0, [`AboveOne`](ProbabilityError::AboveOne) above 1.
    pub const fn from_f64(x: f64) -> Result<Self, ProbabilityError> {
        let (a, exponent) = match decode(x) {
            Ok(decoded) => decoded,
            Err(error) => return Err(error),
        };
        // The significand is odd or zero, so a positive exponent is a number of at least 2.
        if exponent > 0 {
            return Err(ProbabilityError::AboveOne);
        }
        Self::new(a, exponent.unsigned_abs())
    }

    /// The numerator a, in lowest terms.
    #[must_use]
    pub const fn numer(&self) -> u64 {
        self.a
    }

    /// The digits of a number below one: digit k of a/2^m is bit m − k of a; in lowest terms the last one is not zero.
    pub(crate) fn digits(&self) -> impl Iterator<Item = bool> + use<> {
        let Self { a, m } = *self;
        (0..m).rev().map(move |place| a.checked_shr(place).unwrap_or(0) & 1 == 1)
    }

    /// The first 64 digits, or all of them.
    pub(crate) const fn leading(&self) -> Leading {
        if self.m == 0 {
            return Leading::new(self.a as u128, 1);
        }
        if self.m <= 64 {
            return Leading::known(self.a << (64 - self.m), self.m as u64, true);
        }
        let word = if self.m < 128 { self.a >> (self.m - 64) } else { 0 };
        Leading::known(word, 64, false)
    }

    /// The exponent m of the denominator 2^m, in lowest terms: the most flips that an answer takes.
    #[must_use]
    pub const fn exponent(&self) -> u32 {
        self.m
    }
}

impl Machine for Dyadic {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        if self.m == 0 {
            return Ok(self.a == 1);
        }
        if bits.answers_ratios() {
            return if self.m < 64 {
                bits.try_ratio(self.a, 1 << self.m)
            } else {
                try_digits(self.digits(), bits)
            };
        }
        // The digit after so many tails is bit m − 1 − tails of a; in lowest terms the last one is not zero.
        let tails = bits.try_tails_within(self.m.into())?;
        Ok(tails.is_some_and(|tails| {
            let place = u64::from(self.m) - 1 - tails;
            place < 64 && self.a >> place & 1 == 1
        }))
    }
}
