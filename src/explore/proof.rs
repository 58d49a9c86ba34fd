use alloc::boxed::Box;
use core::array;
use core::error::Error;
use core::fmt::{self, Display, Formatter};

use num_rational::BigRational;
use num_traits::Zero;

use super::polynomial::Polynomial;
use super::tape::Fault;

/// A proof, for all probabilities, that a machine of letters has the law it should have, within an open mass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<const N: usize> {
    pub(super) width: Polynomial<N>,
}

impl<const N: usize> Proof<N> {
    /// The open mass: by so much the law may still differ, at any probabilities.
    #[must_use]
    pub const fn width(&self) -> &Polynomial<N> {
        &self.width
    }

    /// Whether nothing is open: the law is proved equal.
    #[must_use]
    pub fn is_equality(&self) -> bool {
        self.width.is_zero()
    }
}

impl<const N: usize> Display for Proof<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_equality() {
            return f.write_str("proved equal for all probabilities");
        }
        let half = array::from_fn(|_| BigRational::new(1.into(), 2.into()));
        let at_half = self.width.at(&half);
        write!(
            f,
            "proved for all probabilities, within the open mass ({at_half} where all are 1/2)"
        )
    }
}

/// Why a law was not proved for all probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotProved<const N: usize> {
    /// The exploration says nothing.
    Fault(Fault),
    /// The denominator of the target is not shown to be at least zero, or it is zero everywhere.
    Denominator,
    /// Neither proved nor refuted: see [`Sign::Undecided`](super::Sign::Undecided).
    Undecided,
    /// Refuted: the target is missed for these probabilities.
    Refuted(Box<Witness<N>>),
}

/// Probabilities for which a law is not the one it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness<const N: usize> {
    pub(super) at: [BigRational; N],
    pub(super) found: BigRational,
    pub(super) is_least: bool,
    pub(super) target: [BigRational; 2],
}

impl<const N: usize> Witness<N> {
    /// The probabilities of the letters.
    #[must_use]
    pub const fn at(&self) -> &[BigRational; N] {
        &self.at
    }

    /// The bound of P(outcome) there that misses the target.
    #[must_use]
    pub const fn found(&self) -> &BigRational {
        &self.found
    }

    /// Whether it is a lower bound, more than the target; else it is an upper bound, less than the target.
    #[must_use]
    pub const fn is_least(&self) -> bool {
        self.is_least
    }
}

impl<const N: usize> Display for Witness<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("where the coins have probability ")?;
        for (place, p) in self.at.iter().enumerate() {
            write!(f, "{}{p}", if place == 0 { "" } else { ", " })?;
        }
        let end = if self.is_least { "least" } else { "most" };
        write!(f, ", the outcome has at {end} {}, target ", self.found)?;
        let [num, den] = &self.target;
        if den.is_zero() { write!(f, "{num}/0") } else { write!(f, "{}", num / den) }
    }
}

impl<const N: usize> Display for NotProved<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Denominator => {
                f.write_str("the target's denominator is not shown to be positive")
            }
            Self::Undecided => f.write_str("neither proved nor refuted for all probabilities"),
            Self::Refuted(witness) => write!(f, "{witness}"),
        }
    }
}

impl<const N: usize> Error for NotProved<N> {}
