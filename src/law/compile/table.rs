//! Three outcomes and more: the leaves of the first levels as a table.

use alloc::vec;
use alloc::vec::Vec;

use num_integer::Integer;
use num_traits::ToPrimitive;

use super::CACHED;
use super::masses::Masses;
use crate::bits::{BitSource, Levels, Node, try_halve};

/// The leaves of the first levels, in the order of their outcomes on each.
#[derive(Clone, Debug)]
pub(super) struct Table {
    levels: Levels,
    /// The cumulative weights as whole numbers, if a source may be asked for coins that halve the list.
    weights: Option<Vec<u128>>,
}

impl Table {
    /// The levels down to the last leaf, or to where fewer than one sample in 2^40 goes on.
    #[allow(clippy::cast_possible_truncation, reason = "a list of 2^32 outcomes fits no memory")]
    pub(super) fn new<T: PartialEq>(masses: &Masses<T>) -> Self {
        let (root, n) = (Masses::<T>::root(), masses.outcomes().len());
        let (mut ends, mut leaves) = (vec![0], Vec::new());
        let mut open = 1u64;
        for level in 1..=CACHED {
            if open == 0 || open >> level.saturating_sub(41) == 0 {
                break;
            }
            let start = leaves.len();
            for outcome in 0..n {
                for _ in 0..masses.leaves(&root, outcome, level) {
                    leaves.push(outcome as u32);
                }
            }
            open = (2 * open).saturating_sub((leaves.len() - start) as u64);
            ends.push(leaves.len());
        }
        Self { levels: Levels::new(ends, leaves, n), weights: cumulative(masses) }
    }

    /// The number of the last level.
    #[allow(clippy::cast_possible_truncation, reason = "at most 64")]
    pub(super) fn last(&self) -> u32 {
        self.levels.last() as u32
    }

    /// A leaf, or an open node of the last level.
    #[inline]
    pub(super) fn try_walk<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Node, B::Error> {
        if bits.answers_ratios() {
            if let Some(weights) = &self.weights {
                return try_halve(weights.len(), |index| weights[index], bits).map(Node::Leaf);
            }
        }
        self.levels.try_walk(bits)
    }
}

/// The cumulative weights over their common denominator.
fn cumulative<T>(masses: &Masses<T>) -> Option<Vec<u128>> {
    let weights = masses.weights()?;
    let total = weights.iter().try_fold(1u128, |total, p| {
        let den = p.denom().to_u128()?;
        (total / total.gcd(&den)).checked_mul(den)
    })?;
    let mut end = 0;
    let ends = weights.iter().map(|p| {
        end += p.numer().to_u128()? * (total / p.denom().to_u128()?);
        Some(end)
    });
    ends.collect()
}
