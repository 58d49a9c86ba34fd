use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};

use num_bigint::BigInt;
use num_rational::BigRational;

use super::finding::{ALIKE, Finding};
use super::seed::Replay;
use crate::explore::{Agreement, Tree};
use crate::law::Bracket;

/// The law of whole words, where it agrees with the target.
#[derive(Clone, Debug)]
pub(super) struct ByWords {
    pub(super) agreement: Agreement,
    /// An upper bound of the bits that were asked for, and the mass that is open.
    pub(super) asked: BigRational,
    pub(super) open: BigRational,
}

impl ByWords {
    /// An upper bound of the expected bits that refutes the claim, no answer taking more than 2^20.
    pub(super) fn most_bits(&self, claimed: &Bracket) -> Option<BigRational> {
        let most = &self.asked + &self.open * BigInt::from(1 << 20);
        (most < *claimed.low()).then_some(most)
    }
}

/// What a [`check`](super::check) found.
///
/// `Display` tells in one or two lines what decided, how deep, how near, and what it costs.
#[derive(Clone, Debug)]
pub struct Report<T> {
    depth: u32,
    runs: u64,
    /// P(more than the depth).
    open: BigRational,
    /// Digits proved of the outcomes, and those.
    digits: Vec<(T, usize)>,
    pub(super) agreement: Option<Agreement>,
    pub(super) weighed: Option<Agreement>,
    pub(super) bits: Option<Bracket>,
    pub(super) words: Option<ByWords>,
    pub(super) samples: u64,
    /// How many of them took more bits than anyone waits for.
    pub(super) long: u64,
    pub(super) ln_e_value: Option<f64>,
    pub(super) replay: Option<Replay>,
    finding: Option<Finding<T>>,
}

impl<T: PartialEq + Clone> Report<T> {
    pub(super) fn new(tree: &Tree<T>) -> Self {
        let digits = |outcome: &T| (outcome.clone(), tree.tally().digits(outcome).len());
        Self {
            depth: tree.depth(),
            runs: tree.runs(),
            open: tree.open(),
            digits: tree.outcomes().iter().map(digits).collect(),
            agreement: None,
            weighed: None,
            bits: None,
            words: None,
            samples: 0,
            long: 0,
            ln_e_value: None,
            replay: None,
            finding: None,
        }
    }
}

impl<T> Report<T> {
    /// Takes a finding, if it is the first.
    pub(super) fn refuse(&mut self, finding: Finding<T>) {
        self.finding.get_or_insert(finding);
    }

    /// Whether nothing was found wrong.
    #[must_use]
    pub const fn conforms(&self) -> bool {
        self.finding.is_none()
    }

    /// What was found wrong, if anything was.
    #[must_use]
    pub const fn finding(&self) -> Option<&Finding<T>> {
        self.finding.as_ref()
    }

    /// How deep the tree was explored, in fair bits.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// How many runs that took.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// The mass that is open at that depth: P(more bits).
    #[must_use]
    pub const fn open(&self) -> &BigRational {
        &self.open
    }

    /// The certified distance in total variation, where the exact law agrees with the target.
    #[must_use]
    pub fn distance(&self) -> Option<&BigRational> {
        self.agreement.as_ref().map(Agreement::distance)
    }

    /// What was found through weights, an instruction of the source being one question, where that agrees with the target: often a
    /// smaller distance. It covers the machine as far as the source's own bodies of those instructions, which have their exact
    /// trees in the tests of this crate, are right.
    #[must_use]
    pub const fn weighed(&self) -> Option<&Agreement> {
        self.weighed.as_ref()
    }

    /// The fair bits above the optimum, down to the depth, where that is known.
    #[must_use]
    pub fn excess_bits(&self) -> Option<&BigRational> {
        self.agreement.as_ref().and_then(Agreement::excess_bits)
    }

    /// How many binary digits of each outcome's probability are proved.
    #[must_use]
    pub fn digits(&self) -> &[(T, usize)] {
        &self.digits
    }

    /// Whether the machine draws whole words, and something was found of them by bisection; that rests on an assumption, that
    /// words between two that are answered alike are answered so too.
    #[must_use]
    pub const fn is_by_words(&self) -> bool {
        self.words.is_some() || matches!(self.finding, Some(Finding::Words { .. }))
    }

    /// The distance in total variation of the law over whole words, on that assumption, where it agrees with the target.
    #[must_use]
    pub fn distance_by_words(&self) -> Option<&BigRational> {
        self.words.as_ref().map(|words| words.agreement.distance())
    }

    /// How many samples were drawn: fewer than asked for if one of them decided, or none could decide any more, and none where the
    /// machine had been refused without.
    #[must_use]
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// How to repeat the run, if it was run [from a seed](super::Check::run_from).
    #[must_use]
    pub const fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// ln of the e-value of the samples, if there were any.
    #[must_use]
    pub const fn ln_e_value(&self) -> Option<f64> {
        self.ln_e_value
    }
}

impl<T: Debug> Display for Report<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (&self.finding, &self.agreement) {
            (Some(finding), _) if finding.is_proof() => write!(f, "refused, by proof: {finding}")?,
            (Some(finding), _) => write!(f, "refused: {finding}")?,
            (None, Some(agreement)) => write!(f, "conforms: {agreement}")?,
            (None, None) => f.write_str("conforms")?,
        }
        write!(f, "; {} runs to depth {}", self.runs, self.depth)?;
        let weighed = self.weighed.as_ref().filter(|_| self.conforms());
        if let Some(agreement) = weighed.filter(|found| Some(found.distance()) < self.distance()) {
            match agreement.places() {
                Some(places) => write!(f, "; through weights within 2^-{places}")?,
                None => f.write_str("; through weights exactly")?,
            }
        }
        if let Some(ByWords { agreement, .. }) = &self.words {
            write!(f, "; over whole words: {agreement}, {ALIKE}")?;
        }
        if let Some((outcome, digits)) = self.digits.iter().min_by_key(|(_, digits)| *digits) {
            write!(f, "; {digits} binary digits of P({outcome:?}) proved")?;
        }
        if self.samples > 0 {
            write!(f, "; {} samples", self.samples)?;
            if self.long > 0 {
                write!(f, ", {} of them given up after 2^20 bits", self.long)?;
            }
            if let Some(ln_e) = self.ln_e_value {
                write!(f, ", ln e = {ln_e:.1}")?;
            }
        }
        self.replay.iter().try_for_each(|replay| write!(f, "\n{replay}"))
    }
}

/// Asserts that a machine has the law it should have, as [`check`](super::check) finds it; the report is the message.
///
/// The second argument is a [`Target`](crate::explore::Target), or `itself` for what the machine says of itself. Without more,
/// the machine is explored; with a number of samples and a generator it is sampled too, from a [fresh
/// seed](super::Seed::fresh), or from one that is given, and the message ends with the line that repeats the run.
///
/// ```
/// use buffon::{Fair, Coin, Rational, assert_conforms};
/// let third = Rational::<u64>::new(1, 3)?;
/// assert_conforms!(third, num_rational::BigRational::new(1.into(), 3.into()));
/// assert_conforms!(third.then(Fair), itself);
/// assert_conforms!(third.then(Fair), itself, 1000 samples of rand::rngs::StdRng);
/// assert_conforms!(third.then(Fair), itself, 1000 samples of rand::rngs::StdRng, seed 7);
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
#[macro_export]
macro_rules! assert_conforms {
    (@ $check:expr) => {
        $crate::conformance::must_conform(&$check)
    };
    (@ $check:expr, $n:literal samples of $rng:ty) => {
        $crate::conformance::must_conform_from::<$rng, _, _>(
            &$check.samples($n),
            $crate::conformance::Seed::fresh(),
        )
    };
    (@ $check:expr, $n:literal samples of $rng:ty, seed $seed:expr) => {
        $crate::conformance::must_conform_from::<$rng, _, _>(
            &$check.samples($n),
            $crate::conformance::Seed::fixed($seed),
        )
    };
    ($machine:expr, itself $(, $($samples:tt)+)?) => {
        $crate::assert_conforms!(@ $crate::conformance::check(&$machine).against_itself() $(, $($samples)+)?)
    };
    ($machine:expr, $target:expr $(, $($samples:tt)+)?) => {
        $crate::assert_conforms!(@ $crate::conformance::check(&$machine).against($target) $(, $($samples)+)?)
    };
}
