//! Evidence from samples of a machine, against its target and its tree.

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::dependence::Dependence;
use super::evidence::{Claim, Evidence, ln_mean};
use crate::bits::{BitSource, Budget, Counted};
use crate::error::BudgetError;
use crate::explore::{Target, Tree, Wanted};
use crate::machine::Machine;

/// More fair bits than a sample may take: it is then taken for stuck.
pub(super) const MOST_BITS: u64 = 1 << 20;

/// Places to which the target is told for evidence, beyond the depth of the tree.
const PRECISION: u32 = 256;

/// A law that is known to so many places is as good as exact: no number of samples notices.
const PLACES: u32 = 40;

/// After so many samples of more than [`MOST_BITS`] no more are drawn.
const MOST_LONG: u64 = 2;

/// So many outcomes have cells of their own, and those of the tree; those seen later share one. Since a cell is split off when
/// its outcome is seen for the first time, and the list is closed once and for all, the evidence stays a martingale.
const MOST_CELLS: usize = 1 << 10;

/// What came of samples.
#[derive(Default)]
pub(super) struct Weighed {
    /// How many were drawn.
    pub(super) drawn: u64,
    /// How many of them took more bits than [`MOST_BITS`].
    pub(super) long: u64,
    /// One took more bits than the machine says it ever takes.
    pub(super) too_long: bool,
    /// ln of the e-value, all evidence being averaged.
    pub(super) ln_e_value: Option<f64>,
}

/// Draws `samples` and weighs them; `most` is the most bits that a sample may take by what the machine says.
///
/// A sample that takes too many bits for anyone to wait has no answer. The answers of the others alone have another law, so
/// they are not weighed then: only answer and number of bits together are, where all long ones are one cell.
pub(super) fn weigh<M, A, B>(
    (machine, target, tree): (&M, &A, &Tree<M::Output>),
    samples: u64,
    most: Option<u64>,
    bits: &mut B,
) -> Result<Weighed, B::Error>
where
    M: Machine,
    M::Output: PartialEq + Clone,
    A: Target<M::Output>,
    B: BitSource,
{
    let mut weighed = Weighed::default();
    let mut seen: Vec<M::Output> = tree.outcomes().to_vec();
    let mut single = Evidence::new(Vec::new());
    let mut rows = Dependence::new(&vec![BigRational::zero(); seen.len()]);
    let mut joint = Joint::new(tree);
    while weighed.drawn < samples && weighed.long < MOST_LONG {
        weighed.drawn += 1;
        let Some((outcome, used)) = one(machine, bits)? else {
            weighed.long += 1;
            joint.add_long();
            continue;
        };
        if most.is_some_and(|most| used > most) {
            weighed.too_long = true;
            return Ok(weighed);
        }
        joint.add(tree, &outcome, used);
        let index = index_of(&mut seen, outcome);
        single.add(index);
        rows.add(index);
    }
    let mut e_values = vec![joint.evidence.ln_e_value()];
    let deep =
        if weighed.long > 0 { None } else { below(machine, tree, samples / 4, &mut seen, bits)? };
    // Only now the target is asked, of all that was seen: an outcome without a count is a factor of 1, so the order does
    // not matter to the martingale.
    let places = tree.depth().saturating_add(PRECISION);
    if let (Ok(wanted), 0) = (target.wanted(&seen, places), weighed.long) {
        let slack: BigRational = seen.iter().map(|x| wanted.probability(x).width()).sum();
        let slack = slack * (BigInt::one() << PLACES);
        if slack <= BigRational::one() {
            let claim = Claim::new(claim(&wanted, &seen));
            e_values.push(rows.against(&claim).ln_e_value());
            e_values.push(single.against(&claim).ln_e_value());
        } else if seen.len() <= 2 {
            let claim = Claim::new(nearest(&wanted, &seen, single.counts()));
            e_values.push(single.against(&claim).ln_e_value());
        }
        if let Some(deep) = deep.filter(|_| slack <= tree.open()) {
            // Below the depth the target is (p − mass)/open.
            let rest = |(p, outcome): (BigRational, &M::Output)| {
                (p - tree.mass(outcome)).max(BigRational::zero()) / tree.open()
            };
            let claim = middles(&wanted, &seen).zip(&seen).map(rest);
            let claim = Claim::new(whole(claim.collect()));
            e_values.push(deep.against(&claim).ln_e_value());
        }
    }
    weighed.ln_e_value = Some(ln_mean(&e_values));
    Ok(weighed)
}

/// One sample and its fair bits; `None` if it took too many.
fn one<M: Machine, B: BitSource>(
    machine: &M,
    bits: &mut B,
) -> Result<Option<(M::Output, u64)>, B::Error> {
    let mut bits = Counted::new(Budget::new(bits, MOST_BITS));
    match machine.try_sample(&mut bits) {
        Ok(outcome) => Ok(Some((outcome, bits.count()))),
        Err(BudgetError::Exhausted) => Ok(None),
        Err(BudgetError::Source(error)) => Err(error),
    }
}

/// The counts of samples that take more bits than the tree is deep; `None` if there are none, or one takes too many bits.
fn below<M, B: BitSource>(
    machine: &M,
    tree: &Tree<M::Output>,
    samples: u64,
    seen: &mut Vec<M::Output>,
    bits: &mut B,
) -> Result<Option<Evidence>, B::Error>
where
    M: Machine,
    M::Output: PartialEq,
{
    let Some(below) = tree.below(machine) else { return Ok(None) };
    let mut deep = Evidence::new(Vec::new());
    for _ in 0..samples {
        match one(&below, bits)? {
            Some((outcome, _)) => deep.add(index_of(seen, outcome)),
            None => return Ok(None),
        }
    }
    Ok(Some(deep))
}

/// The place of an outcome in the list, at the end if it is new; in a full list, the place after the last is that of all others.
fn index_of<T: PartialEq>(seen: &mut Vec<T>, outcome: T) -> usize {
    seen.iter().position(|known| *known == outcome).unwrap_or_else(|| {
        if seen.len() >= MOST_CELLS {
            return seen.len();
        }
        seen.push(outcome);
        seen.len() - 1
    })
}

/// The probabilities of the outcomes, at the middle of their brackets.
fn middles<'a, T: PartialEq>(
    wanted: &'a Wanted<T>,
    seen: &'a [T],
) -> impl Iterator<Item = BigRational> + 'a {
    seen.iter().map(|outcome| {
        let p = wanted.probability(outcome);
        (p.low() + p.high()) / BigRational::from_integer(2.into())
    })
}

/// The law of the outcomes that were seen and, in a last cell, of all others; for brackets so narrow that the middle will do.
fn claim<T: PartialEq>(wanted: &Wanted<T>, seen: &[T]) -> Vec<BigRational> {
    whole(middles(wanted, seen).collect())
}

/// What is missing from a sum of one is put in a last cell; a greater sum is scaled.
fn whole(mut claim: Vec<BigRational>) -> Vec<BigRational> {
    let sum: BigRational = claim.iter().sum();
    if sum > BigRational::one() {
        claim.iter_mut().for_each(|p| *p /= &sum);
    } else {
        claim.push(BigRational::one() - sum);
    }
    claim
}

/// Of the laws of one or two outcomes that a wide bracket allows, the one nearest to the samples: none of them has less
/// evidence against it.
fn nearest<T: PartialEq>(wanted: &Wanted<T>, seen: &[T], counts: &[u64]) -> Vec<BigRational> {
    let all: u64 = counts.iter().sum();
    let count = counts.first().copied().unwrap_or(0);
    let share = BigRational::new(count.into(), all.max(1).into());
    let p = seen.first().map_or_else(BigRational::one, |outcome| {
        let p = wanted.probability(outcome);
        share.max(p.low().clone()).min(p.high().clone())
    });
    let rest = BigRational::one() - &p;
    vec![p, rest]
}

/// Answer and number of bits together, against the exact joint law of the tree: chance from elsewhere does not follow it.
struct Joint {
    evidence: Evidence,
    levels: usize,
    /// The cell of all that is longer.
    rest: usize,
}

/// The levels that are told apart; all others are one cell.
const LEVELS: usize = 20;

impl Joint {
    fn new<T: PartialEq>(tree: &Tree<T>) -> Self {
        let levels = LEVELS.min(tree.depth() as usize);
        let mut claim = Vec::new();
        for (_, counts) in tree.tally().counts() {
            for depth in 0..=levels {
                let count = counts.get(depth).copied().unwrap_or(0);
                claim.push(BigRational::new(count.into(), BigInt::one() << depth));
            }
        }
        let rest = BigRational::one() - claim.iter().sum::<BigRational>();
        claim.push(rest);
        Self { rest: claim.len() - 1, evidence: Evidence::new(claim), levels }
    }

    /// A sample that is longer than any that is told apart.
    fn add_long(&mut self) {
        self.evidence.add(self.rest);
    }

    fn add<T: PartialEq>(&mut self, tree: &Tree<T>, outcome: &T, used: u64) {
        let known = tree.outcomes();
        let rest = self.rest;
        let level = usize::try_from(used).ok().filter(|&level| level <= self.levels);
        let cell = level.map_or(Some(rest), |level| {
            Some(known.iter().position(|x| x == outcome)? * (self.levels + 1) + level)
        });
        // An outcome that the tree does not know, at a level that it does, is impossible.
        self.evidence.add(cell.unwrap_or(rest + 1));
    }
}
