//! What a machine does below the tree, and whether it does what it did again.

use alloc::vec::Vec;

use num_bigint::BigInt;
use num_traits::Zero;

use crate::bits::{BitSource, Budget, Script};
use crate::explore::{BrokenTail, Tally, Tree};
use crate::machine::Machine;

/// What is wrong with the bound that no answer takes more than `most` bits, where the tree is deep enough to tell.
pub(super) fn exceeds<T>(tally: &Tally<T>, most: u64) -> Option<BrokenTail> {
    let depth = u32::try_from(most).ok().filter(|&bits| bits <= tally.depth())?;
    (!tally.open_after(depth).is_zero()).then_some(BrokenTail::Exceeds { bits: most })
}

/// The most runs, and the most bits, that [`repeats`] plays again.
const REPLAYS: (usize, usize) = (1 << 14, 1 << 22);

/// Whether the ends of the tree come out again, often: what is remembered for long, or other chance that is drawn rarely,
/// shows up late.
pub(super) fn repeats<M: Machine>(machine: &M, tree: &Tree<M::Output>) -> bool
where
    M::Output: PartialEq,
{
    let step = usize::try_from(tree.runs() / 64).unwrap_or(usize::MAX).max(1);
    let ends: Vec<_> = tree.leaves().step_by(step).collect();
    let bits: usize = ends.iter().map(|end| end.prefix().len() + 1).sum();
    let rounds = (REPLAYS.0 / ends.len().max(1)).min(REPLAYS.1 / bits.max(1));
    // In no order: what happens every so many calls is not to meet the same end each time.
    let order = &mut Steady::new(23);
    (0..rounds * ends.len()).all(|_| {
        let Ok(place) = order.try_below(ends.len() as u64);
        let Some(end) = usize::try_from(place).ok().and_then(|place| ends.get(place)) else {
            return true;
        };
        let mut script = Script::from(end.prefix().to_vec());
        let answer = machine.try_sample(&mut script).ok();
        answer.as_ref() == end.outcome() && script.position() == end.prefix().len()
    })
}

/// Fair bits that are always the same: good enough to see whether a machine ever answers.
pub(super) struct Steady(u64);

impl Steady {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl BitSource for Steady {
    type Error = core::convert::Infallible;

    fn try_bit(&mut self) -> Result<bool, Self::Error> {
        // SplitMix64 (Steele, Lea and Flood 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok((z ^ (z >> 31)) >> 63 == 1)
    }
}

/// Whether hardly anything answers in the deeper half of the tree, no start from an open node, of sixteen, answers within 2^14 bits
/// more, and of four others none within 2^22.
///
/// A tail like k^-a leaves 2^-a of what was open open, and a start goes on for so long with a probability of 2^(-10a) or so. So
/// a machine that ends does not look like this, unless it is expected to take millions of bits.
pub(super) fn is_stuck<M: Machine>(machine: &M, tree: &Tree<M::Output>) -> bool {
    let (open, before) = (tree.open(), tree.open_after(tree.depth() / 2));
    if tree.depth() < 8 || open.is_zero() || open * BigInt::from(8) < before * BigInt::from(7) {
        return false;
    }
    tree.below(machine).is_some_and(|below| {
        let fails = |(seed, bits)| below.try_sample(&mut Budget::new(Steady(seed), bits)).is_err();
        (0..16).map(|seed| (seed, 1 << 14)).chain((16..20).map(|seed| (seed, 1 << 22))).all(fails)
    })
}
