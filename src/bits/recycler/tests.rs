//! Every state of a small recycler, looked through.

extern crate std;
use std::collections::BTreeMap;
use std::vec::Vec;

use super::*;

/// A source that has nothing to give: what is answered comes out of the state.
struct Dry;

impl BitSource for Dry {
    type Error = ();
    fn try_bit(&mut self) -> Result<bool, ()> {
        Err(())
    }
}

/// Asks every state of `range` cases; how many of them gave each answer and left each range.
///
/// In each of these classes the values that stay must be 0..range. Where there are as many states in the class, each is
/// there once: a state that is uniform before is uniform after, whatever was answered. By induction the law of one answer
/// is then the joint law of all.
fn answers<T: Ord + Copy>(
    s: u32,
    range: u64,
    ask: impl Fn(&mut Recycler<Dry>) -> T,
) -> BTreeMap<(T, u64), u64> {
    let mut left = BTreeMap::<_, Vec<u64>>::new();
    let mut counts = BTreeMap::new();
    for value in 0..range {
        let mut state = Recycler { value, range, ..Recycler::with_state_bits(Dry, s) };
        let answer = ask(&mut state);
        left.entry((answer, state.range)).or_default().push(state.value);
        *counts.entry((answer, state.range)).or_default() += 1;
    }
    for ((_, range), values) in &mut left {
        values.sort_unstable();
        // Flips that are not decided yet leave one case, whichever of them it was.
        values.dedup();
        assert!(values.iter().copied().eq(0..*range));
    }
    counts
}

#[test]
fn every_state_rolls_uniformly_and_stays_uniform() {
    for s in 4..=8 {
        let least = Recycler::with_state_bits(Dry, s);
        for n in 2..=least.low {
            for range in least.low.max(n << least.slack)..1 << s {
                let rolls = answers(s, range, |state| state.try_below(n));
                let quotient = range / n;
                for side in 0..n {
                    assert_eq!(rolls.get(&(Ok(side), quotient)), Some(&quotient), "{range}/{n}");
                }
                // What is left over waits for more flips: it is not answered.
                let rest = rolls.get(&(Err(()), range % n)).copied().unwrap_or(0);
                assert_eq!(rest, range % n);
                assert_eq!(rolls.values().sum::<u64>(), range);
            }
        }
    }
}

#[test]
fn every_state_flips_exactly_and_stays_uniform() {
    for s in 4..=8 {
        let low = Recycler::with_state_bits(Dry, s).low;
        for den in 2..=20 {
            for (num, range) in (1..den).flat_map(|num| (low..1 << s).map(move |m| (num, m))) {
                let flips = answers(s, range, |state| state.try_ratio(num, den));
                let count = |answer| -> u64 {
                    flips.iter().filter(|((a, _), _)| *a == answer).map(|(_, n)| n).sum()
                };
                let (heads, undecided) = (count(Ok(true)), count(Err(())));
                // heads + undecided·odds = M·a/b, over the denominator of the odds.
                let (more, of) = odds(range, heads, num, den);
                assert!(more <= of && undecided <= 2);
                let (num, den) = (u128::from(num), u128::from(den));
                let sum = u128::from(heads) * of + u128::from(undecided) * more;
                assert_eq!(sum * den, u128::from(range) * num * of, "{range}·{num}/{den}");
                // Undecided flips leave nothing behind, the others all they have.
                assert!(flips.keys().all(|&(a, left)| (a == Err(())) == (left == 1 && a.is_err())));
            }
        }
    }
}

#[test]
fn a_finished_coin_has_the_odds_that_are_missing() {
    let range = u64::MAX - 6;
    for (num, den) in [(1, 3), (u64::MAX - 2, u64::MAX), (1, u64::MAX), (1 << 62, (1 << 63) + 1)] {
        let below = Scaled::new(num, den).of(range);
        let (more, of) = odds(range, below, num, den);
        assert!(more <= of);
        // of/den is the number of cases, so below·den + more = M·num without a remainder.
        assert_eq!(of, 2 * u128::from(den));
        let exact = u128::from(range) * u128::from(num);
        assert_eq!(u128::from(below) * u128::from(den) + more, exact);
    }
}
