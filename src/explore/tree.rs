use alloc::vec::Vec;

use num_rational::BigRational;

use super::explorer::Explorer;
use super::tally::Tally;
use super::tape::Fault;
use crate::law::Bracket;
use crate::machine::Machine;

/// Runs `machine` on every string of fair bits, to `depth` bits.
///
/// One run for each leaf and each open node. A machine of constant width, such as a coin or a die, can be explored
/// thousands of bits deep; one whose tree branches, to a few dozen. [`Explorer`] has a form that keeps no leaves, and one
/// that stops at a number of runs.
///
/// ```
/// use buffon::{Rational, explore};
/// use num_rational::BigRational;
///
/// let tree = explore(&Rational::<u64>::new(1, 3)?, 4);
/// let q = |a: i64, b: i64| BigRational::new(a.into(), b.into());
/// assert_eq!(tree.mass(&true), q(5, 16)); // 1/4 + 1/16
/// assert_eq!(tree.open(), q(1, 16)); // so 5/16 <= P(heads) <= 6/16
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
pub fn explore<M: Machine>(machine: &M, depth: u32) -> Tree<M::Output>
where
    M::Output: PartialEq,
{
    Explorer::new(depth).tree(machine)
}

/// The decision tree of a machine to some depth, with exact masses: a [`Tally`] and the leaves themselves. Made by
/// [`explore`] and [`Explorer::tree`].
#[derive(Clone, Debug)]
pub struct Tree<T> {
    tally: Tally<T>,
    /// The leaves and open nodes from left to right: depth, and the outcome's index plus one, or 0 where it is open.
    ends: Vec<(u32, u32)>,
}

/// One end of the tree: a string of bits, and the answer that the machine gives on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf<'a, T> {
    prefix: Vec<bool>,
    outcome: Option<&'a T>,
}

impl<'a, T> Leaf<'a, T> {
    /// The bits that lead here, first flip first; `true` is heads.
    #[must_use]
    pub fn prefix(&self) -> &[bool] {
        &self.prefix
    }

    /// The answer, or `None` where the machine asks for more bits than the depth allows.
    #[must_use]
    pub const fn outcome(&self) -> Option<&'a T> {
        self.outcome
    }
}

/// Methods of the tally that a tree has too.
macro_rules! of_tally {
    ($(#[doc = $doc:literal] $name:ident($($arg:ident: $kind:ty),*) -> $out:ty;)+) => {$(
        #[doc = $doc]
        #[must_use]
        pub fn $name(&self $(, $arg: $kind)*) -> $out {
            self.tally.$name($($arg),*)
        }
    )+};
}

impl<T: PartialEq> Tree<T> {
    of_tally! {
        /// The mass of the leaves that answer `outcome`: a lower bound of its probability.
        mass(outcome: &T) -> BigRational;
        /// The bracket of P(outcome): its mass, and its mass with all that is open.
        probability(outcome: &T) -> Bracket;
        /// The number of leaves at exactly `depth` bits that answer `outcome`.
        count(outcome: &T, depth: u32) -> u64;
    }
}

impl<T> Tree<T> {
    pub(super) const fn new(tally: Tally<T>, ends: Vec<(u32, u32)>) -> Self {
        Self { tally, ends }
    }

    /// The leaves counted by outcome and depth, with all that can be concluded from them.
    #[must_use]
    pub const fn tally(&self) -> &Tally<T> {
        &self.tally
    }

    of_tally! {
        /// The outcomes that were seen, each once.
        outcomes() -> &[T];
        /// The depth explored, in fair bits.
        depth() -> u32;
        /// How many ends the tree has: leaves and open nodes, one run each.
        runs() -> u64;
        /// What makes the figures worthless, if anything does.
        fault() -> Option<Fault>;
        /// Whether no [`fault`](Self::fault) was found.
        is_reproducible() -> bool;
        /// The mass of the nodes that are still open at the full depth: P(more than depth bits).
        open() -> BigRational;
        /// P(more than `depth` bits); beyond the depth explored, what is open there.
        open_after(depth: u32) -> BigRational;
        /// Σ P(more than k bits) over k below the depth: the expected fair bits if nothing is open, else a lower bound.
        expected_bits() -> BigRational;
    }

    /// The depth and the outcome's number of each end, from left to right.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        self.ends.iter().map(|&(depth, index)| (depth as usize, (index as usize).checked_sub(1)))
    }

    /// The leaves and open nodes from left to right, tails before heads.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf<'_, T>> {
        let mut prefix: Vec<bool> = Vec::new();
        self.ends().enumerate().map(move |(place, (depth, index))| {
            if place > 0 {
                // The next string to the right: drop the heads at the end, turn the last tails into heads.
                while prefix.pop() == Some(true) {}
                prefix.push(true);
            }
            prefix.resize(depth, false);
            let outcome = index.and_then(|index| self.outcomes().get(index));
            Leaf { prefix: prefix.clone(), outcome }
        })
    }
}
