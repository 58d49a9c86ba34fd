use alloc::vec;
use alloc::vec::Vec;

use super::weighted_tree::walk;
use super::weights::Weight;
use super::whole::{Whole, by_weights};
use crate::bits::{BitSource, Node};
use crate::error::WeightError;
use crate::machine::Machine;

/// A chooser among weights, fast at every size: one 64-bit word and one look at a table for an answer.
///
/// - Answers: an index of the list of weights.
/// - Law: P(i) = w_i/W exactly, where W = Σ w_j. Of the 2^64 words, ⌊2^64·w_i/W⌋ answer i. The N words left over, fewer than
///   there are weights, stand for the N nodes that the optimal tree of [`Weighted`](crate::Weighted) has open after level 64,
///   and its walk goes on from there. A weight of zero is never chosen.
/// - Expected fair bits: 64, and less than n·2^-57 more for n weights; 0 for a single positive weight. The `Weighted` of the
///   same weights costs less than H + 2.
/// - Tail: P(more than 64 bits) = N·2^-64, then exponential, 64 bits at a time. Bounded by 64 bits if W, without common factors, is 2^64 or a
///   smaller power of two. For any other W some infinite strings give no answer.
/// - Refuses: see [`new`](Self::new).
/// - Source: the alias method of Walker 1977 in integers, over an exact remainder.
///
/// A source that [answers ratios](BitSource::answers_ratios) is asked for at most ⌈log2 n⌉ coins that halve the list, however
/// large W is: a [`Recycler`](crate::Recycler) draws H bits for an answer.
///
/// Memory: 16 bytes a weight, and 8 for each of 2^b columns, 2^b being the first power of two that is not below n. Building
/// takes time in proportion to n.
///
/// ```
/// use buffon::{Alias, BitBuffer, Machine};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let chooser = Alias::new([1, 0, 3])?;
/// let mut counts = [0; 3];
/// for outcome in chooser.samples(BitBuffer::new(StdRng::seed_from_u64(1))).take(4000) {
///     counts[outcome] += 1;
/// }
/// assert!((900..1100).contains(&counts[0]) && counts[1] == 0);
/// # Ok::<(), buffon::WeightError>(())
/// ```
#[derive(Clone)]
pub struct Alias {
    weights: Whole,
    table: Columns<64>,
}

impl Alias {
    /// The fast chooser among `weights`, of the kinds that [`Weighted::new`](crate::Weighted::new) takes.
    ///
    /// # Errors
    ///
    /// As [`Weighted::new`](crate::Weighted::new).
    pub fn new<I>(weights: I) -> Result<Self, WeightError>
    where
        I: IntoIterator,
        I::Item: Weight,
    {
        Ok(Self::from_whole(Whole::new(weights)?))
    }
}

by_weights!(Alias, Columns<64>);

/// The words of `WIDTH` bits, dealt out to the outcomes.
///
/// The low b bits of a word name a column, the others are its height there. Column j belongs to outcome j below its mark and
/// to its alias from there up. The last N words are no one's: they are the top of the last N columns.
#[derive(Clone)]
struct Columns<const WIDTH: u32> {
    /// For each column its mark, above b bits with its alias. A single entry is the certain outcome.
    entries: Vec<u64>,
    /// The last word that is someone's; the N words after it are not.
    last: u64,
}

impl<const WIDTH: u32> Columns<WIDTH> {
    fn new(weights: &Whole) -> Self {
        if let Some(certain) = weights.certain() {
            return Self { entries: vec![certain as u64], last: 0 };
        }
        let columns = weights.len().next_power_of_two();
        let places = columns.ilog2();
        // From here on `words[j]` is what outcome j still has to get.
        let mut words: Vec<u64> = weights.shares(WIDTH).collect();
        let dealt = words.iter().fold(0u64, |sum, &words| sum.wrapping_add(words));
        words.resize(columns, 0);
        let all = u64::MAX >> (64 - WIDTH);
        // Each share is rounded down by less than one, so `open` is less than the number of weights.
        let open = all.wrapping_sub(dealt).wrapping_add(1);
        let room = |column: usize| {
            (1 << (WIDTH - places)) - u64::from(column as u64 >= columns as u64 - open)
        };

        // What some columns lack others have too much of, since shares and rooms have the same sum. A column that lacks is
        // filled up by the first one with too much; if that one, before `place`, lacks now, it is the next to be filled.
        let mut entries: Vec<u64> = (0..columns as u64).collect();
        let mut giver = 0;
        for place in 0..columns {
            let mut column = place;
            while words[column] < room(column) {
                while words[giver] <= room(giver) {
                    giver += 1;
                }
                entries[column] = words[column] << places | giver as u64;
                words[giver] -= room(column) - words[column];
                words[column] = room(column);
                if giver > place {
                    break;
                }
                column = giver;
            }
        }
        Self { entries, last: all - open }
    }

    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "columns, outcomes and nodes are fewer than 2^32"
    )]
    fn try_choose<B: BitSource + ?Sized>(
        &self,
        weights: &Whole,
        bits: &mut B,
    ) -> Result<usize, B::Error> {
        if let [certain] = self.entries[..] {
            return Ok(certain as usize);
        }
        let word = bits.try_bits(WIDTH)?;
        if word > self.last {
            // Each of the words left over is one open node of level WIDTH, with equal chances.
            let (mut open, mut level) = ((word - self.last - 1) as usize, WIDTH as usize);
            loop {
                match walk(open, level, bits.try_bits(WIDTH)?, WIDTH, weights) {
                    Node::Leaf(outcome) => return Ok(outcome),
                    Node::Open(node) => open = node,
                }
                level += WIDTH as usize;
            }
        }
        let mask = self.entries.len() as u64 - 1;
        let column = word & mask;
        let entry = self.entries.get(column as usize).copied().unwrap_or(column);
        // Which of the two it is cannot be foretold, so no branch: of heights below 2^63 the sign of the difference selects.
        let height = |word: u64| (word & !mask) >> 1;
        let below = height(word).wrapping_sub(height(entry)) >> 63;
        let alias = entry & mask;
        Ok(alias.wrapping_add(below.wrapping_mul(column.wrapping_sub(alias))) as usize)
    }
}

#[cfg(feature = "exact")]
#[allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]
#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;

    use super::*;
    use crate::bits::Script;
    use crate::explore;

    /// The same chooser with words of another width.
    struct Narrow<const WIDTH: u32> {
        weights: Whole,
        columns: Columns<WIDTH>,
    }

    impl<const WIDTH: u32> Narrow<WIDTH> {
        fn new(weights: &[u128]) -> Self {
            let weights = Whole::new(weights).unwrap();
            Self { columns: Columns::new(&weights), weights }
        }

        /// ⌊2^digits·w/W⌋ for each weight.
        fn shares(&self, digits: u32) -> impl Iterator<Item = BigInt> + '_ {
            let total = BigInt::from(self.weights.total());
            self.weights.weights().map(move |weight| (BigInt::from(weight) << digits) / &total)
        }
    }

    impl<const WIDTH: u32> Machine for Narrow<WIDTH> {
        type Output = usize;

        fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
            self.columns.try_choose(&self.weights, bits)
        }
    }

    /// After each word every outcome has the largest multiple of the word's probability that is in its own.
    fn assert_exact<const WIDTH: u32>(weights: &[u128], words: u32) {
        let chooser = Narrow::<WIDTH>::new(weights);
        for depth in (1..=words).map(|words| words * WIDTH) {
            let tree = explore(&chooser, depth);
            for (outcome, share) in chooser.shares(depth).enumerate() {
                let floor = BigRational::new(share, BigInt::from(1) << depth);
                assert_eq!(tree.mass(&outcome), floor, "{weights:?}: {outcome} at {depth}");
            }
        }
    }

    #[test]
    fn narrow_words_are_dealt_out_exactly() {
        for code in 1..625 {
            let weights = [code % 5, code / 5 % 5, code / 25 % 5, code / 125];
            assert_exact::<2>(&weights, 4);
            assert_exact::<6>(&weights, 2);
        }
        for n in 1..=16u128 {
            let weights: Vec<u128> = (0..n).map(|i| (i * i * 7 + 3) % 11 * i).collect();
            if weights.iter().any(|&weight| weight > 0) {
                assert_exact::<4>(&weights, 3);
                assert_exact::<9>(&weights, 2);
            }
        }
        assert_exact::<12>(&[u128::MAX - 5, 3, 2], 1);
    }

    /// No word of 64 bits is tried one by one: the columns are counted, and the words at the ends of each are.
    #[test]
    fn wide_words_are_dealt_out_exactly() {
        let lists: [Vec<u128>; 5] = [
            vec![1, 2, 3],
            vec![5, 0, 3, 0, 0],
            vec![u128::MAX - 5, 3, 2],
            (1..1000).collect(),
            (0..64).map(|i| 1 << i).collect(),
        ];
        for weights in lists {
            let chooser = Narrow::<64>::new(&weights);
            let entries = &chooser.columns.entries;
            let columns = entries.len() as u64;
            let mut dealt = vec![BigInt::ZERO; weights.len()];
            for (own, &entry) in (0..).zip(entries) {
                let (mark, alias) = (entry / columns, entry % columns);
                let top = (chooser.columns.last - own) / columns; // the greatest height that is someone's
                assert!(mark <= top + 1);
                for (from, to, outcome) in [(0, mark, own), (mark, top + 1, alias)] {
                    if from < to {
                        dealt[outcome as usize] += to - from;
                        for height in [from, to - 1] {
                            let word = height * columns + own;
                            let flips: Vec<bool> = (0..64).map(|k| word >> k & 1 == 1).collect();
                            let answer = chooser.try_sample(&mut Script::from(flips));
                            assert_eq!(answer, Ok(outcome as usize));
                        }
                    }
                }
            }
            assert!(chooser.shares(64).eq(dealt));
        }
    }
}
