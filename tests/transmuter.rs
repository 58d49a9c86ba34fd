//! The transmuter: digit for digit the plain rational definition, there and back, and exact in law.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod support;

use std::cell::Cell;
use std::iter;

use buffon::transmuter::{Bounded, Lossless};
use buffon::{
    BitSource, Machine, RollOutOfRange, Script, ScriptEnded, SidesOutOfRange, Transmuter, explore,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::q;

const MOST: u64 = 1 << 32;

/// The program of the text, with the interval taken as [min, min + len): "the space fall entirely within the domain
/// covered by a single digit". (As printed the epsilon is added, which makes the interval closed.)
struct Plain {
    n: u64,
    m: u64,
    min: BigRational,
    len: BigRational,
}

impl Plain {
    fn new(n: u64, m: u64) -> Self {
        Self { n, m, min: BigRational::zero(), len: BigRational::one() }
    }

    fn push(&mut self, roll: u32) -> Vec<u32> {
        let whole = |n: u64| BigRational::from_integer(n.into());
        self.len /= whole(self.n);
        self.min += &self.len * whole(roll.into());
        let mut digits = Vec::new();
        loop {
            let min = &self.min * whole(self.m);
            let max = (&self.min + &self.len) * whole(self.m);
            let digit = min.floor();
            if digit != max.ceil() - whole(1) {
                return digits;
            }
            digits.push(digit.to_integer().to_u32().unwrap());
            self.min = min - digit;
            self.len *= whole(self.m);
        }
    }

    fn convert(rolls: &[u32], n: u64, m: u64) -> Vec<u32> {
        let mut plain = Self::new(n, m);
        rolls.iter().flat_map(|&roll| plain.push(roll)).collect()
    }
}

fn lossless<I: IntoIterator<Item = u32>>(rolls: I, n: u64, m: u64) -> Lossless<I::IntoIter> {
    Transmuter::new(n, m).unwrap().lossless(rolls)
}

fn bounded<I: IntoIterator<Item = u32>>(rolls: I, n: u64, m: u64) -> Bounded<I::IntoIter> {
    Transmuter::new(n, m).unwrap().bounded(rolls)
}

fn streamed(rolls: &[u32], n: u64, m: u64) -> Vec<u32> {
    lossless(rolls.iter().copied(), n, m).map(Result::unwrap).collect()
}

fn at_once(rolls: &[u32], n: u64, m: u64) -> Vec<u32> {
    Transmuter::new(n, m).unwrap().convert(rolls).unwrap()
}

/// The answers, after all ways agree on them.
fn agreed(rolls: &[u32], n: u64, m: u64) -> Vec<u32> {
    let answers = at_once(rolls, n, m);
    assert!(answers == streamed(rolls, n, m), "{} rolls of {n} to {m}", rolls.len());
    answers
}

/// Rolls of a seeded generator.
fn seeded(count: usize, n: u64, seed: u64) -> Vec<u32> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(|_| rng.random_range(0..n) as u32).collect()
}

fn sides() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 2..=40u64, 1 => 2..=MOST, 1 => MOST - 3..=MOST, 1 => (1..=32u32).prop_map(|k| 1 << k)]
}

/// Two dice, and rolls of the first: any, or the digits of a border between digits of the second and what lies beside it.
fn dice_and_rolls(most: usize) -> impl Strategy<Value = (u64, u64, Vec<u32>)> {
    (sides(), sides(), vec(any::<u32>(), 0..most), any::<(u32, u8, i8, u8)>()).prop_map(
        |(n, m, words, (c, depth, nudge, keep))| {
            let border = border_digits(n, m, c, u32::from(depth % 6) + 1, words.len());
            let keep = usize::from(keep).min(words.len());
            let rolls = words.iter().zip(border).enumerate().map(|(place, (&word, digit))| {
                let random = (u64::from(word) % n) as u32;
                match nudge {
                    ..=-80 => random,
                    80.. if place == keep => (u64::from(digit) + 1).min(n - 1) as u32,
                    -79..=-40 if place == keep => digit.saturating_sub(1),
                    _ if place > keep => random,
                    _ => digit,
                }
            });
            (n, m, rolls.collect())
        },
    )
}

/// The digits of c/m^depth in base n.
fn border_digits(n: u64, m: u64, c: u32, depth: u32, count: usize) -> Vec<u32> {
    let all = BigInt::from(m).pow(depth);
    let mut rest: BigInt = BigInt::from(c) * 7919 % &all;
    let mut digit = || {
        rest *= n;
        let digit: BigInt = &rest / &all;
        rest %= &all;
        digit.to_u32().unwrap()
    };
    (0..count).map(|_| digit()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn it_is_the_plain_definition_digit_for_digit((n, m, rolls) in dice_and_rolls(70)) {
        let plain = Plain::convert(&rolls, n, m);
        prop_assert_eq!(&plain, &streamed(&rolls, n, m));
        prop_assert_eq!(&plain, &at_once(&rolls, n, m));
    }

    #[test]
    fn both_ways_agree_on_long_strings((n, m, rolls) in dice_and_rolls(2500)) {
        prop_assert_eq!(at_once(&rolls, n, m), streamed(&rolls, n, m));
    }

    #[test]
    fn there_and_back_again((n, m, rolls) in dice_and_rolls(400)) {
        let there = at_once(&rolls, n, m);
        let back = at_once(&there, m, n);
        prop_assert!(rolls.starts_with(&back));
        let again = lossless(rolls.iter().copied(), n, m);
        let again: Result<Vec<u32>, _> = Transmuter::new(m, n).unwrap().lossless(again).collect();
        prop_assert_eq!(back, again.unwrap());
    }
}

/// An answer comes with the very roll that fixes it, as in the plain definition.
#[test]
fn no_answer_is_late() {
    for (n, m) in [(2, 6), (6, 2), (10, 7), (3, 4), (2, 2), (4, 6), (MOST, 10)] {
        let rolls = seeded(150, n, n + m);
        let taken = Cell::new(0);
        let counted = rolls.iter().copied().inspect(|_| taken.set(taken.get() + 1));
        let mut answers = lossless(counted, n, m);
        let mut plain = Plain::new(n, m);
        for (place, &roll) in rolls.iter().enumerate() {
            for digit in plain.push(roll) {
                assert_eq!(answers.next(), Some(Ok(digit)));
                assert_eq!(taken.get(), place + 1, "{n} to {m}");
            }
        }
        assert_eq!(answers.next(), None);
    }
}

#[test]
fn thousands_of_rolls_agree_with_the_plain_definition() {
    for (n, m, count) in [(2, 6, 1200), (6, 2, 700), (10, 7, 500), (7, MOST, 500), (MOST, 3, 60)] {
        let rolls = seeded(count, n, 1);
        assert_eq!(Plain::convert(&rolls, n, m), agreed(&rolls, n, m), "{n} to {m}");
    }
}

/// Long enough for many levels, for every kind of pair; and back, where P(a lag of k bits) <= sides·2^-k.
#[test]
fn many_rolls_agree_and_come_back() {
    let pairs = [(2, 6), (6, 2), (10, 7), (7, 10), (3, 9), (12, 18), (1000, 999), (2, MOST)];
    for (n, m) in pairs.into_iter().chain([(MOST, MOST - 1), (MOST - 1, MOST), (MOST, 2)]) {
        let count = if n > 1000 { 2000 } else { 30_000 };
        let rolls = seeded(count, n, n * m);
        let answers = agreed(&rolls, n, m);
        let back = agreed(&answers, m, n);
        assert!(rolls.starts_with(&back));
        assert!((rolls.len() - back.len()) as u64 * u64::from(n.ilog2()) < 160, "{n} to {m}");
    }
}

#[test]
fn rolls_that_keep_a_border_inside() {
    for (n, m) in [(2, 3), (2, 6), (6, 2), (10, 6), (10, 7), (3, 2), (5, 3), (MOST, 3), (3, MOST)] {
        let top = (n - 1) as u32;
        let patterns: [&[u32]; 6] =
            [&[0], &[top], &[0, 1], &[1, 0], &[(n / 2) as u32, 0, 0, 0, 0, 0, 0], &[0, top]];
        for pattern in patterns {
            let rolls: Vec<u32> = pattern.iter().copied().cycle().take(3000).collect();
            let answers = agreed(&rolls, n, m);
            let short = &rolls[..if n.max(m) == MOST { 30 } else { 120 }];
            let plain = Plain::convert(short, n, m);
            assert_eq!(plain, agreed(short, n, m), "{pattern:?} of {n} to {m}");
            assert!(answers.starts_with(&plain));
        }
        // On a border for long, then to one side of it, and at random from there.
        for (c, depth, count) in [(1, 1, 700), (5, 3, 400), (2, 1, 1500)] {
            let mut rolls = border_digits(n, m, c, depth, count);
            for nudge in [0, 1, n - 1] {
                rolls[count - 1] = ((u64::from(rolls[count - 1]) + nudge) % n) as u32;
                rolls.extend(seeded(300, n, nudge));
                agreed(&rolls, n, m);
                rolls.truncate(count);
            }
        }
    }
}

/// Where the powers of both meet, all that came in comes out.
#[test]
fn powers_of_one_number_keep_nothing_back() {
    for (n, m, rolls_to_settle) in [(2, 4, 2), (4, 2, 1), (8, 4, 2), (9, 27, 3), (6, 36, 2)] {
        let rolls = seeded(6 * 500, n, 3);
        let mut answers = lossless(rolls.iter().copied(), n, m);
        let mut inverse = lossless(answers.by_ref().map(Result::unwrap), m, n);
        assert!(inverse.by_ref().map(Result::unwrap).eq(rolls.iter().copied()), "{n} to {m}");
        assert!(!at_once(&rolls[..rolls_to_settle], n, m).is_empty());
    }
    let rolls = seeded(1000, 5, 4);
    assert_eq!(agreed(&rolls, 5, 5), rolls);
}

/// Gidney measured average delays between 4.5 and 4.9 flips for 2 sides to 6 and back.
#[test]
fn the_delay_there_and_back_is_that_of_the_text() {
    const FLIPS: u64 = 50_000;
    for seed in 1..=3 {
        let flips = seeded(FLIPS as usize, 2, seed);
        let taken = Cell::new(0u64);
        let counted = flips.iter().copied().inspect(|_| taken.set(taken.get() + 1));
        let there = lossless(counted, 2, 6);
        let back = Transmuter::new(6, 2).unwrap().lossless(there);
        // After flip t, t less those given back by then; flip number i is given back when `taken` have been taken.
        let (mut owed, mut given) = (FLIPS * (FLIPS + 1) / 2, 0);
        for flip in back {
            assert_eq!(flip, Ok(flips[given as usize]));
            given += 1;
            owed -= FLIPS - taken.get() + 1;
        }
        let thousandths = owed * 1000 / FLIPS;
        assert!((4500..4900).contains(&thousandths), "{thousandths} thousandths of a flip");
    }
}

/// P(at least k bits of rolls not shown) <= m·2^-k, counted over all strings of twelve flips, or seven rolls of three.
#[test]
fn the_lag_is_bounded_as_documented() {
    for (n, m, length) in [(2u64, 6u64, 12u32), (3, 2, 7), (2, 3, 12), (4, 10, 6)] {
        let all = n.pow(length);
        let shown: Vec<u64> = (0..all)
            .map(|string| {
                let rolls: Vec<u32> =
                    (0..length).map(|place| (string / n.pow(place) % n) as u32).collect();
                m.pow(streamed(&rolls, n, m).len() as u32)
            })
            .collect();
        for k in 0..length {
            let late = shown.iter().filter(|&&shown| all >= shown << k).count() as u64;
            assert!(late << k <= m * all, "{n} to {m}: {late} of {all} lag {k} bits");
        }
    }
}

/// The first answers of a converter, as a machine, for the explorer.
struct First<const N: usize> {
    m: u64,
}

impl<const N: usize> Machine for First<N> {
    type Output = [u32; N];

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<[u32; N], B::Error> {
        let mut failed = None;
        let flips = iter::from_fn(|| bits.try_bit().map_err(|error| failed = Some(error)).ok());
        let rolls = Transmuter::new(2, self.m).unwrap().lossless(flips);
        let rolls: Vec<u32> = rolls.take(N).map(Result::unwrap).collect();
        rolls.try_into().map_err(|_| failed.unwrap())
    }
}

/// Each tuple of answers has at most 1/m^N of the strings of `depth` flips, and what is missing is open: the exact law.
fn assert_fair<const N: usize>(m: u64, depth: u32) {
    let tree = explore(&First::<N> { m }, depth);
    let each = q(1, BigInt::from(m).pow(N as u32));
    assert_eq!(tree.outcomes().len() as u64, m.pow(N as u32));
    for outcome in tree.outcomes() {
        let mass = tree.mass(outcome);
        assert!(mass <= each && &mass + tree.open() >= each, "{m}: {outcome:?} has {mass}");
    }
    assert!(tree.is_reproducible() && tree.open() < q(1, 8), "{m}: {}", tree.open());
}

#[test]
fn answers_from_fair_flips_are_fair_and_independent() {
    for m in [2, 3, 4, 5, 6, 7, 10] {
        assert_fair::<1>(m, 14);
        assert_fair::<2>(m, 14);
    }
    assert_fair::<3>(3, 14);
    assert_fair::<3>(6, 15);
}

/// The text's own example: 0.1010101010 begins with 0.1 or 0.2 in base 3.
#[test]
fn the_example_of_the_text() {
    let alternating: Vec<u32> = [1, 0].into_iter().cycle().take(10).collect();
    assert!(agreed(&alternating, 2, 3).is_empty());
    let one: Vec<u32> = alternating.iter().copied().chain([0, 0]).collect();
    let two: Vec<u32> = alternating.iter().copied().chain([1, 1]).collect();
    assert_eq!(agreed(&one, 2, 3)[..3], [1, 2, 2]);
    assert_eq!(agreed(&two, 2, 3)[..3], [2, 0, 0]);
}

#[test]
fn dice_and_rolls_out_of_range_are_refused() {
    for sides in [0, 1, MOST + 1, u64::MAX] {
        for refused in [Transmuter::new(sides, 6), Transmuter::new(6, sides)] {
            assert_eq!(refused.map_err(|error: SidesOutOfRange| error.sides()), Err(sides));
        }
    }
    let widest = Transmuter::new(MOST, MOST).unwrap();
    assert_eq!((widest.sides_in(), widest.sides_out()), (MOST, MOST));
    assert_eq!(widest.convert(&[u32::MAX, 0]).unwrap(), [u32::MAX, 0]);

    let six = Transmuter::new(6, 2).unwrap();
    let error = six.convert(&[1, 5, 6, 7]).unwrap_err();
    assert_eq!((error.roll(), error.sides()), (6, 6));
    assert_eq!(error.to_string(), "6 is not a side of a die of 6 sides, from 0 up");
    assert_eq!(six.lossless([1 << 40, 3u64]).next().unwrap().unwrap_err().roll(), 1 << 40);
}

/// A bad roll is answered where it stands, and otherwise as if it had not come.
#[test]
fn a_bad_roll_changes_nothing() {
    let rolls = seeded(300, 6, 5);
    let spoiled: Vec<u32> = rolls.iter().flat_map(|&roll| [roll, 6 + roll]).collect();
    let split = |answers: Vec<Result<u32, RollOutOfRange>>| {
        let bad = answers.iter().filter(|answer| answer.is_err()).count();
        (answers.into_iter().filter_map(Result::ok).collect::<Vec<_>>(), bad)
    };
    assert_eq!(split(lossless(spoiled.clone(), 6, 2).collect()), (streamed(&rolls, 6, 2), 300));
    let plain: Vec<u32> = bounded(rolls, 6, 2).map(Result::unwrap).collect();
    assert_eq!(split(bounded(spoiled, 6, 2).collect()), (plain, 300));
}

#[derive(Debug, PartialEq)]
enum Trouble {
    Roll(RollOutOfRange),
    Source(ScriptEnded),
}

impl From<RollOutOfRange> for Trouble {
    fn from(error: RollOutOfRange) -> Self {
        Self::Roll(error)
    }
}

/// Rolls of every kind: flips, small and large numbers, and results with an error of their own.
#[test]
fn rolls_come_in_many_types() {
    let flips = [true, false, true, true, false, false, true, false, true];
    let two_to_six = Transmuter::new(2, 6).unwrap();
    let wanted: Vec<_> = two_to_six.lossless(flips).collect();
    let plain = Plain::convert(&flips.map(u32::from), 2, 6);
    assert!(plain.len() == 2 && plain.into_iter().map(Ok).eq(wanted.iter().copied()));
    assert!(two_to_six.lossless(flips.map(u8::from)).eq(wanted.iter().copied()));
    assert!(two_to_six.lossless(flips.map(u16::from)).eq(wanted.iter().copied()));
    assert!(two_to_six.lossless(flips.map(u64::from)).eq(wanted.iter().copied()));

    let mut script = Script::from_str("HTHHTTHTH").unwrap();
    let source = iter::from_fn(|| Some(script.try_bit().map_err(Trouble::Source)));
    let mut answers = two_to_six.lossless(source);
    for answer in wanted {
        assert_eq!(answers.next(), Some(answer.map_err(Trouble::Roll)));
    }
    assert_eq!(answers.next(), Some(Err(Trouble::Source(ScriptEnded))));
}

/// m^answers, as a share of n^rolls in thousandths of the bits: outputs·log2 m against rolls·log2 n, in whole numbers.
fn bits_of(sides: u64) -> u64 {
    // log2(sides)·10^9, from the length of sides^1000000 … by squaring in 64 bits of precision.
    let (mut rest, mut digits) = (u128::from(sides) << (63 - sides.ilog2()), 0u64);
    for _ in 0..40 {
        rest = (rest * rest) >> 63;
        digits <<= 1;
        if rest >> 64 == 1 {
            digits |= 1;
            rest >>= 1;
        }
    }
    u64::from(sides.ilog2()) * 1_000_000_000 + ((u128::from(digits) * 1_000_000_000) >> 40) as u64
}

#[test]
fn the_rate_is_the_entropy() {
    assert_eq!((bits_of(6), bits_of(8)), (2_584_962_500, 3_000_000_000));
    for (n, m, count) in
        [(2, 6, 1_000_000), (6, 2, 1_000_000), (10, 7, 1_000_000), (MOST, 1000, 300_000)]
    {
        let rolls = seeded(count, n, 6);
        let answers = bounded(rolls, n, m).map(Result::unwrap).count() as u64;
        let (out, all) = (answers * bits_of(m), count as u64 * bits_of(n));
        // Nothing but what is left at the end is missing: at most 40 bits of a million and more.
        assert!(out <= all && all - out < 40_000_000_000, "{n} to {m}: {out} of {all}");
    }
    for (n, m) in [(2, 6), (10, 7)] {
        let answers = at_once(&seeded(100_000, n, 7), n, m).len() as u64;
        let (out, all) = (answers * bits_of(m), 100_000 * bits_of(n));
        assert!(out <= all && all - out < 40_000_000_000, "{n} to {m}: {out} of {all}");
    }
}

/// What a bounded converter answers is pinned.
#[test]
fn bounded_answers_are_pinned() {
    let rolls = [3, 1, 4, 1, 5, 0, 2, 5, 3, 5];
    // 3 + 1·6 + 4·36 + … = 56567289, digits in base 10 from the lowest; 6^10 = 60466176 is cut to 60466170, …
    let answers: Vec<u32> = bounded(rolls, 6, 10).map(Result::unwrap).collect();
    let mut value: u64 = (0..).zip(rolls).map(|(k, roll)| u64::from(roll) * 6u64.pow(k)).sum();
    let mut range = 6u64.pow(10);
    let mut wanted = Vec::new();
    while range >= 10 {
        assert!(value < range - range % 10);
        wanted.push((value % 10) as u32);
        (value, range) = (value / 10, range / 10);
    }
    assert_eq!(answers, wanted);
}
