//! The optimal tree of Knuth and Yao, level by level.

use alloc::vec::Vec;

use crate::bits::BitSource;
use crate::error::WeightError;

/// The first levels of the tree as a table.
///
/// On level k stands one leaf of outcome i for each binary digit k of p_i = w_i/W that is 1, so the outcome gets Σ 2^-k = p_i.
/// The nodes of a level are numbered from 0: the leaves first, in the order of their outcomes, then the open nodes. The
/// children of open node v are 2v (heads) and 2v + 1 (tails) on the next level. After level k there are
/// N_k = Σ_i frac(2^k p_i) open nodes, fewer than there are positive weights; no exact tree has fewer on any level.
#[derive(Clone)]
pub(crate) struct Levels {
    /// For each level from 0, the end of its leaves in `leaves`.
    ends: Vec<usize>,
    leaves: Vec<u32>,
}

impl Levels {
    /// The levels down to the last leaf, or to where fewer than one sample in 256·n is still open, so that the work below,
    /// a pass over all weights for each level, does not count.
    pub(crate) fn new(weights: &[u128], total: u128) -> Result<Self, WeightError> {
        let mut rests = Vec::new();
        for (index, &weight) in weights.iter().enumerate() {
            if weight > 0 {
                let index = u32::try_from(index).map_err(|_| WeightError::TooMany)?;
                rests.push((index, weight));
            }
        }
        let (mut ends, mut leaves) = (Vec::new(), Vec::new());
        // Level 0 has a leaf only for an outcome that is certain.
        leaves.extend(rests.iter().filter(|(_, weight)| *weight == total).map(|(index, _)| *index));
        ends.push(leaves.len());
        let mut open = 1 - leaves.len().min(1);
        while open > 0 && !rare(open, rests.len(), ends.len()) {
            let start = leaves.len();
            for (index, rest) in &mut rests {
                if double(rest, total) {
                    leaves.push(*index);
                }
            }
            open = (2 * open).saturating_sub(leaves.len() - start);
            ends.push(leaves.len());
        }
        leaves.shrink_to_fit();
        Ok(Self { ends, leaves })
    }

    /// Walks down from the root.
    #[inline]
    pub(crate) fn try_walk<B: BitSource + ?Sized>(
        &self,
        weights: impl Iterator<Item = u128> + Clone,
        total: u128,
        bits: &mut B,
    ) -> Result<usize, B::Error> {
        let (mut node, mut start) = (0, 0);
        for &end in &self.ends {
            if let Some(&outcome) = self.leaves.get(start..end).and_then(|level| level.get(node)) {
                return Ok(outcome as usize);
            }
            node = 2 * (node + start - end) + usize::from(!bits.try_bit()?);
            start = end;
        }
        self.try_walk_below(node, weights, total, bits)
    }

    /// Goes on below the table, from `node` of the first level that is not in it.
    ///
    /// Long division by doubling gives the digits of the level, one weight after another. Nothing is stored, and nothing
    /// exceeds the total.
    #[cold]
    fn try_walk_below<B: BitSource + ?Sized>(
        &self,
        mut node: usize,
        weights: impl Iterator<Item = u128> + Clone,
        total: u128,
        bits: &mut B,
    ) -> Result<usize, B::Error> {
        for level in self.ends.len().. {
            for (outcome, mut rest) in weights.clone().enumerate() {
                for _ in 1..level {
                    double(&mut rest, total);
                }
                if double(&mut rest, total) {
                    if node == 0 {
                        return Ok(outcome);
                    }
                    node -= 1;
                }
            }
            node = 2 * node + usize::from(!bits.try_bit()?);
        }
        Ok(0) // not reached: levels do not end
    }
}

/// The next binary digit of `rest/total`, `rest` becoming what is left: 2·rest or 2·rest − total, formed without overflow.
#[inline]
fn double(rest: &mut u128, total: u128) -> bool {
    let gap = total - *rest;
    let digit = *rest >= gap;
    *rest = if digit { *rest - gap } else { *rest + *rest };
    digit
}

/// Whether fewer than one sample in 256·n goes on, there being `open` nodes on the last of `levels` levels.
fn rare(open: usize, n: usize, levels: usize) -> bool {
    levels > 128 || (open as u128).saturating_mul(n as u128 * 256) >> (levels - 1) == 0
}
