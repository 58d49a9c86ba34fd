use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use super::blocks::Blocks;
use crate::bits::BitSource;
use crate::error::{BlockError, FlipsEnded};

/// Fair bits from blocks of flips of an unfair coin, by von Neumann's rule and what that leaves over, again and again.
///
/// A pair of unlike flips gives a bit (HT heads, TH tails). Whether each pair was unlike is a flip of a coin of probability
/// 2pq, and of what the pairs of like flips showed each is a flip of a coin of probability p²/(p² + q²): both lists are
/// independent of each other and of the bits, and are treated in the same way, to the depth given.
///
/// - Bits a flip, for long blocks: r₀ = 0, r_d(p) = pq + r_{d−1}(2pq)/2 + (p² + q²)·r_{d−1}(p²/(p² + q²))/2, which grows to
///   the entropy H(p) with the depth. Depth 1 is [`VonNeumann`](super::VonNeumann). A block of n flips gives a little less,
///   since odd flips are dropped from every list; of more than log2 n levels the last are empty.
///
///   | depth | 1 | 2 | 3 | 5 | 8 | H |
///   |---|---|---|---|---|---|---|
///   | p = 1/2 | 0.25 | 0.4375 | 0.578 | 0.763 | 0.900 | 1 |
///   | p = 3/4 | 0.1875 | 0.3328 | 0.4455 | 0.5988 | 0.7184 | 0.8113 |
///
/// - Never ends for p = 0 and p = 1; the end of the iterator is then the only way out.
/// - Refuses: see [`new`](Self::new).
/// - Source: Peres 1992.
///
/// # Errors
///
/// [`FlipsEnded`] where the iterator has no flip; the block begun waits for the rest, and gives no bit before.
///
/// ```
/// use buffon::{BitBuffer, Counted, Die, Machine, Peres, Rational};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let unfair = Rational::<u64>::new(3, 4)?.samples(BitBuffer::new(StdRng::seed_from_u64(1)));
/// let mut bits = Counted::new(Peres::new(unfair.take(10_240), 8, 1024)?);
/// while Die::new(6)?.try_sample(&mut bits).is_ok() {}
/// assert!((6900..7400).contains(&bits.count())); // 0.7 bits a flip
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Peres<I> {
    blocks: Blocks<I>,
    depth: u32,
}

impl<I> Peres<I> {
    /// Over these flips, `block` at a time, to a `depth` of 1 at least. Powers of two make the best blocks.
    ///
    /// # Errors
    ///
    /// [`TooShort`](BlockError::TooShort) for a block of less than two flips, and [`NoDepth`](BlockError::NoDepth) for a
    /// depth of zero: neither would give a bit.
    pub fn new(flips: I, depth: u32, block: usize) -> Result<Self, BlockError> {
        if depth == 0 {
            return Err(BlockError::NoDepth);
        }
        Ok(Self { blocks: Blocks::new(flips, block)?, depth })
    }

    /// The flips that are left; bits of the last block that have not been served are gone.
    #[must_use]
    pub fn into_inner(self) -> I {
        self.blocks.into_inner()
    }

    /// The bits a flip that long blocks give to this depth, for a coin of probability `p`. The work is 4^depth.
    #[cfg(feature = "exact")]
    #[must_use]
    pub fn rate(&self, p: &num_rational::BigRational) -> num_rational::BigRational {
        rate(self.depth, p)
    }
}

#[cfg(feature = "exact")]
fn rate(depth: u32, p: &num_rational::BigRational) -> num_rational::BigRational {
    use num_traits::{One, Zero};
    type Q = num_rational::BigRational;
    let q = Q::one() - p;
    if depth == 0 || p.is_zero() || q.is_zero() {
        return Q::zero();
    }
    let like = p * p + &q * &q;
    let two = Q::from_integer(2.into());
    let of_unlike = rate(depth - 1, &(Q::one() - &like));
    let of_like = rate(depth - 1, &(p * p / &like));
    p * q + (of_unlike + like * of_like) / two
}

impl<I: Iterator<Item = bool>> BitSource for Peres<I> {
    type Error = FlipsEnded;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, FlipsEnded> {
        let depth = self.depth;
        self.blocks.try_bit(|block, bits| extract(block, depth, bits))
    }
}

/// Appends the bits of a block: von Neumann's, then those of the list of unlike pairs, then those of the like flips.
fn extract(block: &[bool], depth: u32, bits: &mut Vec<bool>) {
    let mut lists = vec![(block.to_vec(), depth)];
    while let Some((flips, depth)) = lists.pop() {
        let (mut unlike, mut like) = (Vec::with_capacity(flips.len() / 2), Vec::new());
        for pair in flips.chunks_exact(2) {
            let differ = pair[0] != pair[1];
            unlike.push(differ);
            if differ { bits.push(pair[0]) } else { like.push(pair[0]) }
        }
        if depth > 1 {
            lists.extend(
                [like, unlike]
                    .map(|list| (list, depth - 1))
                    .into_iter()
                    .filter(|(list, _)| list.len() > 1),
            );
        }
    }
}

impl<I> Debug for Peres<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peres").field("depth", &self.depth).finish_non_exhaustive()
    }
}
