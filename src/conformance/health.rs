//! Health tests for sources of fair bits.

use core::error::Error;
use core::fmt::{self, Display, Formatter};

use num_bigint::BigUint;
use num_traits::One;

use crate::bits::BitSource;

/// The number of bits in a window of the proportion test.
const WINDOW: u32 = 1024;

/// A source that watches the bits drawn through it, and stops when they look broken.
///
/// Two tests run all the time, those of NIST SP 800-90B §4.4 for bits of full entropy: *repetition count*, a run of equal bits
/// that is too long, and *adaptive proportion*, too many bits in a window of 1024 that equal its first. The cut-offs are
/// computed from the wanted false-alarm rate: for fair bits each test fires at a given bit, or in a given window, with at
/// most that probability.
///
/// It finds a source that is stuck or coarse, not a subtle bias: for that see [`Evidence`](super::Evidence).
///
/// ```
/// use buffon::conformance::{Healthy, HealthError};
/// use buffon::{BitSource, Script};
///
/// let stuck = Script::from_str(&"H".repeat(100))?;
/// let mut bits = Healthy::new(stuck, 40); // false alarms: 2^-40
/// let error = (0..100).find_map(|_| bits.try_bit().err());
/// assert_eq!(error, Some(HealthError::Repetition { run: 41 }));
/// # Ok::<(), buffon::NotAFlip>(())
/// ```
#[derive(Debug)]
pub struct Healthy<S> {
    source: S,
    longest: u64,
    most: u32,
    last: bool,
    run: u64,
    first: bool,
    seen: u32,
    equal: u32,
}

/// Why a source is taken for broken, or its own error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthError<E> {
    /// So many equal bits came in a row.
    Repetition {
        /// The length of the run.
        run: u64,
    },
    /// So many bits of a window of 1024 were equal to its first.
    Proportion {
        /// Their number, the first included.
        equal: u32,
    },
    /// The source's own error.
    Source(E),
}

impl<E: Display> Display for HealthError<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repetition { run } => write!(f, "{run} equal bits in a row: the source is stuck"),
            Self::Proportion { equal } => {
                write!(f, "{equal} of {WINDOW} bits are equal to the first: the source is biased")
            }
            Self::Source(error) => write!(f, "the source of fair bits failed: {error}"),
        }
    }
}

impl<E: Error + 'static> Error for HealthError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Source(error) => Some(error),
            _ => None,
        }
    }
}

impl<S> Healthy<S> {
    /// Watches `source` at a false-alarm rate of 2^-`exponent` for each test.
    #[must_use]
    pub fn new(source: S, exponent: u32) -> Self {
        Self {
            source,
            // A run of r equal bits from a given bit on has probability 2^-(r-1).
            longest: u64::from(exponent) + 1,
            most: proportion_cutoff(exponent),
            last: false,
            run: 0,
            first: false,
            seen: 0,
            equal: 0,
        }
    }

    /// A run of so many equal bits is an alarm.
    #[must_use]
    pub const fn repetition_cutoff(&self) -> u64 {
        self.longest
    }

    /// So many bits of a window that equal its first are an alarm.
    #[must_use]
    pub const fn proportion_cutoff(&self) -> u32 {
        self.most
    }

    /// The source back.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.source
    }
}

/// The least c with P(c or more of a window equal its first) ≤ 2^-exponent: the first does, and of the 1023 others
/// Binomial(1023, ½) many. In whole numbers: Σ over k ≥ c − 1 of C(1023, k) ≤ 2^(1023 − exponent).
fn proportion_cutoff(exponent: u32) -> u32 {
    let others = WINDOW - 1;
    if exponent > others {
        return WINDOW + 1; // no number of equal bits is so unlikely
    }
    let allowed = BigUint::one() << (others - exponent);
    let mut tail = BigUint::default();
    let mut ways = BigUint::one(); // C(1023, 1023)
    let mut k = others;
    loop {
        tail += &ways;
        if tail > allowed {
            return k + 2; // k others are too many ways: k + 1 of them, and the first
        }
        if k == 0 {
            return 1;
        }
        ways = ways * k / (others - k + 1);
        k -= 1;
    }
}

impl<S: BitSource> BitSource for Healthy<S> {
    type Error = HealthError<S::Error>;

    fn try_bit(&mut self) -> Result<bool, Self::Error> {
        let bit = self.source.try_bit().map_err(HealthError::Source)?;
        self.run = if bit == self.last && self.run > 0 { self.run.saturating_add(1) } else { 1 };
        self.last = bit;
        if self.seen == 0 {
            (self.first, self.equal) = (bit, 0);
        }
        self.equal += u32::from(bit == self.first);
        let equal = self.equal;
        self.seen = (self.seen + 1) % WINDOW;
        if self.run >= self.longest {
            return Err(HealthError::Repetition { run: self.run });
        }
        if equal >= self.most {
            return Err(HealthError::Proportion { equal });
        }
        Ok(bit)
    }
}
