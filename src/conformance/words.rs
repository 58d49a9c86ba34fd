use alloc::vec::Vec;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::bits::BitSource;
use crate::explore::Wanted;
use crate::law::{Bracket, Law};
use crate::machine::Machine;

/// The most pieces that a law by thresholds may have.
const MOST_PIECES: usize = 1 << 10;

/// A source of the bits of one word, and no more.
struct Word {
    /// The bits that are left, at the upper end.
    word: u64,
    used: u32,
    most: u32,
}

/// More was asked than one word.
struct NotOneWord;

impl BitSource for Word {
    type Error = NotOneWord;

    fn try_bit(&mut self) -> Result<bool, NotOneWord> {
        Ok(self.try_bits(1)? == 1)
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, NotOneWord> {
        let n = n.min(64);
        if n > self.most - self.used {
            return Err(NotOneWord);
        }
        let bits = self.word.checked_shr(64 - n).unwrap_or(0);
        self.word = self.word.checked_shl(n).unwrap_or(0);
        self.used += n;
        Ok(bits)
    }
}

/// A machine that always draws the same number of bits, as far as was looked.
pub(super) enum Words<T> {
    /// It compares them with thresholds, so that its law is known.
    Law(Law<T>),
    /// It draws so many bits and is no comparison with thresholds; some of its outcomes.
    Uneven(u32, Vec<T>),
}

impl<T: Clone> Words<T> {
    /// Outcomes that it was seen to have.
    pub(super) fn outcomes(&self) -> Vec<T> {
        match self {
            Self::Law(law) => law.outcomes().iter().map(|(outcome, _)| outcome.clone()).collect(),
            Self::Uneven(_, outcomes) => outcomes.clone(),
        }
    }
}

/// The law of a machine that draws one word of 8 to 64 bits and compares it with thresholds, found by bisection; `None` if it
/// does not always draw so many bits. A word may also be drawn in parts, the upper bits first.
///
/// A word of 64 bits has too many values to run them all. Where two words have the same answer it is *assumed* that all words
/// between them have, down from sixteen equal parts; so this is the exact law of such a machine, and no proof that it is one.
pub(super) fn words<M: Machine>(machine: &M) -> Option<Words<M::Output>>
where
    M::Output: PartialEq + Clone,
{
    let ask = |word: u64, most: u32| {
        let mut bits = Word { word, used: 0, most };
        let answer = machine.try_sample(&mut bits).ok()?;
        Some((answer, bits.used))
    };
    let n = ask(0, 64).map(|(_, used)| used).filter(|&used| used >= 8)?;
    let top = u64::MAX >> (64 - n);
    let answer = |word: u64| {
        let found = ask(word << (64 - n), n).filter(|(_, used)| *used == n);
        found.map(|(answer, _)| answer)
    };
    let mut pieces: Vec<(M::Output, u128)> = Vec::new();
    // Intervals of words to look at, both ends included, with the answers at the ends.
    let grid: Vec<u64> = (0..=16u128).map(|part| part_of(top, part)).collect();
    let mut todo = Vec::new();
    for ends in grid.windows(2).rev() {
        let low = if ends[0] == 0 { 0 } else { ends[0] + 1 };
        todo.push((low, answer(low)?, ends[1], answer(ends[1])?));
    }
    while let Some((low, at_low, high, at_high)) = todo.pop() {
        if at_low == at_high {
            pieces.push((at_low, u128::from(high - low) + 1));
        } else {
            let middle = low + (high - low) / 2;
            let (left, right) = (answer(middle)?, answer(middle + 1)?);
            todo.push((middle + 1, right, high, at_high));
            todo.push((low, at_low, middle, left));
        }
        if pieces.len() + todo.len() > MOST_PIECES {
            let mut some: Vec<M::Output> = Vec::new();
            for (answer, _) in pieces.into_iter().take(64) {
                if !some.contains(&answer) {
                    some.push(answer);
                }
            }
            return Some(Words::Uneven(n, some));
        }
    }
    let all = BigInt::one() << n;
    let weights = pieces.into_iter().map(|(answer, words)| {
        (answer, Bracket::exact(BigRational::new(words.into(), all.clone())))
    });
    let merged = Wanted::new(weights, BigRational::zero());
    Some(Words::Law(Law::new(merged.outcomes().to_vec(), BigRational::zero())))
}

/// The last word of so many sixteenths.
fn part_of(top: u64, sixteenths: u128) -> u64 {
    u64::try_from(u128::from(top) * sixteenths / 16).unwrap_or(top)
}
