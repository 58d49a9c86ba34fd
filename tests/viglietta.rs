//! Viglietta's four statements: as complete finite proofs for small n, by exact trees and written-out flips for large n.
#![cfg(feature = "exact")]

mod support;

use std::cell::Cell;
use std::num::NonZeroU64;
use std::rc::Rc;

use buffon::viglietta::{PowerCoin, PowerDie, thresholds};
use buffon::{
    Always, BitSource, Coin, Die, Dyadic, External, Machine, Never, OneOver, Rational, Script,
    Tree, Viglietta, ZeroSides, explore, explore_weighted, from_fn,
};
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;
use support::{coin_law, kappa, q, uniform};

/// ⌊log2 n⌋.
fn floor_log2(n: u64) -> u32 {
    n.ilog2()
}

/// 0, 1 and 2 to either side of each power of two, and both ends.
fn boundaries() -> impl Iterator<Item = u64> {
    let near = |power: u64| (power.saturating_sub(2)..=power.saturating_add(2)).filter(|&n| n > 0);
    (0..64).map(|k| 1u64 << k).chain([u64::MAX]).flat_map(near)
}

// Proposition 1

#[test]
fn proposition_1_holds_for_small_n_and_at_every_boundary() {
    for n in (1..=1 << 16).chain(boundaries()) {
        let k = floor_log2(n);
        let (a, b) = NonZeroU64::new(n).map(thresholds).unwrap();
        assert!(a <= 2 << k && b <= 2 << k, "n = {n}: {a}, {b}");
        assert_eq!(a + b * (u128::from(n) - 1), 1 << (2 * k + 1), "n = {n}");
    }
}

proptest! {
    #[test]
    fn proposition_1_holds_for_any_n(n in 1..=u64::MAX) {
        let k = floor_log2(n);
        let (a, b) = NonZeroU64::new(n).map(thresholds).unwrap();
        prop_assert!(a <= 2 << k && b <= 2 << k);
        prop_assert_eq!(a + b * (u128::from(n) - 1), 1 << (2 * k + 1));
    }
}

// The given coin as a letter: it branches into heads with weight p and tails with weight 1 − p, and a machine that flips it
// exactly once is p times its tree after heads plus 1 − p times its tree after tails. Both trees are of fair bits alone.

/// A coin that falls on one side, and counts its flips.
#[derive(Clone)]
struct Letter {
    side: bool,
    flips: Rc<Cell<u32>>,
}

impl Machine for Letter {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, _: &mut B) -> Result<bool, B::Error> {
        self.flips.set(self.flips.get() + 1);
        Ok(self.side)
    }
}

/// The trees of a machine after tails and after heads of its letter; each answer comes with the number of flips of it.
fn letter_trees<T: PartialEq, M: Machine<Output = T>>(
    machine: impl Fn(Letter) -> M,
    depth: u32,
) -> [Tree<(T, u32)>; 2] {
    [false, true].map(|side| {
        let flips = Rc::new(Cell::new(0));
        let machine = machine(Letter { side, flips: Rc::clone(&flips) });
        let counted = from_fn(|bits| {
            flips.set(0);
            let answer = machine.try_sample(bits)?;
            Ok((answer, flips.get()))
        });
        explore(&counted, depth)
    })
}

/// What is wrong with a machine over a letter of weight `p`, if it should have this law within `depth` fair bits.
fn refuse<T: PartialEq + std::fmt::Debug, M: Machine<Output = T>>(
    machine: impl Fn(Letter) -> M,
    p: &BigRational,
    depth: u32,
    law: impl IntoIterator<Item = (T, BigRational)>,
) -> Option<String> {
    let [tails, heads] = letter_trees(machine, depth);
    let mixed = |at_heads, at_tails| p * at_heads + (BigRational::one() - p) * at_tails;
    if !tails.is_reproducible() || !heads.is_reproducible() {
        return Some("chance from elsewhere".into());
    }
    if !tails.open().is_zero() || !heads.open().is_zero() {
        return Some(format!("more than {depth} fair bits"));
    }
    if let Some((_, flips)) = tails.outcomes().iter().chain(heads.outcomes()).find(|of| of.1 != 1) {
        return Some(format!("{flips} flips of the given coin"));
    }
    let mut sum = BigRational::zero();
    for (outcome, wanted) in law {
        let outcome = (outcome, 1);
        let found = mixed(heads.mass(&outcome), tails.mass(&outcome));
        if found != wanted {
            return Some(format!("{:?} has {found}, not {wanted}", outcome.0));
        }
        sum += wanted;
    }
    (!sum.is_one()).then(|| "an answer outside the law".into())
}

/// The expected fair bits of a machine over a letter of weight `p`.
fn expected<T: PartialEq, M: Machine<Output = T>>(
    machine: impl Fn(Letter) -> M,
    p: &BigRational,
    depth: u32,
) -> BigRational {
    let [tails, heads] = letter_trees(machine, depth);
    p * heads.expected_bits() + (BigRational::one() - p) * tails.expected_bits()
}

/// The documented cost of Lemma 2.
fn cost_of_coin(n: u64) -> BigRational {
    let (a, b) = NonZeroU64::new(n).map(thresholds).unwrap();
    let after = |a| kappa(&q(a, 2u128 << floor_log2(n)));
    q(1, n) * after(a) + q(n - 1, n) * after(b)
}

/// The documented cost of Lemma 3.
fn cost_of_die(n: u64) -> BigRational {
    let k = floor_log2(n);
    if n.is_power_of_two() { q(k, 1) } else { q(u64::from(k) << (k + 1), n) }
}

#[test]
fn lemma_2_is_proved_for_n_to_64() {
    for n in 1..=64 {
        let (k, p) = (floor_log2(n), q(1, n));
        let coin = |letter| PowerCoin::new(n, letter).unwrap();
        assert_eq!(refuse(coin, &p, k + 1, coin_law(q(1u64 << k, n))), None, "n = {n}");
        assert_eq!(expected(coin, &p, k + 1), cost_of_coin(n), "n = {n}");
        assert!(cost_of_coin(n) < q(2, 1));
    }
}

#[test]
fn lemma_3_is_proved_for_n_to_64() {
    for n in 1..=64 {
        let k = floor_log2(n);
        let p = q(1u64 << k, n);
        let die = |letter| PowerDie::new(n, letter).unwrap();
        assert_eq!(refuse(die, &p, 2 * k, uniform(n)), None, "n = {n}");
        assert_eq!(expected(die, &p, 2 * k), cost_of_die(n), "n = {n}");
    }
}

#[test]
fn theorem_4_is_proved_for_n_to_63() {
    for n in 1..=63 {
        let (k, p) = (floor_log2(n), q(1, n));
        let die = |letter| Viglietta::new(n, letter).unwrap();
        assert_eq!(refuse(die, &p, 3 * k + 1, uniform(n)), None, "n = {n}");
        assert_eq!(expected(die, &p, 3 * k + 1), cost_of_coin(n) + cost_of_die(n), "n = {n}");
    }
}

#[test]
fn theorem_4_over_an_exact_coin_is_the_die() {
    for n in 1..=63 {
        // The same by the weighted explorer: the coin is one question of weight 1/n, and a roll of 2^k sides is another.
        let coin = OneOver::try_from(n).unwrap();
        let found = explore_weighted(&Viglietta::new(n, coin).unwrap(), 20);
        assert!(found.open().is_zero() && found.is_reproducible(), "n = {n}");
        assert_eq!(found.masses().len() as u64, n);
        assert!(uniform(n).into_iter().all(|(side, mass)| found.mass(&side) == mass), "n = {n}");
    }
    // And in fair bits alone: the coin never ends on tails, so what is open is the coin's.
    let die = Viglietta::new(6, OneOver::try_from(6).unwrap()).unwrap();
    let tree = explore(&die, 14);
    for (side, mass) in uniform(6) {
        assert!(tree.mass(&side) <= mass && mass <= tree.mass(&side) + tree.open(), "{side}");
    }
}

#[test]
fn expected_bits_are_the_published_ones() {
    // With the optimal 1/n coin, at two bits where n is no power of two: 10/3, 26/5, 37/6, 6, 171/20, 63/8, 411/40 …
    let cases =
        [(3u64, 10u16, 3u16), (5, 26, 5), (6, 37, 6), (7, 6, 1), (10, 171, 20), (12, 63, 8)];
    for (n, num, den) in cases.into_iter().chain([(20, 411, 40)]) {
        assert_eq!(q(2, 1) + cost_of_coin(n) + cost_of_die(n), q(num, den), "n = {n}");
    }
}

// Planted mistakes, each refused by the same check.

fn power_coin(n: u64, letter: Letter) -> impl Machine<Output = bool> {
    PowerCoin::new(n, letter).unwrap()
}

/// Lemma 3 as the paper writes it, with everything drawn and a rule of one's own for the answer after heads.
fn die_by(
    n: u64,
    letter: Letter,
    after_heads: impl Fn(u64, u64, u64, u64) -> u64 + Copy,
) -> impl Machine<Output = u64> {
    let k = floor_log2(n);
    let (power, coin) = (1u64 << k, power_coin(n, letter));
    let rolls = Die::new(power).unwrap();
    coin.zip(rolls.zip(rolls)).map(
        move |(heads, (d, other))| {
            if heads { after_heads(power, n - power, d, other) } else { d }
        },
    )
}

#[test]
fn the_paper_to_the_letter_passes() {
    for n in 2..=40 {
        let rule = |power, m, d, other| if d < m { power + d } else { other };
        let k = floor_log2(n);
        let verdict = refuse(|letter| die_by(n, letter, rule), &q(1, n), 3 * k + 1, uniform(n));
        assert_eq!(verdict, None, "n = {n}");
    }
}

#[test]
fn v1_d_and_d_prime_of_the_same_flips_is_refused() {
    let rule = |power, m, d, _| if d < m { power + d } else { d };
    assert!(refuse(|letter| die_by(6, letter, rule), &q(1, 6), 7, uniform(6)).is_some());
    // Sharing the high bit alone is a mistake too. The low bit may be shared: d >= 2 says nothing of it.
    let high = |power, m, d, other| if d < m { power + d } else { d & 2 | other & 1 };
    assert!(refuse(|letter| die_by(6, letter, high), &q(1, 6), 7, uniform(6)).is_some());
    let low = |power, m, d, other| if d < m { power + d } else { d & 1 | other & 2 };
    assert_eq!(refuse(|letter| die_by(6, letter, low), &q(1, 6), 7, uniform(6)), None);
}

#[test]
fn v5_a_strict_comparison_is_refused() {
    let rule = |power, m, d, other| if d <= m { power + d } else { other };
    assert!(refuse(|letter| die_by(6, letter, rule), &q(1, 6), 7, uniform(6)).is_some());
}

#[test]
fn other_planted_mistakes_are_refused() {
    let law = || coin_law(q(4, 6));
    let p = q(1, 6);
    let dyadic = |a, m| Dyadic::new(a, m).unwrap();
    // The true graph of Lemma 2 for 6 is mix(2/8, 6/8); swapped; by 2^k; with the quotient rounded up.
    assert_eq!(refuse(|coin| coin.mix(dyadic(2, 3), dyadic(6, 3)), &p, 3, law()), None);
    assert!(refuse(|coin| coin.mix(dyadic(6, 3), dyadic(2, 3)), &p, 3, law()).is_some());
    assert!(refuse(|coin| coin.mix(dyadic(2, 2), dyadic(3, 2)), &p, 3, law()).is_some());
    assert!(refuse(|coin| coin.mix(dyadic(2, 3), dyadic(7, 3)), &p, 3, law()).is_some());
    // Two flips of the given coin; none; a bit too many.
    let twice = |coin: Letter| coin.clone().zip(power_coin(6, coin)).map(|of| of.1);
    assert_eq!(refuse(twice, &p, 3, law()), Some("2 flips of the given coin".into()));
    let none = |_: Letter| Dyadic::new(3, 2).unwrap();
    assert_eq!(refuse(none, &p, 3, law()), Some("0 flips of the given coin".into()));
    let wasteful = |coin| Die::new(4).unwrap().zip(power_coin(6, coin)).map(|of| of.1);
    assert_eq!(refuse(wasteful, &p, 3, law()), Some("more than 3 fair bits".into()));
    // An answer outside the law.
    let seven = |coin| Viglietta::new(6, coin).unwrap().map(|side| side + 1);
    assert!(refuse(seven, &p, 7, uniform(6)).is_some());
}

// Large n.

#[test]
fn lemma_2_is_proved_at_every_boundary() {
    // After either side the tree is a dyadic coin's: at most k + 1 leaves deep and wide, so it is complete for any n.
    for n in boundaries() {
        let k = floor_log2(n);
        let coin = |letter| PowerCoin::new(n, letter).unwrap();
        let verdict = refuse(coin, &q(1, n), k + 1, coin_law(q(1u64 << k, n)));
        assert_eq!(verdict, None, "n = {n}");
    }
}

/// Flips for `n` bits of `word`, lowest first.
fn flips(word: u64, n: u32) -> impl Iterator<Item = bool> {
    (0..n).map(move |place| word >> place & 1 == 1)
}

#[test]
fn large_dice_answer_what_the_paper_says() {
    for n in boundaries().filter(|&n| n > 2) {
        let k = floor_log2(n);
        let (power, m) = (1u64 << k, n - (1u64 << k));
        let (last, other) = (power - 1, 0x5555_5555_5555_5555 & (power - 1));
        let script = |words: &[u64]| {
            Script::from(words.iter().flat_map(|&word| flips(word, k)).collect::<Vec<_>>())
        };
        let roll = |heads: bool, words: &[u64]| {
            let mut bits = script(words);
            let rolled = if heads {
                PowerDie::new(n, Always).unwrap().try_sample(&mut bits)
            } else {
                PowerDie::new(n, Never).unwrap().try_sample(&mut bits)
            };
            (rolled.ok(), bits.position() as u32)
        };
        for d in [0, m.saturating_sub(1), m.min(last), last] {
            assert_eq!(roll(false, &[d]), (Some(d), k), "n = {n}, tails, d = {d}");
            // Where m is 0 no d can be used, and none is drawn.
            let answer = match (m, d < m) {
                (0, _) => (Some(d), k),
                (_, true) => (Some(power + d), k),
                (_, false) => (Some(other), 2 * k),
            };
            assert_eq!(roll(true, &[d, other]), answer, "n = {n}, heads, d = {d}");
        }
        assert!(m == 0 || roll(true, &[m - 1]).0 == Some(n - 1));
    }
}

proptest! {
    /// The graph against the paper's procedure with the dyadic coins played by hand, on the same flips.
    #[test]
    fn theorem_4_is_the_papers_procedure(
        n in prop_oneof![1..=u64::MAX, 1..=200u64, (0..64u32).prop_map(|k| 1 << k), (1..64u32).prop_map(|k| (1 << k) + 1)],
        side: bool,
        written in prop::collection::vec(any::<bool>(), 3 * 64),
    ) {
        let (k, m) = (floor_log2(n), n - (1u64 << floor_log2(n)));
        let (a, b) = NonZeroU64::new(n).map(thresholds).unwrap();
        let mut at = 0;
        let mut next = || { at += 1; written[at - 1] };
        // Flip until the first heads, but not for digits that are zero to the end.
        let threshold = if side { a } else { b };
        let digits = threshold.trailing_zeros().min(k + 1)..k + 1;
        let heads = threshold == 2 << k
            || digits.rev().find(|_| next()).is_some_and(|place| threshold >> place & 1 == 1);
        let mut number = || (0..k).fold(0, |d, place| d | u64::from(next()) << place);
        let expected = if !heads || m == 0 {
            number()
        } else {
            let d = number();
            if d < m { (1 << k) + d } else { number() }
        };
        let mut bits = Script::from(written.clone());
        let flipped = Cell::new(0);
        let die = Viglietta::new(n, External::new(|| { flipped.set(flipped.get() + 1); side })).unwrap();
        prop_assert_eq!(die.try_sample(&mut bits), Ok(expected));
        prop_assert_eq!(flipped.get(), 1);
        prop_assert_eq!(bits.position(), at);
        prop_assert!(expected < n && at as u32 <= 3 * k + 1);
    }
}

// The coin may be anything.

#[test]
fn the_coin_is_flipped_once_whatever_n_is() {
    let flipped = Cell::new(0);
    for n in (1..=20).chain(boundaries()) {
        let coin = External::new(|| {
            flipped.set(flipped.get() + 1);
            false
        });
        flipped.set(0);
        let mut bits = Script::from(vec![true; 200]);
        assert!(Viglietta::new(n, &coin).unwrap().try_sample(&mut bits).unwrap() < n);
        assert_eq!(flipped.get(), 1, "n = {n}");
    }
}

#[test]
fn recorded_flips_references_and_closures_are_coins() {
    // Recorded throws of a die with one red side of six: red, not, not.
    let mut red = [true, false, false].into_iter();
    let die = Viglietta::new(6, External::new(|| red.next().unwrap())).unwrap();
    let roll = |flips| die.try_sample(&mut Script::from_str(flips).unwrap());
    assert_eq!(roll("HTT"), Ok(0)); // red: 2/8 = 0.01; H is its digit 0: tails, so d = 0
    assert_eq!(roll("TTHT"), Ok(1)); // not: 6/8 = 0.11 ends after TT: tails, so d = 1
    assert_eq!(roll("HTHHH"), Ok(3)); // not: H is digit 1: heads; d = 2 is not below m = 2, so d' = 3

    let coin = OneOver::try_from(10).unwrap();
    let by_reference = Viglietta::new(10, &coin).unwrap();
    let by_value = Viglietta::new(10, coin).unwrap();
    let closure = from_fn(|bits| bits.try_ratio(1, 10));
    let by_closure = Viglietta::new(10, &closure).unwrap();
    let erased = by_value.erased();
    for word in 0..1u64 << 12 {
        let script = || Script::from(flips(word, 12).collect::<Vec<_>>());
        let answer = by_value.try_sample(&mut script());
        assert_eq!(by_reference.try_sample(&mut script()), answer);
        assert_eq!(by_closure.try_sample(&mut script()), answer);
        assert_eq!(erased.try_sample(&mut script()), answer);
    }
}

#[test]
fn the_lemmas_compose_with_any_coin_of_their_probability() {
    // Lemma 3 over the direct 2^k/n coin, cheaper than over Lemma 2: 2 + 8/3 = 14/3 for 6.
    for n in 1..=20u64 {
        let k = floor_log2(n);
        let coin = Rational::<u64>::new(1 << k, n).unwrap();
        let found = explore_weighted(&PowerDie::new(n, coin).unwrap(), 8);
        assert!(found.open().is_zero());
        assert!(uniform(n).into_iter().all(|(side, mass)| found.mass(&side) == mass), "n = {n}");
    }
    // Lemma 2 over a 1/n coin made of others: 1/9 from two flips of 1/3.
    let third = OneOver::try_from(3).unwrap();
    let coin = PowerCoin::new(9, third.then(third)).unwrap();
    assert_eq!(explore_weighted(&coin, 8).mass(&true), q(8, 9));
}

#[test]
fn no_side_is_refused() {
    assert_eq!(Viglietta::new(0, Always).err(), Some(ZeroSides));
    assert_eq!(PowerCoin::new(0, Always).err(), Some(ZeroSides));
    assert_eq!(PowerDie::new(0, Always).err(), Some(ZeroSides));
}
