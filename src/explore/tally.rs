use alloc::vec;
use alloc::vec::Vec;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::tape::{Fault, Tape, walk};
use crate::law::Bracket;
use crate::machine::Machine;

/// How often a machine gives each answer after exactly k bits, for each k up to a depth: its law and its cost.
///
/// What [`Tree`](super::Tree) knows but for the leaves themselves, in memory O(depth · outcomes) however many there are.
/// Made by [`Explorer::tally`](super::Explorer::tally).
///
/// ```
/// use buffon::{Explorer, OneOver, parity_of_run};
/// // 1/e in raw bits
/// let tally = Explorer::new(28).tally(&parity_of_run(OneOver::new));
/// assert!(tally.probability(&true).width() < num_rational::BigRational::new(1.into(), 200_000.into()));
/// assert_eq!(tally.runs(), 2517);
/// ```
#[derive(Clone, Debug)]
pub struct Tally<T> {
    /// Each outcome once, in the order of its first leaf.
    outcomes: Vec<T>,
    /// For each outcome the number of its leaves at each depth.
    counts: Vec<Vec<u64>>,
    depth: usize,
    runs: u64,
    fault: Option<Fault>,
}

impl<T: PartialEq> Tally<T> {
    /// Explores to `depth` bits, and tells whether that took at most `most` runs. `show` gets the depth and the index of the
    /// outcome of each end.
    pub(super) fn explore<M: Machine<Output = T>>(
        machine: &M,
        depth: u32,
        most: u64,
        mut show: impl FnMut(usize, Option<usize>),
    ) -> (Self, bool) {
        let (outcomes, counts) = (Vec::new(), Vec::new());
        let mut tally = Self { outcomes, counts, depth: depth as usize, runs: 0, fault: None };
        let mut tape = Tape::new(depth, false);
        let finished = walk(machine, &mut tape, most, |run| {
            let depth = run.path.len();
            tally.runs += 1;
            let index = run.answer.map(|answer| tally.add(depth, answer));
            show(depth, index);
        });
        tally.fault = tape.fault();
        (tally, finished)
    }

    fn add(&mut self, depth: usize, answer: T) -> usize {
        // Neighbouring leaves often agree, so the search starts at the last outcome.
        let found = self.outcomes.iter().rposition(|known| *known == answer);
        let index = found.unwrap_or_else(|| {
            self.outcomes.push(answer);
            self.counts.push(Vec::new());
            self.outcomes.len() - 1
        });
        if let Some(counts) = self.counts.get_mut(index) {
            if counts.len() <= depth {
                counts.resize(depth + 1, 0);
            }
            counts[depth] += 1;
        }
        index
    }

    pub(super) fn of(&self, outcome: &T) -> &[u64] {
        let index = self.outcomes.iter().position(|known| known == outcome);
        index.and_then(|index| self.counts.get(index)).map_or(&[], Vec::as_slice)
    }

    /// The mass of the leaves that answer `outcome`: a lower bound of its probability.
    #[must_use]
    pub fn mass(&self, outcome: &T) -> BigRational {
        mass(self.of(outcome))
    }

    /// The bracket of P(outcome): its mass, and its mass with all that is open.
    #[must_use]
    pub fn probability(&self, outcome: &T) -> Bracket {
        let mass = self.mass(outcome);
        Bracket::new(mass.clone(), mass + self.open())
    }

    /// The number of leaves at exactly `depth` bits that answer `outcome`.
    #[must_use]
    pub fn count(&self, outcome: &T, depth: u32) -> u64 {
        self.of(outcome).get(depth as usize).copied().unwrap_or(0)
    }

    /// The law of the images of the outcomes under `f`.
    pub fn map<U: PartialEq>(&self, f: impl Fn(&T) -> U) -> Tally<U> {
        let (outcomes, counts) = (Vec::new(), Vec::new());
        let mut tally =
            Tally { outcomes, counts, depth: self.depth, runs: self.runs, fault: self.fault };
        for (outcome, from) in self.outcomes.iter().zip(&self.counts) {
            let image = f(outcome);
            let found = tally.outcomes.iter().position(|known| *known == image);
            match found.and_then(|index| tally.counts.get_mut(index)) {
                None => {
                    tally.outcomes.push(image);
                    tally.counts.push(from.clone());
                }
                Some(counts) => {
                    counts.resize(counts.len().max(from.len()), 0);
                    counts.iter_mut().zip(from).for_each(|(sum, count)| *sum += count);
                }
            }
        }
        tally
    }
}

impl<T> Tally<T> {
    /// The outcomes that were seen, each once.
    #[must_use]
    pub fn outcomes(&self) -> &[T] {
        &self.outcomes
    }

    /// The outcomes, each with the number of its leaves at each depth from 0 on.
    pub fn counts(&self) -> impl Iterator<Item = (&T, &[u64])> {
        self.outcomes.iter().zip(self.counts.iter().map(Vec::as_slice))
    }

    /// The depth explored, in fair bits.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "it was a u32")]
    pub const fn depth(&self) -> u32 {
        self.depth as u32
    }

    /// How many ends the tree has: leaves and open nodes, one run each.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// What makes the figures worthless, if anything does.
    #[must_use]
    pub const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Whether every run that was repeated asked and answered as before, and no other [`fault`](Self::fault) was found.
    /// If not, the exploration was broken off and says nothing of the machine.
    #[must_use]
    pub const fn is_reproducible(&self) -> bool {
        self.fault.is_none()
    }

    /// The mass of the nodes that are still open at the full depth: P(more than depth bits).
    #[must_use]
    pub fn open(&self) -> BigRational {
        self.open_after(self.depth())
    }

    /// P(more than `depth` bits); beyond the depth explored, what is open there.
    #[must_use]
    pub fn open_after(&self, depth: u32) -> BigRational {
        let depth = (depth as usize).min(self.depth);
        dyadic(self.open_nodes().swap_remove(depth), depth)
    }

    /// Σ P(more than k bits) over k below the depth: the expected fair bits if nothing is open, else a lower bound.
    #[must_use]
    pub fn expected_bits(&self) -> BigRational {
        let nodes = self.open_nodes();
        // Horner's rule: term k is nodes(k)·2^-k, and the last k is depth − 1.
        let sum =
            nodes.iter().take(self.depth).fold(BigUint::zero(), |sum, open| (sum << 1) + open);
        dyadic(sum << 1, self.depth)
    }

    /// The number of open nodes after each number of bits from 0 to the depth: N(0) = 1 less the leaf there, if it is one,
    /// and N(k) = 2·N(k−1) − leaves at k. Then P(more than k bits) = N(k)·2^-k.
    #[must_use]
    pub fn open_nodes(&self) -> Vec<BigUint> {
        let leaves = self.leaf_counts();
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

    /// The number of leaves at each depth.
    pub(super) fn leaf_counts(&self) -> Vec<u64> {
        let mut leaves = vec![0; self.depth + 1];
        for counts in &self.counts {
            leaves.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        leaves
    }
}

/// Σ counts[k]·2^-k.
pub(super) fn mass(counts: &[u64]) -> BigRational {
    let sum = counts.iter().fold(BigUint::zero(), |sum, &count| (sum << 1) + count);
    dyadic(sum, counts.len().saturating_sub(1))
}

/// num·2^-places. In lowest terms by shifting, since a gcd of thousands of digits is slow.
pub(super) fn dyadic(num: impl Into<BigInt>, places: usize) -> BigRational {
    let num = num.into();
    let Some(zeros) = num.trailing_zeros() else { return BigRational::zero() };
    let zeros = usize::try_from(zeros).unwrap_or(usize::MAX).min(places);
    BigRational::new_raw(num >> zeros, BigInt::one() << (places - zeros))
}
