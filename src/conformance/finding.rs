use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};

use num_rational::BigRational;

use crate::explore::{Agreement, BrokenTail, Refusal};
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
    /// The law of whole words, found by bisection, is not the target. Proved if words between two that are answered alike are
    /// answered so too, which is assumed: see [`Explorer::words`](crate::Explorer::words).
    Words {
        /// The outcome whose probability is wrong.
        outcome: T,
        /// Whether the probability is at least what was found, or at most.
        at_least: bool,
        /// The bound of the probability that was found.
        found: BigRational,
        /// What it should be.
        target: Bracket,
    },
    /// The target is no multiple of 2^-bits, and every probability is one if every run reads so many bits, as all that were tried
    /// did. Proved if they all do.
    NoMultiple {
        /// The outcome whose probability is no such multiple.
        outcome: T,
        /// What it should be.
        target: Bracket,
        /// The bits that were read.
        bits: u32,
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
        /// What it needs at most, if its tail is known.
        at_most: Option<BigRational>,
    },
    /// The expected fair bits are fewer than claimed, over whole words. Proved if the assumption of [`Words`](Self::Words) holds and
    /// no answer takes more than 2^20 bits.
    CostByWords {
        /// What was claimed.
        claimed: Bracket,
        /// What the words need at most.
        at_most: BigRational,
    },
    /// Answers from below the tree take more, or fewer, bits than the claimed cost leaves for them. Not a proof: the samples would
    /// be as unlikely as the rate of the check says, were the claim true.
    CostBeyond {
        /// What was claimed.
        claimed: Bracket,
        /// The depth of the tree, in fair bits.
        depth: u32,
        /// The bits beyond the depth that follow from the claim, in the mean of those that take any.
        wanted: BigRational,
        /// The mean of the samples.
        found: Bracket,
        /// How many samples there were.
        samples: u64,
        /// Of a claim that is too high: not more than half of the bits beyond the depth may be those of an answer beyond so many.
        but_for: Option<u64>,
    },
    /// It draws more bits than the optimum. A proof.
    NotOptimal(Agreement),
    /// The tail is not what was claimed. A proof.
    Tail(BrokenTail),
    /// Nothing answers between two depths, with this mass open, nor does any start from there within 2^16 bits more. Not a proof:
    /// it might answer further down.
    Stuck {
        /// From this depth, in fair bits,
        from: u32,
        /// to this one,
        to: u32,
        /// this mass stays open.
        open: BigRational,
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
                | Self::Words { .. }
                | Self::NoMultiple { .. }
                | Self::CostByWords { .. }
                | Self::CostBeyond { .. }
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
            Self::Words { outcome, at_least, found, target } => {
                let side = if *at_least { "least" } else { "most" };
                let (outcome, found) = (name(outcome), Bracket::exact(found.clone()));
                write!(
                    f,
                    "P({outcome}) is at {side} {found:.24}, target {target:.24}, over whole words, {ALIKE}"
                )
            }
            Self::NoMultiple { outcome, target, bits } => {
                let outcome = name(outcome);
                write!(
                    f,
                    "P({outcome}) should be {target:.24}, which is no multiple of 2^-{bits}, provided that every run reads exactly {bits} bits, as all that were tried"
                )
            }
            Self::TooFast { depth } => {
                write!(f, "faster at depth {depth} than any exact machine for the target")
            }
            Self::Cost { claimed, at_least, at_most } => {
                let at_least = Bracket::exact(at_least.clone());
                write!(f, "claimed to cost {claimed:.8} fair bits; the tree has {at_least:.8}")?;
                match at_most {
                    Some(most) => write!(f, ", and at most {:.8}", Bracket::exact(most.clone())),
                    None => Ok(()),
                }
            }
            Self::CostByWords { claimed, at_most } => {
                let at_most = Bracket::exact(at_most.clone());
                write!(
                    f,
                    "claimed to cost {claimed:.8} fair bits; over whole words it is at most {at_most:.8}, {ALIKE}, and that no answer takes more than 2^20 bits"
                )
            }
            Self::CostBeyond { claimed, depth, wanted, found, samples, but_for } => {
                let wanted = Bracket::exact(wanted.clone());
                write!(
                    f,
                    "claimed to cost {claimed:.8} fair bits, so that answers of more than {depth} take {wanted:.2} more in the mean; {samples} of them took {found:.2}"
                )?;
                match but_for {
                    Some(bits) => write!(
                        f,
                        ", provided that not more than half of it is what lies beyond {bits} bits"
                    ),
                    None => Ok(()),
                }
            }
            Self::NotOptimal(agreement) => write!(f, "not optimal: {agreement}"),
            Self::Tail(broken) => write!(f, "{broken}"),
            Self::Stuck { from, to, open } => {
                let open = Bracket::exact(open.clone());
                write!(f, "stuck: no answer from {from} to {to} bits, with {open:.6} open")
            }
            Self::Evidence { ln_e_value, alpha } => {
                write!(
                    f,
                    "the samples refute it: ln of the e-value is {ln_e_value:.1}, at a rate of {alpha:e}"
                )
            }
        }
    }
}

/// What findings by words rest on.
pub(super) const ALIKE: &str =
    "provided that words between two that are answered alike are answered so too";

/// An outcome as a contradiction names it.
fn name<T: Debug>(outcome: &T) -> String {
    match format!("{outcome:?}").as_str() {
        "true" => "heads".into(),
        "false" => "tails".into(),
        other => other.into(),
    }
}
