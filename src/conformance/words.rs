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

/// The source stands for one word of bits, and is asked for it once.
struct Word {
    word: u64,
    asked: Option<u32>,
}

/// Something else was asked than one word.
struct NotOneWord;

impl BitSource for Word {
    type Error = NotOneWord;

    fn try_bit(&mut self) -> Result<bool, NotOneWord> {
        Err(NotOneWord)
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, NotOneWord> {
        if n < 8 || self.asked.is_some() {
            return Err(NotOneWord);
        }
        self.asked = Some(n);
        Ok(self.word & u64::MAX.checked_shr(64 - n.min(64)).unwrap_or(0))
    }

    fn try_tails(&mut self) -> Result<u64, NotOneWord> {
        Err(NotOneWord)
    }
}

/// The law of a machine that draws one whole word and compares it with thresholds, found by bisection; `None` if it does not
/// draw exactly one word of at least 8 bits.
///
/// A word of 64 bits has too many values to run them all. Where two words have the same answer it is *assumed* that all words
/// between them have, down from sixteen equal parts; so this is the exact law of such a machine, and no proof that it is one.
pub(super) fn thresholds<M: Machine>(machine: &M) -> Option<Law<M::Output>>
where
    M::Output: PartialEq + Clone,
{
    let ask = |word: u64| {
        let mut bits = Word { word, asked: None };
        let answer = machine.try_sample(&mut bits).ok()?;
        Some((answer, bits.asked?))
    };
    let (_, n) = ask(0)?;
    let top = u64::MAX.checked_shr(64 - n.min(64))?;
    let answer = |word: u64| ask(word).filter(|(_, asked)| *asked == n).map(|(answer, _)| answer);
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
            return None;
        }
    }
    let all = BigInt::one() << n.min(64);
    let weights = pieces.into_iter().map(|(answer, words)| {
        (answer, Bracket::exact(BigRational::new(words.into(), all.clone())))
    });
    let merged = Wanted::new(weights, BigRational::zero());
    Some(Law::new(merged.outcomes().to_vec(), BigRational::zero()))
}

/// The last word of so many sixteenths.
fn part_of(top: u64, sixteenths: u128) -> u64 {
    u64::try_from(u128::from(top) * sixteenths / 16).unwrap_or(top)
}
