//! A second look, further down than the tree in fair bits goes.

use core::fmt::Debug;

use num_traits::Zero;

use super::deep::exceeds;
use super::finding::Finding;
use super::report::Report;
use crate::explore::{Explorer, Refusal, Target, Tree};
use crate::machine::Machine;

/// A tree that hardly branches is followed to this depth, in fair bits, whatever depth was asked for.
const DEPTH: u32 = 96;

/// A tree with at most so many open nodes hardly branches.
const FEW: u64 = 8;

/// The most runs to that depth.
const RUNS: u64 = 1 << 12;

/// The most questions, and runs, of the exploration through weights.
const QUESTIONS: (u32, u64) = (64, 1 << 9);

/// The most places to which the target is told.
const PLACES: u64 = 256;

/// Looks for contradictions where the tree in fair bits has ended: where that tree is thin, further down; and in any case
/// through weights, where a flip of a rational coin or a roll of a die is one question to the source. A machine must have its
/// law on every source that answers as it should, so either is a proof.
pub(super) fn further<M, A>(
    machine: &M,
    target: &A,
    tree: &Tree<M::Output>,
    most: Option<u64>,
    report: &mut Report<M::Output>,
) where
    M: Machine,
    M::Output: PartialEq + Clone + Debug,
    A: Target<M::Output>,
{
    if tree.open().is_zero() {
        return;
    }
    let thin = tree.tally().open_nodes().last().is_some_and(|open| *open <= FEW.into());
    if thin && tree.depth() < DEPTH {
        let deep = Explorer::new(DEPTH).max_runs(RUNS).tally(machine);
        if let Some(broken) = most.and_then(|most| exceeds(&deep, most)) {
            return report.refuse(Finding::Tail(broken));
        }
        match deep.against(target) {
            Ok(_) | Err(Refusal::Target(_)) => {}
            Err(refusal) => return report.refuse(Finding::Law(refusal)),
        }
    }
    let weighed = Explorer::new(QUESTIONS.0).max_runs(QUESTIONS.1).weigh(machine);
    // A target that is told much finer than the open mass shows nothing more, and may take long to tell.
    let places = match weighed.open() {
        open if open.is_zero() => PLACES,
        open => PLACES.min(open.denom().bits().saturating_sub(open.numer().bits()) + 16),
    };
    match weighed.against(target, u32::try_from(places).unwrap_or(u32::MAX)) {
        Ok(agreement) => report.weighed = Some(agreement),
        Err(Refusal::Target(_)) => {}
        Err(refusal) => report.refuse(Finding::Weighed(refusal)),
    }
}
