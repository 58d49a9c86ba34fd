use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Debug, Display, Formatter};

use num_rational::BigRational;
use num_traits::Zero;

use super::tape::Fault;
use crate::law::{Bracket, LawError};

/// The law that was explored agrees with the target, as far as it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    pub(super) depth: u32,
    pub(super) distance: BigRational,
    pub(super) speed: Option<Speed>,
}

/// How fast a machine is, next to the fastest one for its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Speed {
    pub(super) known: u32,
    pub(super) excess: BigRational,
    /// Whether no level down to the last known one has more open nodes than need be; the excess leaves that one out.
    pub(super) fewest: bool,
}

impl Agreement {
    /// The depth explored: fair bits, or questions where it was explored by weights.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The certified distance: the machine's law and the target differ by at most this in total variation, which is the
    /// greatest difference in the probability of any event. Mass that may never answer is counted in.
    ///
    /// It is 1 − Σ min(mass found, target), the target at its lower end.
    #[must_use]
    pub const fn distance(&self) -> &BigRational {
        &self.distance
    }

    /// The greatest k for which the distance is at most 2^-k; `None` if it is zero.
    #[must_use]
    pub fn places(&self) -> Option<u64> {
        places(&self.distance)
    }

    /// The fair bits that are expected within the first [`speed_depth`](Self::speed_depth) flips, less the optimum for the
    /// target there: Σ (P(more than k bits) − the least possible). Zero if each level is as fast as can be.
    ///
    /// `None` where it was explored by weights.
    #[must_use]
    pub fn excess_bits(&self) -> Option<&BigRational> {
        self.speed.as_ref().map(|speed| &speed.excess)
    }

    /// How many levels [`excess_bits`](Self::excess_bits) covers: the depth, or less where the brackets of the target leave
    /// a binary digit open.
    #[must_use]
    pub fn speed_depth(&self) -> u32 {
        self.speed.as_ref().map_or(0, |speed| speed.known)
    }

    /// Whether the machine is optimal down to the depth: no exact machine for this target has fewer nodes open on any level.
    /// Then the depth's first binary digits of every probability are those of the target.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.speed.as_ref().is_some_and(|speed| speed.known == self.depth && speed.fewest)
    }
}

impl Display for Agreement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.places() {
            None => f.write_str("the law is the target")?,
            Some(0..4) => {
                let distance = Bracket::exact(self.distance.clone());
                write!(f, "within {distance:.3} of the target in total variation")?;
            }
            Some(places) => write!(f, "within 2^-{places} of the target in total variation")?,
        }
        write!(f, ", at depth {}", self.depth)?;
        if self.is_optimal() {
            f.write_str(", with the fewest bits possible")
        } else if let Some(excess) = self.excess_bits().filter(|excess| !excess.is_zero()) {
            let excess = Bracket::exact(excess.clone());
            write!(f, ", with {excess:.6} bits more than the optimum")
        } else {
            Ok(())
        }
    }
}

/// The greatest k with x ≤ 2^-k, for 0 < x ≤ 1.
fn places(x: &BigRational) -> Option<u64> {
    if x.is_zero() {
        return None;
    }
    // The lengths bound it to within one.
    let least = x.denom().bits().saturating_sub(x.numer().bits());
    let within = |k: u64| x.numer() << k <= *x.denom();
    (least.saturating_sub(1)..=least + 1).rev().find(|&k| within(k))
}

/// Which side of the target the law is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Side {
    /// P(outcome) is at least the mass found, more than the target.
    AtLeast,
    /// P(outcome) is at most the mass found and all that is open, less than the target.
    AtMost,
}

/// An exact proof that a machine does not have the law it should have: the shortest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction<T> {
    pub(super) outcome: T,
    pub(super) side: Side,
    pub(super) depth: u32,
    pub(super) found: BigRational,
    pub(super) target: Bracket,
    pub(super) prefix: Option<Vec<bool>>,
}

impl<T> Contradiction<T> {
    /// The outcome whose probability is wrong.
    #[must_use]
    pub const fn outcome(&self) -> &T {
        &self.outcome
    }

    /// Whether its probability is too large or too small.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// How deep the tree has to be explored to see it.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The bound of P(outcome) that was found.
    #[must_use]
    pub const fn found(&self) -> &BigRational {
        &self.found
    }

    /// What P(outcome) should be.
    #[must_use]
    pub const fn target(&self) -> &Bracket {
        &self.target
    }

    /// The leaf whose mass is the last straw, the leaves being taken by depth and then from left to right. `None` for
    /// a probability that is too small, and where leaves were not kept.
    #[must_use]
    pub fn prefix(&self) -> Option<&[bool]> {
        self.prefix.as_deref()
    }
}

/// "P(heads) is at least 5/8 after prefix HTT, target 3/5".
impl<T: Debug> Display for Contradiction<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = format!("{:?}", self.outcome);
        let name = match name.as_str() {
            "true" => "heads",
            "false" => "tails",
            other => other,
        };
        let side = match self.side {
            Side::AtLeast => "least",
            Side::AtMost => "most",
        };
        write!(f, "P({name}) is at {side} {}", fraction(&Bracket::exact(self.found.clone())))?;
        match &self.prefix {
            Some(prefix) => write!(f, " after prefix {}", word(prefix))?,
            None => write!(f, " at depth {}", self.depth)?,
        }
        write!(f, ", target {}", fraction(&self.target))
    }
}

/// A bracket as a fraction, if it is a short one, or in decimals.
fn fraction(bracket: &Bracket) -> String {
    let text = format!("{bracket}");
    if bracket.is_exact() && text.len() <= 24 { text } else { format!("{bracket:.24}") }
}

/// Flips as letters: T for tails, H for heads.
pub(super) fn word(flips: &[bool]) -> String {
    flips.iter().map(|&flip| if flip { 'H' } else { 'T' }).collect()
}

/// Why the explored law does not agree with a target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal<T> {
    /// The machine is not a function of its bits.
    Fault(Fault),
    /// The law of the target cannot be told.
    Target(LawError),
    /// The law is wrong, for certain.
    Contradiction(Box<Contradiction<T>>),
}

impl<T> Refusal<T> {
    /// The contradiction, if it is one.
    #[must_use]
    pub fn contradiction(&self) -> Option<&Contradiction<T>> {
        match self {
            Self::Contradiction(contradiction) => Some(contradiction),
            _ => None,
        }
    }
}

impl<T: Debug> Display for Refusal<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Target(error) => write!(f, "the target cannot be told: {error}"),
            Self::Contradiction(contradiction) => write!(f, "{contradiction}"),
        }
    }
}

impl<T: Debug> Error for Refusal<T> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Target(error) => Some(error),
            _ => None,
        }
    }
}
