use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};

use num_rational::BigRational;

use crate::explore::{Agreement, BrokenTail, Refusal, Tree};
use crate::law::Bracket;

/// What a check found wrong.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Finding<T> {
    /// The exact law is not the target, or the machine is no function of its bits. A proof.
    Law(Refusal<T>),
    /// The exact law is not the target where the source answers a flip of a rational coin, or a roll of a die, as one question.
    /// A proof.
    Weighed(Refusal<T>),
    /// The exact joint law of two answers in a row is not that of independent ones. A proof.
    InARow(Refusal<Vec<T>>),
    /// The machine compares one whole word with thresholds, and their law is not the target. A proof, if it is such a machine:
    /// see [`Report::is_by_words`].
    Words {
        /// The outcome whose probability is wrong.
        outcome: T,
        /// The probability found.
        found: BigRational,
        /// What it should be.
        target: Bracket,
    },
    /// Fewer nodes are open at this depth than any exact machine for the target must have. A proof.
    TooFast {
        /// The depth, in fair bits.
        depth: u32,
    },
    /// The expected fair bits are not what was claimed. A proof.
    Cost {
        /// What was claimed.
        claimed: Bracket,
        /// What the tree needs at least.
        at_least: BigRational,
    },
    /// It draws more bits than the optimum. A proof.
    NotOptimal(Agreement),
    /// The tail is not what was claimed. A proof.
    Tail(BrokenTail),
    /// Nothing answers between two depths, with this mass open, nor does any start from there within 2^22 bits more. Not a proof:
    /// it might answer further down.
    Stuck {
        /// From this depth, in fair bits,
        from: u32,
        /// to this one,
        to: u32,
        /// this mass stays open.
        open: BigRational,
    },
    /// A sample took more than so many fair bits. Not a proof.
    Exhausted {
        /// The bits it was given.
        bits: u64,
    },
    /// The samples would be as unlikely as the rate says, were the claim true.
    Evidence {
        /// ln of the e-value.
        ln_e_value: f64,
        /// The false-alarm rate of the check.
        alpha: f64,
    },
}

impl<T> Finding<T> {
    /// Whether it is a proof: it cannot be a false alarm.
    #[must_use]
    pub const fn is_proof(&self) -> bool {
        !matches!(
            self,
            Self::Stuck { .. }
                | Self::Exhausted { .. }
                | Self::Evidence { .. }
                | Self::Law(Refusal::Target(_))
                | Self::Weighed(Refusal::Target(_))
                | Self::InARow(Refusal::Target(_))
                | Self::Tail(BrokenTail::NotATail)
        )
    }
}

impl<T: Debug> Display for Finding<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Law(refusal) => write!(f, "{refusal}"),
            Self::Weighed(refusal) => write!(f, "through weights, {refusal}"),
            Self::InARow(refusal) => {
                write!(f, "two answers in a row are not independent: {refusal}")
            }
            Self::Words { outcome, found, target } => {
                write!(f, "P({outcome:?}) is {found} over whole words, target {target:.40}")
            }
            Self::TooFast { depth } => {
                write!(f, "faster at depth {depth} than any exact machine for the target")
            }
            Self::Cost { claimed, at_least } => {
                let at_least = Bracket::exact(at_least.clone());
                write!(f, "claimed to cost {claimed:.8} fair bits; the tree has {at_least:.8}")
            }
            Self::NotOptimal(agreement) => write!(f, "not optimal: {agreement}"),
            Self::Tail(broken) => write!(f, "{broken}"),
            Self::Stuck { from, to, open } => {
                let open = Bracket::exact(open.clone());
                write!(f, "stuck: no answer from {from} to {to} bits, with {open:.6} open")
            }
            Self::Exhausted { bits } => write!(f, "stuck: a sample took more than {bits} bits"),
            Self::Evidence { ln_e_value, alpha } => {
                write!(
                    f,
                    "the samples refute it: ln of the e-value is {ln_e_value:.1}, at a rate of {alpha:e}"
                )
            }
        }
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
    pub(super) words: bool,
    pub(super) samples: u64,
    pub(super) ln_e_value: Option<f64>,
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
            words: false,
            samples: 0,
            ln_e_value: None,
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

    /// Whether the machine draws one whole word, whose law was found by bisection; that rests on an assumption, that words
    /// between two of the same answer have that answer.
    #[must_use]
    pub const fn is_by_words(&self) -> bool {
        self.words
    }

    /// How many samples were drawn and weighed.
    #[must_use]
    pub const fn samples(&self) -> u64 {
        self.samples
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
        if self.words {
            f.write_str(", by bisection of whole words")?;
        }
        if let Some((outcome, digits)) = self.digits.iter().min_by_key(|(_, digits)| *digits) {
            write!(f, "; {digits} binary digits of P({outcome:?}) proved")?;
        }
        if self.samples > 0 {
            write!(f, "; {} samples", self.samples)?;
            if let Some(ln_e) = self.ln_e_value {
                write!(f, ", ln e = {ln_e:.1}")?;
            }
        }
        Ok(())
    }
}

/// Asserts that a machine has the law it should have, as [`check`](super::check) finds it; the report is the message.
///
/// The second argument is a [`Target`](crate::explore::Target), or `itself` for what the machine says of itself.
///
/// ```
/// use buffon::{Fair, Coin, Rational, assert_conforms};
/// let third = Rational::<u64>::new(1, 3)?;
/// assert_conforms!(third, num_rational::BigRational::new(1.into(), 3.into()));
/// assert_conforms!(third.then(Fair), itself);
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
#[macro_export]
macro_rules! assert_conforms {
    ($machine:expr, itself) => {
        $crate::conformance::must_conform(&$crate::conformance::check(&$machine).against_itself())
    };
    ($machine:expr, $target:expr) => {
        $crate::conformance::must_conform(&$crate::conformance::check(&$machine).against($target))
    };
}
