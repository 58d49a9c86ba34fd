//! Three outcomes and more: the leaves of the first levels as a table.

use alloc::vec::Vec;

use num_integer::Integer;
use num_traits::ToPrimitive;

use super::masses::Masses;
use super::{CACHED, End, Place};
use crate::bits::BitSource;

/// The leaves of the first levels, in the order of their outcomes on each.
///
/// The nodes of a level are numbered from 0, leaves first, then those that go on. The children of open node v are 2v (heads)
/// and 2v + 1 (tails) on the next level.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// For each level from 1, the end of its leaves in `leaves`.
    ends: Vec<usize>,
    leaves: Vec<usize>,
    /// The cumulative weights as whole numbers, if a source may be asked for a roll below the last of them.
    rolls: Option<Vec<u64>>,
}

impl Table {
    /// The levels down to the last leaf, or to where fewer than one sample in 2^40 goes on.
    pub(super) fn new<T: PartialEq>(masses: &Masses<T>) -> Self {
        let root = Masses::<T>::root();
        let (mut ends, mut leaves) = (Vec::new(), Vec::new());
        let mut open = 1u64;
        for level in 1..=CACHED {
            if open == 0 || open >> level.saturating_sub(41) == 0 {
                break;
            }
            let start = leaves.len();
            for outcome in 0..masses.outcomes().len() {
                for _ in 0..masses.leaves(&root, outcome, level) {
                    leaves.push(outcome);
                }
            }
            open = (2 * open).saturating_sub((leaves.len() - start) as u64);
            ends.push(leaves.len());
        }
        Self { ends, leaves, rolls: rolls(masses) }
    }

    #[inline]
    pub(super) fn try_walk<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<End, B::Error> {
        if bits.answers_ratios() {
            if let Some(ends) = &self.rolls {
                let roll = bits.try_below(ends.last().copied().unwrap_or(0))?;
                return Ok(End::Leaf(ends.partition_point(|&end| end <= roll)));
            }
        }
        let (mut node, mut start, mut level) = (0, 0, 0);
        for &end in &self.ends {
            level += 1;
            node = 2 * node + usize::from(!bits.try_bit()?);
            if let Some(&outcome) = self.leaves.get(start..end).and_then(|level| level.get(node)) {
                return Ok(End::Leaf(outcome));
            }
            node = (node + start).saturating_sub(end);
            start = end;
        }
        Ok(End::Below(Place::node(level, node)))
    }
}

/// The cumulative weights over their common denominator.
fn rolls<T>(masses: &Masses<T>) -> Option<Vec<u64>> {
    let weights = masses.weights()?;
    let total = weights.iter().try_fold(1u64, |total, p| {
        let den = p.denom().to_u64()?;
        (total / total.gcd(&den)).checked_mul(den)
    })?;
    let mut end = 0;
    let ends = weights.iter().map(|p| {
        end += p.numer().to_u64()? * (total / p.denom().to_u64()?);
        Some(end)
    });
    ends.collect()
}
