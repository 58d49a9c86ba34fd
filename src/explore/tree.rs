use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{Debug, Write};

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::tape::{Tape, walk};
use crate::machine::Machine;

/// Runs `machine` on every string of fair bits, to `depth` bits.
///
/// One run for each leaf and each open node; memory O(depth) for the walk and 8 bytes for each of them. A machine of
/// constant width, such as a coin or a die, can be explored thousands of bits deep; one whose tree branches, to a few
/// dozen.
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
    let depth = depth as usize;
    let mut tree =
        Tree { outcomes: Vec::new(), counts: Vec::new(), ends: Vec::new(), depth, alike: true };
    let alike = walk(machine, Tape::new(depth, false), |path, answer| tree.add(path.len(), answer));
    tree.alike = alike;
    tree
}

/// The decision tree of a machine to some depth, with exact masses. Made by [`explore`].
#[derive(Clone, Debug)]
pub struct Tree<T> {
    /// Each outcome once, in the order of its first leaf.
    outcomes: Vec<T>,
    /// For each outcome the number of its leaves at each depth.
    counts: Vec<Vec<u64>>,
    /// The leaves and open nodes from left to right: depth, and the outcome's index if there is one.
    ends: Vec<(u32, Option<u32>)>,
    depth: usize,
    alike: bool,
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

impl<T: PartialEq> Tree<T> {
    #[allow(clippy::cast_possible_truncation, reason = "depth and outcomes are counted in u32")]
    fn add(&mut self, depth: usize, answer: Option<T>) {
        let index = answer.map(|answer| {
            // Neighbouring leaves often agree, so the search starts at the last outcome.
            let found = self.outcomes.iter().rposition(|known| *known == answer);
            found.unwrap_or_else(|| {
                self.outcomes.push(answer);
                self.counts.push(Vec::new());
                self.outcomes.len() - 1
            })
        });
        if let Some(index) = index {
            let counts = &mut self.counts[index];
            if counts.len() <= depth {
                counts.resize(depth + 1, 0);
            }
            counts[depth] += 1;
        }
        self.ends.push((depth as u32, index.map(|index| index as u32)));
    }

    /// The mass of the leaves that answer `outcome`: a lower bound of its probability.
    #[must_use]
    pub fn mass(&self, outcome: &T) -> BigRational {
        let index = self.outcomes.iter().position(|known| known == outcome);
        index.map_or_else(BigRational::zero, |index| mass(&self.counts[index]))
    }

    /// The number of leaves at exactly `depth` bits that answer `outcome`.
    #[must_use]
    pub fn count(&self, outcome: &T, depth: u32) -> u64 {
        let index = self.outcomes.iter().position(|known| known == outcome);
        index.and_then(|index| self.counts[index].get(depth as usize).copied()).unwrap_or(0)
    }
}

impl<T> Tree<T> {
    /// The outcomes that were seen, each once.
    #[must_use]
    pub fn outcomes(&self) -> &[T] {
        &self.outcomes
    }

    /// The depth that was asked for, in fair bits.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "it was a u32")]
    pub const fn depth(&self) -> u32 {
        self.depth as u32
    }

    /// How many ends the tree has: leaves and open nodes, one run each.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Whether every run that was repeated asked and answered as before. If not, the machine draws chance from elsewhere,
    /// or remembers, and the tree says nothing of it.
    #[must_use]
    pub const fn is_reproducible(&self) -> bool {
        self.alike
    }

    /// The mass of the nodes that are still open at the full depth: P(more than depth bits).
    #[must_use]
    pub fn open(&self) -> BigRational {
        self.open_after(self.depth())
    }

    /// P(more than `depth` bits); beyond the depth of the tree, what is open there.
    #[must_use]
    pub fn open_after(&self, depth: u32) -> BigRational {
        let depth = (depth as usize).min(self.depth);
        let open = self.open_nodes().swap_remove(depth);
        BigRational::new(open.into(), BigInt::one() << depth)
    }

    /// Σ P(more than k bits) over k below the depth: the expected fair bits if nothing is open, else a lower bound.
    #[must_use]
    pub fn expected_bits(&self) -> BigRational {
        let nodes = self.open_nodes();
        // Horner's rule: term k is nodes(k)·2^-k, and the last k is depth − 1.
        let sum = nodes[..self.depth].iter().fold(BigUint::zero(), |sum, open| (sum << 1) + open);
        BigRational::new(BigInt::from(sum << 1), BigInt::one() << self.depth)
    }

    /// The number of open nodes at each depth from 0: N(0) = 1 before its leaves, N(k) = 2·N(k−1) − leaves at k.
    fn open_nodes(&self) -> Vec<BigUint> {
        let mut leaves = vec![0u64; self.depth + 1];
        for (depth, outcome) in &self.ends {
            leaves[*depth as usize] += u64::from(outcome.is_some());
        }
        let mut open = BigUint::one();
        let mut nodes = Vec::with_capacity(self.depth + 1);
        for (depth, &leaves) in leaves.iter().enumerate() {
            if depth > 0 {
                open <<= 1;
            }
            open -= BigUint::from(leaves).min(open.clone());
            nodes.push(open.clone());
        }
        nodes
    }

    /// The leaves and open nodes from left to right, tails before heads.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf<'_, T>> {
        let mut prefix: Vec<bool> = Vec::new();
        self.ends.iter().enumerate().map(move |(place, &(depth, index))| {
            if place > 0 {
                // The next string to the right: drop the heads at the end, turn the last tails into heads.
                while prefix.pop() == Some(true) {}
                prefix.push(true);
            }
            prefix.resize(depth as usize, false);
            let outcome = index.and_then(|index| self.outcomes.get(index as usize));
            Leaf { prefix: prefix.clone(), outcome }
        })
    }
}

impl<T: Debug> Tree<T> {
    /// The tree in the DOT language of Graphviz: edges T and H, answers in boxes, open nodes as dots.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let name = |prefix: &[bool]| -> String {
            "n".chars().chain(prefix.iter().map(|&bit| if bit { 'H' } else { 'T' })).collect()
        };
        let mut dot = String::from("digraph {\n  node [shape=point];\n");
        let mut last: Vec<bool> = Vec::new();
        for leaf in self.leaves() {
            let prefix = leaf.prefix();
            let shared = prefix.iter().zip(&last).take_while(|(a, b)| a == b).count();
            for depth in shared..prefix.len() {
                let (from, to) = (name(&prefix[..depth]), name(&prefix[..=depth]));
                let side = if prefix[depth] { "H" } else { "T" };
                let _ = writeln!(dot, "  {from} -> {to} [label={side}];");
            }
            let node = name(prefix);
            let _ = match leaf.outcome() {
                Some(outcome) => {
                    let label = alloc::format!("{outcome:?}");
                    writeln!(dot, "  {node} [shape=box, label={label:?}];")
                }
                None => writeln!(dot, "  {node} [shape=none, label=\"…\"];"),
            };
            last = prefix.to_vec();
        }
        dot.push_str("}\n");
        dot
    }
}

/// Σ counts[k]·2^-k.
fn mass(counts: &[u64]) -> BigRational {
    let sum = counts.iter().fold(BigUint::zero(), |sum, &count| (sum << 1) + count);
    BigRational::new(sum.into(), BigInt::one() << counts.len().saturating_sub(1))
}
