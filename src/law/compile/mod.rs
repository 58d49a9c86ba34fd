//! From a law to the optimal machine of that law.
//!
//! Knuth and Yao 1976: on level k of a tree of fair flips stands one leaf for each outcome whose probability has a 1 as its
//! k-th binary digit. No exact tree has fewer open nodes on any level, and so none costs less.
//!
//! A law that is known by brackets may not tell every digit: of exp(−ln 2) no bracket ever says that it is 1/2. So digits are
//! not asked for, but lower bounds. After k levels an outcome has been given A(k) = ⌊2^k·low⌋ nodes' worth of leaves, for a
//! lower bound of its probability p; a bound that is drawn tighter deeper down is made up for by more leaves there. Since
//! A(k)·2^-k → p, the law is exact, and since A(k) ≥ 2^k·p − 2 wherever the bracket is narrower than a leaf, an undecided
//! digit costs one open node and nothing else. Where all are decided it is the tree of Knuth and Yao.

mod chain;
mod masses;
mod table;

use alloc::boxed::Box;
use core::fmt::{self, Debug, Formatter};

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use self::chain::{Chain, End};
use self::masses::Masses;
use self::table::Table;
use super::bracket::Bracket;
use super::cost::Cost;
use super::ends::dyadic;
use super::error::LawError;
use super::known::KnownLaw;
use super::optimal;
use super::outcomes::Law;
use super::tail::Tail;
use crate::bits::{BitSource, Node};
use crate::machine::Machine;
use crate::ratio::Leading;

/// The levels whose leaves are known beforehand.
const CACHED: u32 = 64;

/// The optimal machine of a known law. Created by [`KnownLaw::compile`]; see its documentation.
#[derive(Clone)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Compiled<M, T> {
    machine: M,
    masses: Masses<T>,
    walk: Walk<T>,
}

/// How the cached levels are walked.
#[derive(Clone)]
enum Walk<T> {
    /// One outcome, for certain.
    Certain,
    /// Two outcomes, the second before the first: a digit looks its answer up, since which it is cannot be foretold.
    Chain(Chain, [T; 2]),
    /// More, or an endless list.
    Table(Box<Table>),
}

impl<M: KnownLaw> Compiled<M, M::Output>
where
    M::Output: Clone + PartialEq,
{
    pub(super) fn new(machine: M) -> Result<Self, LawError> {
        let masses = Masses::of(&machine, CACHED)?;
        let walk = match (masses.outcomes(), masses.is_finite()) {
            ([_], true) => Walk::Certain,
            ([first, second], true) => {
                Walk::Chain(Chain::new(&masses), [second.clone(), first.clone()])
            }
            _ => Walk::Table(Box::new(Table::new(&masses))),
        };
        Ok(Self { machine, masses, walk })
    }

    /// For two outcomes: the digits of the probability of the first that are known, and the outcome.
    pub(crate) fn digits(&self) -> Option<(&Leading, &M::Output)> {
        match &self.walk {
            Walk::Chain(chain, [_, first]) => Some((chain.first(), first)),
            _ => None,
        }
    }

    /// The answer after tails on all those digits.
    pub(crate) fn try_following<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Result<M::Output, B::Error> {
        match &self.walk {
            Walk::Chain(chain, answers) => self.try_end(chain.try_undecided(bits)?, answers, bits),
            _ => self.try_sample(bits), // not asked
        }
    }

    /// The answer at the end of a chain.
    #[inline]
    fn try_end<B: BitSource + ?Sized>(
        &self,
        end: End,
        answers: &[M::Output; 2],
        bits: &mut B,
    ) -> Result<M::Output, B::Error> {
        match end {
            End::Leaf(digit) => Ok(answers[usize::from(digit)].clone()),
            End::Open { level, node } => self.try_below(level, node, bits),
        }
    }

    /// Out of line, so that a coin's few instructions are not lost among these.
    fn try_table<B: BitSource + ?Sized>(
        &self,
        table: &Table,
        bits: &mut B,
    ) -> Result<M::Output, B::Error> {
        match table.try_walk(bits)? {
            Node::Leaf(index) => Ok(self.masses.outcomes()[index].clone()),
            Node::Open(open) => self.try_below(table.last(), open, bits),
        }
    }

    /// Goes on from an open node, a block of levels at a time, each twice as deep as the one before.
    ///
    /// Every level takes a flip, whatever the law has to say, so a budget stops it. The law is asked once for each doubling
    /// of the depth, and the answer does not depend on how the walk came here: the machine is the same on every string.
    #[cold]
    #[inline(never)]
    fn try_below<B: BitSource + ?Sized>(
        &self,
        mut level: u32,
        open: usize,
        bits: &mut B,
    ) -> Result<M::Output, B::Error> {
        let mut before = Masses::root();
        let mut now = self.masses.clone();
        let mut node = BigUint::from(open);
        loop {
            while level < now.level() {
                level += 1;
                node = (node << 1u32) + u8::from(!bits.try_bit()?);
                for (index, outcome) in now.outcomes().iter().enumerate() {
                    let leaves = BigUint::from(now.leaves(&before, index, level));
                    if node < leaves {
                        return Ok(outcome.clone());
                    }
                    node -= leaves;
                }
            }
            before = now.clone();
            now.deepen(&self.machine);
        }
    }

    /// The numbers of open nodes after 0, 1, … levels, as Σ N(k)·2^-k up to `depth` levels, and N(depth).
    fn open_nodes(&self, depth: u32) -> (BigRational, BigUint) {
        let mut before = Masses::root();
        let mut now = self.masses.clone();
        let (mut open, mut sum) = (BigUint::one(), BigUint::zero());
        for level in 1..=depth {
            if level > now.level() {
                before = now.clone();
                now.deepen(&self.machine);
            }
            sum = (sum << 1u32) + &open;
            let leaves: u64 =
                (0..now.outcomes().len()).map(|i| now.leaves(&before, i, level)).sum();
            open = (open << 1u32) - leaves;
        }
        (dyadic(BigInt::from(sum << 1u32), depth.into()), open)
    }
}

impl<M: KnownLaw> Machine for Compiled<M, M::Output>
where
    M::Output: Clone + PartialEq,
{
    type Output = M::Output;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<M::Output, B::Error> {
        match &self.walk {
            Walk::Chain(chain, answers) => self.try_end(chain.try_walk(bits)?, answers, bits),
            Walk::Certain => Ok(self.masses.outcomes()[0].clone()),
            Walk::Table(table) => self.try_table(table, bits),
        }
    }
}

impl<M: KnownLaw> KnownLaw for Compiled<M, M::Output>
where
    M::Output: Clone + PartialEq,
{
    fn law_at(&self, places: u32) -> Result<Law<M::Output>, LawError> {
        self.machine.law_at(places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        if let Some(weights) = self.masses.weights() {
            if let [p, _] = weights {
                return Ok(optimal::coin_cost(p));
            }
            let finer = places.saturating_add(weights.len().ilog2());
            let parts = weights.iter().map(|p| optimal::share_of(p, finer));
            return Ok(Cost::within(&parts.fold(Bracket::zero(), |sum, part| sum.plus(&part))));
        }
        let outcomes = self.masses.outcomes().len();
        let depth = places.saturating_add(outcomes.ilog2() + 3);
        let (low, open) = self.open_nodes(depth);
        if open.is_zero() {
            return Ok(Cost::within(&Bracket::exact(low)));
        }
        if !self.masses.is_finite() {
            return Ok(Cost::at_least(low));
        }
        // Each outcome still has to be given less than two nodes' worth on every level: 4·2^-depth for it in all.
        let left = dyadic(BigInt::from(4 * outcomes), depth.into());
        let high = &low + left;
        Ok(Cost::within(&Bracket::ordered(low, high)))
    }

    fn tail(&self) -> Tail {
        let weights = self.masses.weights();
        let last = |weights: &[BigRational]| {
            weights.iter().try_fold(0, |last: u64, p| Some(last.max(optimal::exponent(p)?)))
        };
        match weights.and_then(last) {
            Some(last) => Tail::Bounded(last),
            None if self.masses.is_finite() => Tail::Exponential,
            None => Tail::AlmostSure,
        }
    }
}

impl<M: Debug, T> Debug for Compiled<M, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("machine", &self.machine).finish_non_exhaustive()
    }
}
