use core::error::Error;
use core::fmt::{self, Display, Formatter};

use num_rational::BigRational;

use super::bracket::Bracket;

/// Why a law or a cost cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LawError {
    /// The condition has probability zero: the machine never answers.
    Impossible,
    /// The run never ends: the coin is certain.
    NeverHalts,
    /// The highest working precision was not enough: a divisor that may be zero, or a series that converges too slowly.
    Undecided,
    /// There are more outcomes than can be listed.
    TooManyOutcomes,
    /// The outcomes are not finitely many with known rational probabilities.
    Irrational,
    /// No upper bound of the expected fair bits can be proved; they are at least this many.
    UnboundedCost {
        /// A lower bound, in fair bits.
        at_least: BigRational,
    },
    /// What a [`Gap`](crate::factories::Gap) promises of a coin is not true of it.
    BrokenPromise,
    /// What a family declares of its cost is not true after this many heads.
    FalseDeclaration {
        /// The heads of the run up to there.
        heads: u64,
    },
}

impl Display for LawError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible => f.write_str("the condition has probability zero"),
            Self::NeverHalts => f.write_str("the run never ends: its coin is certain"),
            Self::Undecided => f.write_str("the highest working precision does not tell"),
            Self::TooManyOutcomes => f.write_str("there are too many outcomes to list"),
            Self::Irrational => f.write_str("the law is not known as a list of rational numbers"),
            Self::UnboundedCost { at_least } => {
                let at_least = Bracket::exact(at_least.clone());
                write!(
                    f,
                    "no upper bound of the expected fair bits is known; at least {at_least:.9}"
                )
            }
            Self::BrokenPromise => f.write_str("what is promised of a coin is not true of it"),
            Self::FalseDeclaration { heads } => {
                write!(f, "what is declared of the cost does not hold after {heads} heads")
            }
        }
    }
}

impl Error for LawError {}
