//! The small typed errors: what a constructor refuses, and what a finite source runs out of.

use core::error::Error;
use core::fmt::{self, Display, Formatter};

/// Why a number is not a probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProbabilityError {
    /// The denominator is zero.
    ZeroDenominator,
    /// The value is below zero, or its denominator is.
    Negative,
    /// The value is above one.
    AboveOne,
    /// The floating-point value is a NaN or an infinity.
    NotFinite,
}

impl Display for ProbabilityError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZeroDenominator => "a probability needs a denominator other than zero",
            Self::Negative => "a probability must not be negative",
            Self::AboveOne => "a probability must be at most one",
            Self::NotFinite => "a probability must be a finite number",
        })
    }
}

impl Error for ProbabilityError {}

/// Why a machine cannot be made with these parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParameterError {
    /// A denominator is zero.
    ZeroDenominator,
    /// The parameter is above the range in which the machine has its law.
    TooLarge,
    /// The parameter is below the range in which the machine has its law.
    TooSmall,
    /// With these parameters the machine would never answer.
    NeverEnds,
    /// With these parameters the machine would end, but after infinitely many fair bits in expectation.
    InfiniteMean,
}

impl Display for ParameterError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZeroDenominator => "a parameter needs a denominator other than zero",
            Self::TooLarge => "a parameter is above its range",
            Self::TooSmall => "a parameter is below its range",
            Self::NeverEnds => "with these parameters the machine would never answer",
            Self::InfiniteMean => "with these parameters the expected fair bits are infinite",
        })
    }
}

impl Error for ParameterError {}

/// A die was asked for with no side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZeroSides;

impl Display for ZeroSides {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a die needs at least one side")
    }
}

impl Error for ZeroSides {}

/// Why rolls of one die cannot be taken from rolls of another by powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PowerError {
    /// A die has no side.
    ZeroSides,
    /// A die has a single side, and all its powers are the same.
    OneSide,
    /// There are more results that are wanted than results of the given rolls.
    TooFewRolls,
    /// The results are more than 2^64.
    TooLarge,
}

impl Display for PowerError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZeroSides => "a die needs at least one side",
            Self::OneSide => "the powers of a single side are all the same",
            Self::TooFewRolls => "so few rolls have too few results",
            Self::TooLarge => "so many rolls have more than 2^64 results",
        })
    }
}

impl Error for PowerError {}

/// A die has fewer than 2 or more than 2^32 sides, which a [`Transmuter`](crate::Transmuter) does not convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SidesOutOfRange {
    pub(crate) sides: u64,
}

impl SidesOutOfRange {
    /// The number of sides that was asked for.
    #[must_use]
    pub const fn sides(&self) -> u64 {
        self.sides
    }
}

impl Display for SidesOutOfRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a die to be transmuted needs 2 to 2^32 sides, not {}", self.sides)
    }
}

impl Error for SidesOutOfRange {}

/// A roll is not a side of the die that it is said to come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RollOutOfRange {
    pub(crate) roll: u64,
    pub(crate) sides: u64,
}

impl RollOutOfRange {
    /// The roll.
    #[must_use]
    pub const fn roll(&self) -> u64 {
        self.roll
    }

    /// The number of sides, which the roll should be below.
    #[must_use]
    pub const fn sides(&self) -> u64 {
        self.sides
    }
}

impl Display for RollOutOfRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a side of a die of {} sides, from 0 up", self.roll, self.sides)
    }
}

impl Error for RollOutOfRange {}

/// Why a list of weights is not a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WeightError {
    /// There is no weight at all.
    Empty,
    /// Every weight is zero.
    AllZero,
    /// The weight at this index is negative.
    Negative {
        /// Which weight.
        index: usize,
    },
    /// The weight at this index is a NaN or an infinity.
    NotFinite {
        /// Which weight.
        index: usize,
    },
    /// The rational weight at this index has a zero denominator.
    ZeroDenominator {
        /// Which weight.
        index: usize,
    },
    /// An update names an index that does not exist.
    NoSuchIndex {
        /// Which weight.
        index: usize,
    },
    /// Brought to whole numbers without a common factor, the weights add up to more than `u128::MAX`.
    Overflow,
    /// There are more than 2^26 weights.
    TooMany,
}

impl Display for WeightError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no weights to choose among"),
            Self::AllZero => f.write_str("every weight is zero"),
            Self::Negative { index } => write!(f, "weight {index} is negative"),
            Self::NotFinite { index } => write!(f, "weight {index} is not a finite number"),
            Self::ZeroDenominator { index } => write!(f, "weight {index} has a zero denominator"),
            Self::NoSuchIndex { index } => write!(f, "there is no weight {index} to update"),
            Self::Overflow => {
                f.write_str("the weights, as whole numbers, add up to more than 2^128 - 1")
            }
            Self::TooMany => f.write_str("there are more than 2^26 weights"),
        }
    }
}

impl Error for WeightError {}

/// Why a list of cuts does not slice the unit interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceError {
    /// The cut at this index has a zero denominator.
    ZeroDenominator {
        /// Which cut.
        index: usize,
    },
    /// The cut at this index lies below 0 or above 1.
    Outside {
        /// Which cut.
        index: usize,
    },
    /// The cut at this index lies below an earlier one.
    OutOfOrder {
        /// Which cut.
        index: usize,
    },
}

impl Display for SliceError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroDenominator { index } => write!(f, "cut {index} has a zero denominator"),
            Self::Outside { index } => write!(f, "cut {index} is not between 0 and 1"),
            Self::OutOfOrder { index } => write!(f, "cut {index} is below an earlier one"),
        }
    }
}

impl Error for SliceError {}

/// A [`Script`](crate::Script) has no flip left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScriptEnded;

impl Display for ScriptEnded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the script has no flip left")
    }
}

impl Error for ScriptEnded {}

/// A script holds a character that is not a flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotAFlip {
    pub(crate) found: char,
    pub(crate) at: usize,
}

impl NotAFlip {
    /// The character that is not a flip.
    #[must_use]
    pub const fn found(&self) -> char {
        self.found
    }

    /// Its place, counted in characters from zero.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl Display for NotAFlip {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at place {} is not a flip; write T or 0, H or 1", self.found, self.at)
    }
}

impl Error for NotAFlip {}

/// The flips of an unfair coin have come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlipsEnded;

impl Display for FlipsEnded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the unfair coin has no flip left")
    }
}

impl Error for FlipsEnded {}

/// Why blocks of flips would give no fair bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockError {
    /// A block has less than two flips.
    TooShort,
    /// The depth is zero.
    NoDepth,
}

impl Display for BlockError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooShort => "a block needs at least two flips",
            Self::NoDepth => "the depth must be at least one",
        })
    }
}

impl Error for BlockError {}

/// A [`Budget`](crate::Budget) has been used up, or the source beneath it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetError<E> {
    /// All the fair bits that were allowed have been drawn.
    Exhausted,
    /// The source's own error.
    Source(E),
}

impl<E: Display> Display for BudgetError<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted => f.write_str("the budget of fair bits is used up"),
            Self::Source(error) => write!(f, "the source of fair bits failed: {error}"),
        }
    }
}

impl<E: Error + 'static> Error for BudgetError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Exhausted => None,
            Self::Source(error) => Some(error),
        }
    }
}
