use alloc::vec;
use alloc::vec::Vec;

use super::{BitSource, code_length};

/// The first levels of a tree of fair flips as tables; its leaves are outcomes of small numbers.
///
/// The nodes of a level are numbered from 0: the leaves first, then the open nodes. The children of open node v are 2v
/// (heads) and 2v + 1 (tails) on the next level.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    /// What the first few flips lead to, for [`BitSource::try_code`]: see [`step`].
    first: Vec<u32>,
    /// For each level from 0, the end of its leaves in `leaves`.
    ends: Vec<usize>,
    leaves: Vec<u32>,
}

/// A node of a tree: a leaf of this outcome, or an open node by its number on its level.
pub(crate) enum Node {
    Leaf(usize),
    Open(usize),
}

impl Levels {
    /// The levels whose leaves are these, up to each end; a few more flips than log2 of the number of outcomes, `n`, are
    /// looked up at once.
    pub(crate) fn new(ends: Vec<usize>, leaves: Vec<u32>, n: usize) -> Self {
        let mut levels = Self { first: Vec::new(), ends, leaves };
        let wanted = (n.max(1).ilog2() as usize + 3).clamp(MIN_FLIPS, MAX_FLIPS);
        // An entry names outcomes and nodes up to so many.
        let depth = if n > step::MOST { 0 } else { wanted.min(levels.last()) };
        levels.first = levels.entries(depth);
        levels
    }

    /// The number of the last level.
    #[inline]
    pub(crate) fn last(&self) -> usize {
        self.ends.len().saturating_sub(1)
    }

    /// Where each string of `depth` flips leads.
    fn entries(&self, depth: usize) -> Vec<u32> {
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
        first
    }

    /// Walks down from the root, to a leaf or to an open node of the last level.
    #[inline]
    pub(crate) fn try_walk<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Node, B::Error> {
        let entry = bits.try_code(&self.first)?;
        if step::is_leaf(entry) {
            return Ok(Node::Leaf(step::value(entry)));
        }
        let (mut open, level) = (step::value(entry), step::level(entry));
        for range in self.ends.get(level..).unwrap_or_default().windows(2) {
            let node = 2 * open + usize::from(!bits.try_bit()?);
            let leaves = self.leaves.get(range[0]..range[1]).unwrap_or_default();
            if let Some(&outcome) = leaves.get(node) {
                return Ok(Node::Leaf(outcome as usize));
            }
            open = node - leaves.len();
        }
        Ok(Node::Open(open))
    }
}

const MIN_FLIPS: usize = 6;
const MAX_FLIPS: usize = 14;

/// An entry of the table of first flips: how many flips it takes (5 bits), whether they end in a leaf (1 bit), and which
/// outcome or open node that is (26 bits).
mod step {
    use super::code_length;

    /// The most outcomes that entries can tell apart.
    pub(super) const MOST: usize = 1 << 26;

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
