//! The optimal tree of Knuth and Yao, level by level.

use alloc::vec;
use alloc::vec::Vec;

use super::whole::Whole;
use crate::bits::BitSource;
use crate::ratio::double;

/// The first levels of the tree as tables.
///
/// On level k stands one leaf of outcome i for each binary digit k of p_i = w_i/W that is 1, so the outcome gets Σ 2^-k = p_i.
/// The nodes of a level are numbered from 0: the leaves first, in the order of their outcomes, then the open nodes. The
/// children of open node v are 2v (heads) and 2v + 1 (tails) on the next level. After level k there are
/// N_k = Σ_i frac(2^k p_i) open nodes, fewer than there are positive weights; no exact tree has fewer on any level.
#[derive(Clone)]
pub(crate) struct Levels {
    /// What the first few flips lead to, for [`BitSource::try_code`]: see [`step`].
    first: Vec<u32>,
    /// For each level from 0, the end of its leaves in `leaves`.
    ends: Vec<usize>,
    leaves: Vec<u32>,
}

impl Levels {
    /// The levels down to the last leaf, or to where fewer than one sample in 256·n goes on, so that the work below, a pass
    /// over all weights for each level, does not count. That is at most level 2·26 + 8.
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
        while open > 0 && !rare(open, n, ends.len()) {
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
        let mut levels = Self { first: Vec::new(), ends, leaves };
        levels.fill_first(n);
        levels
    }

    /// Looks up where each string of a few more flips than log2 n leads.
    fn fill_first(&mut self, n: usize) {
        let wanted = (n.max(1).ilog2() as usize + 3).clamp(MIN_FLIPS, MAX_FLIPS);
        let depth = wanted.min(self.ends.len() - 1);
        let mut first = vec![0; 1 << depth];
        for (word, entry) in first.iter_mut().enumerate() {
            let (mut node, mut start) = (0, 0);
            for (flips, &end) in self.ends.iter().enumerate().take(depth + 1) {
                if let Some(&outcome) = self.leaves[start..end].get(node) {
                    *entry = step::leaf(outcome, flips);
                    break;
                }
                node -= end - start;
                start = end;
                if flips == depth {
                    *entry = step::open(node, flips);
                }
                node = 2 * node + usize::from(word >> flips & 1 == 0);
            }
        }
        self.first = first;
    }

    /// Walks down from the root.
    #[inline]
    pub(crate) fn try_choose<B: BitSource + ?Sized>(
        &self,
        weights: &Whole,
        bits: &mut B,
    ) -> Result<usize, B::Error> {
        let entry = bits.try_code(&self.first)?;
        if step::is_leaf(entry) {
            return Ok(step::value(entry));
        }
        self.try_walk_on(entry, weights, bits)
    }

    /// Goes on from an open node that the first flips have led to.
    #[inline]
    fn try_walk_on<B: BitSource + ?Sized>(
        &self,
        entry: u32,
        weights: &Whole,
        bits: &mut B,
    ) -> Result<usize, B::Error> {
        let (mut open, level) = (step::value(entry), step::level(entry));
        for range in self.ends.get(level..).unwrap_or_default().windows(2) {
            let node = 2 * open + usize::from(!bits.try_bit()?);
            let leaves = self.leaves.get(range[0]..range[1]).unwrap_or_default();
            if let Some(&outcome) = leaves.get(node) {
                return Ok(outcome as usize);
            }
            open = node - leaves.len();
        }
        for level in self.ends.len() - 1.. {
            match walk(open, level, bits.try_bits(1)?, 1, weights) {
                Node::Leaf(outcome) => return Ok(outcome),
                Node::Open(node) => open = node,
            }
        }
        Ok(0) // not reached: levels do not end
    }
}

const MIN_FLIPS: usize = 6;
const MAX_FLIPS: usize = 14;

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

/// A node of the tree: an outcome, or the number of an open node of its level.
pub(crate) enum Node {
    Leaf(usize),
    Open(usize),
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

/// An entry of the table of first flips: how many flips it takes (5 bits), whether they end in a leaf (1 bit), and which
/// outcome or open node that is (26 bits).
mod step {
    use crate::bits::code_length;

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a few flips, and an outcome or a node below MOST"
    )]
    const fn pack(value: usize, leaf: bool, flips: usize) -> u32 {
        (value as u32) << 6 | (leaf as u32) << 5 | flips as u32
    }

    pub(super) const fn leaf(outcome: u32, flips: usize) -> u32 {
        pack(outcome as usize, true, flips)
    }

    pub(super) const fn open(node: usize, flips: usize) -> u32 {
        pack(node, false, flips)
    }

    #[inline]
    pub(super) const fn is_leaf(entry: u32) -> bool {
        entry & 32 != 0
    }

    #[inline]
    pub(super) const fn value(entry: u32) -> usize {
        (entry >> 6) as usize
    }

    #[inline]
    pub(super) const fn level(entry: u32) -> usize {
        code_length(entry) as usize
    }
}

/// Whether fewer than one sample in 256·n goes on, there being `open` nodes on the last of `levels` levels.
fn rare(open: usize, n: usize, levels: usize) -> bool {
    levels >= 64 || (open as u128).saturating_mul(n as u128 * 256) >> (levels - 1) == 0
}
