use alloc::vec::Vec;

use num_traits::ToPrimitive;

use super::tally::Tally;
use super::tape::Fault;
use super::tree::Tree;
use super::weighed::Weighed;
use crate::machine::Machine;

/// How far to explore: a depth, and if wanted a number of runs that is not exceeded.
///
/// [`explore`](super::explore()) and its siblings are short for an explorer with a depth alone. With
/// [`max_runs`](Self::max_runs) the exploration deepens step by step, and what it returns is the deepest tree that it
/// finished; its `depth()` says how deep that is.
///
/// ```
/// use buffon::{Die, Explorer};
/// let tally = Explorer::new(1000).max_runs(500).tally(&Die::new(6)?);
/// assert!((40..1000).contains(&tally.depth()) && tally.runs() <= 500);
/// # Ok::<(), buffon::ZeroSides>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "an explorer does nothing until it is given a machine"]
pub struct Explorer {
    depth: u32,
    max_runs: u64,
}

impl Explorer {
    /// To `depth` bits, however many runs that takes.
    pub const fn new(depth: u32) -> Self {
        Self { depth, max_runs: u64::MAX }
    }

    /// To at most so many runs in all, shallower trees on the way included; one run is always made.
    pub const fn max_runs(self, runs: u64) -> Self {
        Self { max_runs: runs, ..self }
    }

    pub(super) const fn depth(self) -> u32 {
        self.depth
    }

    pub(super) const fn most_runs(self) -> u64 {
        self.max_runs
    }

    /// The decision tree with all its leaves, in fair bits. Memory: 8 bytes for each leaf and open node.
    pub fn tree<M: Machine>(self, machine: &M) -> Tree<M::Output>
    where
        M::Output: PartialEq,
    {
        self.deepen(
            |depth, most| {
                let mut ends = Vec::new();
                let (tally, finished) = Tally::explore(machine, depth, most, |depth, index| {
                    #[allow(clippy::cast_possible_truncation, reason = "both are counted in u32")]
                    ends.push((depth as u32, index.map_or(0, |index| index as u32 + 1)));
                });
                (Tree::new(tally, ends), finished)
            },
            |tree| Size::of(tree.tally()),
        )
    }

    /// The leaves counted by outcome and depth, in fair bits. Memory: O(depth · outcomes).
    pub fn tally<M: Machine>(self, machine: &M) -> Tally<M::Output>
    where
        M::Output: PartialEq,
    {
        self.deepen(|depth, most| Tally::explore(machine, depth, most, |_, _| ()), Size::of)
    }

    /// The masses, each instruction of the source being one question with weighted answers; the depth counts questions.
    pub fn weigh<M: Machine>(self, machine: &M) -> Weighed<M::Output>
    where
        M::Output: PartialEq,
    {
        self.deepen(
            |depth, most| Weighed::explore(machine, depth, most),
            |weighed| Size::new(weighed.runs(), weighed.open_runs(), weighed.fault()),
        )
    }

    /// Tries greater and greater depths, as long as the runs last. `attempt` explores to a depth within a number of runs and
    /// tells whether they were enough. A fault ends it: what remembers may look right the next time.
    ///
    /// The levels added at a time are doubled while they come cheap and halved where they do not, so that the work on the
    /// way stays in proportion to the last tree.
    pub(super) fn deepen<R>(
        self,
        mut attempt: impl FnMut(u32, u64) -> (R, bool),
        size: impl Fn(&R) -> Size,
    ) -> R {
        if self.max_runs == u64::MAX {
            return attempt(self.depth, u64::MAX).0;
        }
        let (mut depth, mut step) = (0, 1u32);
        let mut best = attempt(depth, u64::MAX).0; // one run
        let mut left = self.max_runs.saturating_sub(1);
        loop {
            let Size { runs, open } = size(&best);
            // A run that was cut off asks at least one question more, which makes at least two of it.
            if open == 0 || depth == self.depth || runs.saturating_add(open) > left {
                return best;
            }
            let next = depth.saturating_add(step).min(self.depth);
            let most = if step == 1 { left } else { left.min(runs.saturating_mul(4)) };
            let (deeper, finished) = attempt(next, most);
            if finished {
                let taken = size(&deeper).runs;
                left = left.saturating_sub(taken);
                step = if taken < runs.saturating_mul(2) { step.saturating_mul(2) } else { step };
                (depth, best) = (next, deeper);
            } else {
                left -= most;
                step /= 2;
                if step == 0 {
                    return best;
                }
            }
        }
    }
}

/// How many runs an exploration took, and how many of them were cut off and are worth going on with.
pub(super) struct Size {
    runs: u64,
    open: u64,
}

impl Size {
    pub(super) fn new(runs: u64, open: u64, fault: Option<Fault>) -> Self {
        Self { runs, open: if fault.is_some() { 0 } else { open } }
    }

    fn of<T>(tally: &Tally<T>) -> Self {
        let open = tally.open_nodes().last().and_then(ToPrimitive::to_u64).unwrap_or(u64::MAX);
        Self::new(tally.runs(), open, tally.fault())
    }
}
