//! The optimal tree of Knuth and Yao, level by level.

use alloc::vec;
use alloc::vec::Vec;

use super::whole::Whole;
use crate::bits::{BitSource, Levels, Node};
use crate::ratio::double;

/// The optimal tree of some weights: its first levels as tables.
///
/// On level k stands one leaf of outcome i for each binary digit k of p_i = w_i/W that is 1, so the outcome gets Σ 2^-k = p_i.
/// After level k there are N_k = Σ_i frac(2^k p_i) open nodes, fewer than there are positive weights; no exact tree has fewer
/// on any level.
#[derive(Clone)]
pub(crate) struct Optimal {
    levels: Levels,
}

impl Optimal {
    /// The levels down to the last leaf, or to where fewer than one sample in 256·n goes on, so that the work below, a pass
    /// over all weights for each level, does not count. That is at most level 2·26 + 8. Few weights get all of 64 levels: an
    /// explorer meets the rare samples as often as the others.
    #[allow(clippy::cast_possible_truncation, reason = "an index below 2^26")]
    pub(crate) fn new(weights: &Whole) -> Self {
        let n = weights.len();
        let (mut ends, mut leaves) = (vec![0], Vec::new());
        let mut open = 1;
        let mut digits = Vec::new();
        match weights.certain() {
            // Only an outcome that is certain has a leaf on level 0.
            Some(certain) => {
                (ends, leaves, open) = (vec![1], vec![certain as u32], 0);
            }
            None => digits.extend(weights.shares(64)),
        }
        while open > 0
            && ends.len() <= 64
            && (!rare(open, n, ends.len()) || leaves.len() + n <= ROOM)
        {
            let (start, level) = (leaves.len(), ends.len());
            // Whether a digit is 1 cannot be foretold, so no branch: each index is written, and kept if its digit is 1.
            leaves.resize(start + n, 0);
            let mut end = start;
            for (index, digits) in (0..).zip(&digits) {
                leaves[end] = index;
                end += (digits >> (64 - level) & 1) as usize;
            }
            leaves.truncate(end);
            open = (2 * open).saturating_sub(end - start);
            ends.push(end);
        }
        leaves.shrink_to_fit();
        Self { levels: Levels::new(ends, leaves, n) }
    }

    /// Walks down from the root.
    #[inline]
    pub(crate) fn try_choose<B: BitSource + ?Sized>(
        &self,
        weights: &Whole,
        bits: &mut B,
    ) -> Result<usize, B::Error> {
        let mut open = match self.levels.try_walk(bits)? {
            Node::Leaf(outcome) => return Ok(outcome),
            Node::Open(open) => open,
        };
        for level in self.levels.last().. {
            match walk(open, level, bits.try_bits(1)?, 1, weights) {
                Node::Leaf(outcome) => return Ok(outcome),
                Node::Open(node) => open = node,
            }
        }
        Ok(0) // not reached: levels do not end
    }
}

/// Where the flips in `word`, the first one lowest, lead from open node `open` of `level`.
///
/// It is not given the source, so that the state of an inlined generator can stay in registers around a call.
#[cold]
#[inline(never)]
pub(crate) fn walk(mut open: usize, level: usize, word: u64, flips: u32, weights: &Whole) -> Node {
    for flip in 0..flips {
        let node = 2 * open + usize::from(word >> flip & 1 == 0);
        match node_at(node, level + 1 + flip as usize, weights) {
            Node::Open(node) => open = node,
            leaf => return leaf,
        }
    }
    Node::Open(open)
}

/// What node number `node` of a level is, by long division, one weight after another.
///
/// Nothing is stored, and nothing exceeds the total.
fn node_at(mut node: usize, level: usize, weights: &Whole) -> Node {
    let total = weights.total();
    for (outcome, mut rest) in weights.weights().enumerate() {
        for _ in 1..level {
            double(&mut rest, &total);
        }
        if double(&mut rest, &total) {
            if node == 0 {
                return Node::Leaf(outcome);
            }
            node -= 1;
        }
    }
    Node::Open(node)
}

/// So many leaves are kept in any case.
const ROOM: usize = 1 << 15;

/// Whether fewer than one sample in 256·n goes on, there being `open` nodes on the last of `levels` levels.
fn rare(open: usize, n: usize, levels: usize) -> bool {
    (open as u128).saturating_mul(n as u128 * 256) >> (levels - 1) == 0
}
