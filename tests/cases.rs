//! Acceptance: mistakes that real libraries of this kind have made, each with the right behaviour; named by case number.
//!
//! Where a case gives a stream of flips for a coin that compares U < p, the stream here is that of the first-heads rule: same
//! law, same cost. The cases of sources and generators stand in `cases_sources.rs`, those of every machine in `golden.rs`.
#![cfg(feature = "exact")]

#[path = "support/machines.rs"]
mod machines;
mod support;

use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};

use buffon::ProbabilityError::{AboveOne, Negative, NotFinite, ZeroDenominator};
use buffon::{
    Always, BitBuffer, Bracket, Budget, BudgetError, Coin, Die, Dyadic, Fair, Fraction, KnownLaw,
    Machine, Never, OneOver, Rational, Script, Sequential, Slices, Viglietta, Weighted, ZeroSides,
    explore, parity_of_run,
};
use machines::on;
use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};
use rand_core::TryRng;
use support::{DIE_COSTS, coin_law, q, refuse_law, refuse_optimal, two_to_minus, uniform};
use typenum::consts::U3;

fn third() -> Rational<u64> {
    Rational::<u64>::new(1, 3).unwrap()
}

/// The leaves of a coin's tree: what it answers, and after which flips.
fn leaves(coin: &impl Coin, depth: u32) -> Vec<(Vec<bool>, Option<bool>)> {
    let tree = explore(coin, depth);
    tree.leaves().map(|leaf| (leaf.prefix().to_vec(), leaf.outcome().copied())).collect()
}

// Construction.

#[test]
fn t01_above_one_and_zero_denominators() {
    macro_rules! refused {
        ($($int:ty)+) => {$(
            assert_eq!(Rational::<$int>::new(3, 2).err(), Some(AboveOne));
            assert_eq!(Rational::<$int>::new(1, 0).err(), Some(ZeroDenominator));
            assert_eq!(Rational::<$int>::new(0, 0).err(), Some(ZeroDenominator));
            assert_eq!(Rational::try_from(Ratio::<$int>::new_raw(3, 2)).err(), Some(AboveOne));
            assert_eq!(Rational::try_from(Ratio::<$int>::new_raw(1, 0)).err(), Some(ZeroDenominator));
            assert_eq!(Rational::try_from(Ratio::<$int>::new_raw(0, 0)).err(), Some(ZeroDenominator));
            let most = Rational::<$int>::new(<$int>::MAX, <$int>::MAX).unwrap();
            assert_eq!(on(&most, ""), (Some(true), 0));
        )+};
    }
    refused!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    let big = |num: u8, den: u8| Rational::<BigUint>::new(num.into(), den.into()).err();
    assert_eq!(
        [big(3, 2), big(1, 0), big(0, 0)],
        [AboveOne, ZeroDenominator, ZeroDenominator].map(Some)
    );
    assert_eq!(OneOver::try_from(0).err(), Some(ZeroDenominator));
    assert_eq!(Dyadic::new(9, 3).err(), Some(AboveOne));
}

#[test]
fn t02_negative_numbers_of_any_sign_pattern() {
    macro_rules! refused {
        ($($int:ty)+) => {$(
            for (num, den) in [(-1, 2), (1, -2), (-1, -2), (1, <$int>::MIN), (<$int>::MIN, <$int>::MIN)] {
                assert_eq!(Rational::<$int>::new(num, den).err(), Some(Negative), "{num}/{den}");
                let raw = Ratio::<$int>::new_raw(num, den);
                assert_eq!(Rational::try_from(raw).err(), Some(Negative), "{num}/{den}");
            }
        )+};
    }
    refused!(i8 i16 i32 i64 i128 isize);
    let big = Ratio::<BigInt>::new_raw((-1).into(), (-2).into());
    assert_eq!(Rational::try_from(big).err(), Some(Negative));
}

#[test]
fn t03_floating_point_numbers() {
    assert_eq!(Rational::from_f64(f64::NAN).err(), Some(NotFinite));
    assert_eq!(Rational::from_f64(f64::INFINITY).err(), Some(NotFinite));
    assert_eq!(Rational::from_f64(f64::NEG_INFINITY).err(), Some(NotFinite));
    assert_eq!(Rational::from_f64(-5e-324).err(), Some(Negative));
    assert_eq!(Rational::from_f64(1.0f64.next_up()).err(), Some(AboveOne));
    assert_eq!(Rational::from_f64(f64::MAX).err(), Some(AboveOne));
    let [zero, minus_zero, one] = [0.0, -0.0, 1.0].map(|x| Rational::from_f64(x).unwrap());
    assert_eq!(zero, minus_zero);
    assert_eq!([on(&zero, ""), on(&one, "")], [(Some(false), 0), (Some(true), 0)]);
    // The smallest number is there, after 1074 flips.
    let least = Rational::from_f64(5e-324).unwrap();
    assert_eq!(on(&least, &format!("{}H", "T".repeat(1073))), (Some(true), 1074));
    assert_eq!(on(&least, &"T".repeat(1074)), (Some(false), 1074));
}

#[test]
fn t05_fractions_that_are_not_reduced() {
    let raw = Rational::try_from(Ratio::<u64>::new_raw(2, 4)).unwrap();
    let half = Rational::<u64>::new(1, 2).unwrap();
    assert_eq!(raw, half);
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(raw), hasher.hash_one(half));
    assert_eq!(leaves(&raw, 8), leaves(&half, 8));
    let twelve = Rational::<u64>::new(12, 32).unwrap();
    let tree = explore(&twelve, 3);
    assert_eq!((tree.expected_bits(), tree.open()), (q(7, 4), BigRational::zero()));
    assert_eq!(twelve.max_bits(), Some(3));
    assert_eq!(leaves(&twelve, 8), leaves(&Rational::<u64>::new(3, 8).unwrap(), 8));
}

#[test]
fn t08_a_tenth_is_not_the_number_0_1() {
    let stored = Rational::from_f64(0.1).unwrap();
    let value = q(3_602_879_701_896_397_u64, 36_028_797_018_963_968_u64);
    assert_eq!(stored.probability(0), Bracket::exact(value.clone()));
    assert_eq!(value - q(1, 10), q(1, 180_143_985_094_819_840_u64));
    let tree = explore(&stored, 55);
    assert_eq!((tree.expected_bits(), tree.open()), (q(2, 1) - two_to_minus(54), q(0, 1)));
    assert!(!tree.open_after(54).is_zero());
    let tenth = Rational::<u64>::new(1, 10).unwrap();
    assert_eq!(tenth.expected_bits(64), Bracket::exact(q(2, 1)));
    assert_eq!(tenth.max_bits(), None);
    assert_eq!(refuse_optimal(&explore(&tenth, 200), &coin_law(q(1, 10))), None);
}

// Cost and certainty.

/// A generator that must not be asked.
struct Untouchable;

impl TryRng for Untouchable {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("a certain outcome asked for randomness")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("a certain outcome asked for randomness")
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        panic!("a certain outcome asked for randomness")
    }
}

#[test]
fn t09_certain_outcomes_touch_no_generator() {
    let mut none = BitBuffer::new(Untouchable);
    let none = &mut none;
    let [zero, one] = [0, 1].map(|p| Rational::<u64>::new(p, 1).unwrap());
    assert!(!zero.flip(none) && one.flip(none));
    assert!(Rational::<u8>::new(255, 255).unwrap().flip(none));
    assert!(!Never.flip(none) && Always.flip(none));
    assert!(
        !Dyadic::new(0, 70).unwrap().flip(none) && Dyadic::new(1 << 63, 63).unwrap().flip(none)
    );
    assert!(OneOver::try_from(1).unwrap().flip(none));
    assert!(Fraction::<U3, U3>::new().flip(none));
    assert!(!zero.then(Fair).flip(none) && one.or_else(Fair).flip(none));
    assert_eq!(Die::new(1).unwrap().sample(none), 0);
    assert_eq!(Weighted::new([7u32]).unwrap().sample(none), 0);
    assert_eq!(Weighted::new([0u32, 3, 0]).unwrap().sample(none), 1);
    assert_eq!(Sequential::new([0u32, 3, 0]).unwrap().sample(none), 1);
    assert_eq!(Slices::new([Ratio::new(0u8, 1), Ratio::new(1, 1)]).unwrap().sample(none), 1);
    assert_eq!(Viglietta::new(1, Always).unwrap().sample(none), 0);
    assert_eq!((Fair.array::<0>().sample(none), Fair.repeat(0).sample(none)), ([], vec![]));
    // Only the side that is taken is sampled, for its own bits.
    let mixed = one.mix(Die::new(4).unwrap(), Die::new(1 << 20).unwrap());
    assert_eq!(on(&mixed, "HT"), (Some(1), 2));
    assert_eq!(on(&zero.mix(Fair, Always), ""), (Some(true), 0));
}

#[test]
fn t10_dyadic_coins_cost_what_their_digits_cost() {
    let published =
        [(1u64, 1, q(1, 1)), (1, 2, q(3, 2)), (3, 3, q(7, 4)), (1, 64, q(2, 1) - two_to_minus(63))];
    for (a, m, cost) in published {
        let coin = Dyadic::new(a, m).unwrap();
        let tree = explore(&coin, m);
        assert!(tree.open().is_zero() && !tree.open_after(m - 1).is_zero());
        assert_eq!((tree.expected_bits(), coin.expected_bits(0)), (cost.clone(), cost.into()));
    }
    for m in 1..=10u32 {
        for a in (1..1u64 << m).step_by(2) {
            let tree = explore(&Rational::<u64>::new(a, 1 << m).unwrap(), m);
            assert!(tree.open().is_zero() && !tree.open_after(m - 1).is_zero(), "{a}/2^{m}");
            assert_eq!(tree.expected_bits(), q(2, 1) - two_to_minus(m - 1), "{a}/2^{m}");
        }
    }
}

// Tiny probabilities.

#[test]
fn t13_tiny_probabilities_are_neither_zero_nor_rounded() {
    let ten = |n: u32| 10u128.pow(n);
    for (den, digit) in [(1 << 64, 64), (ten(20), 67), (ten(10), 34)] {
        let coin = Rational::<u128>::new(1, den).unwrap();
        let p = q(1, den);
        assert_eq!(coin.probability(0), Bracket::exact(p.clone()));
        assert!(*coin.probability(0).low() > BigRational::zero());
        let tree = explore(&coin, 70);
        assert!(tree.mass(&true) > BigRational::zero());
        // The lower bound is p cut off after 70 digits, so it is not rounded to a coarser grid.
        let shifted: BigRational = &p * (BigInt::one() << 70);
        let cut_off = shifted.floor() * two_to_minus(70);
        assert_eq!(tree.mass(&true), cut_off, "1/{den}");
        assert_eq!(refuse_optimal(&tree, &coin_law(p)), None);
        // Tails until the first digit that is one, and heads there.
        let tails = "T".repeat(digit - 1);
        assert_eq!(on(&coin, &format!("{tails}H")), (Some(true), digit));
        assert_eq!(on(&coin, &format!("{}H", &tails[1..])), (Some(false), digit - 1));
    }
    let power = Rational::<u128>::new(1, 1 << 64).unwrap();
    assert_eq!(on(&power, &"T".repeat(64)), (Some(false), 64));
}

#[test]
fn t14_one_less_a_tiny_probability_is_not_one() {
    let near = Rational::<u128>::new((1 << 70) - 1, 1 << 70).unwrap();
    let complement = Dyadic::new(1, 70).unwrap().not();
    let p = q(1, 1) - two_to_minus(70);
    for probability in [near.probability(0), complement.probability(0)] {
        assert_eq!(probability, Bracket::exact(p.clone()));
    }
    assert_eq!(on(&near, &"T".repeat(70)), (Some(false), 70));
    assert_eq!(on(&complement, &format!("{}H", "T".repeat(69))), (Some(false), 70));
    for tree in [explore(&near, 70), explore(&complement, 70)] {
        assert_eq!((tree.mass(&false), tree.open()), (two_to_minus(70), q(0, 1)));
    }
}

// Dice.

#[test]
fn t24_dice_of_no_side_of_one_and_of_a_power_of_two() {
    assert_eq!(Die::new(0).err(), Some(ZeroSides));
    assert_eq!(on(&Die::new(1).unwrap(), ""), (Some(0), 0));
    for k in 0..=10 {
        let tree = explore(&Die::new(1 << k).unwrap(), k);
        assert!(tree.open().is_zero());
        assert!((0..1 << k).all(|side| tree.count(&side, k) == 1), "2^{k}");
    }
    for k in 11..64usize {
        let die = Die::new(1 << k).unwrap();
        assert_eq!(on(&die, &"H".repeat(64)), (Some((1 << k) - 1), k));
        assert_eq!(on(&die, &"T".repeat(64)), (Some(0), k));
    }
}

#[test]
fn t25_dice_cost_the_optimum() {
    for (n, num, den) in DIE_COSTS {
        let die = Die::new(n).unwrap();
        assert_eq!(die.expected_bits(32), Bracket::exact(q(num, den)), "n = {n}");
        assert_eq!(refuse_optimal(&explore(&die, 40), &uniform(n)), None, "n = {n}");
    }
}

#[test]
fn t27_sides_have_equal_mass_at_every_depth() {
    for n in [3, 14] {
        let tree = explore(&Die::new(n).unwrap(), 20);
        for depth in 0..=20 {
            let leaves = tree.count(&0, depth);
            assert!((0..n).all(|side| tree.count(&side, depth) == leaves), "{n} at {depth}");
        }
    }
    let tree = explore(&Die::new(3).unwrap(), 20);
    assert_eq!(tree.open(), two_to_minus(20));
    for side in 0..3 {
        assert_eq!(tree.mass(&side), (q(1, 1) - two_to_minus(20)) / BigInt::from(3));
    }
}

// Adversarial bits.

#[test]
fn t29_the_string_on_which_a_die_never_ends() {
    for (n, flips) in [(3, 2), (6, 3)] {
        let die = Die::new(n).unwrap();
        let mut heads = Budget::new(Script::from(vec![true; 5000]), 4096);
        assert_eq!(die.try_sample(&mut heads), Err(BudgetError::Exhausted));
        assert_eq!(on(&die, &"T".repeat(64)), (Some(0), flips));
        assert_eq!(die.try_sample(&mut Script::from(vec![false; flips])), Ok(0)); // usable again
    }
}

#[test]
fn t31_the_most_bits_that_an_answer_takes() {
    let three_eighths = Rational::<u64>::new(3, 8).unwrap();
    assert_eq!(three_eighths.max_bits(), Some(3));
    assert_eq!(third().max_bits(), None);
    assert_eq!((Never.max_bits(), Always.max_bits()), (Some(0), Some(0)));
    assert_eq!(Rational::<u64>::new(0, 3).unwrap().max_bits(), Some(0));
    assert_eq!(parity_of_run(OneOver::new).max_bits(), None);
    assert_eq!(Die::new(16).unwrap().max_bits(), Some(4));
    assert_eq!(three_eighths.then(Fair).max_bits(), Some(4));
    let die = Viglietta::new(6, Always).unwrap();
    assert!(die.max_bits().is_some_and(|bits| bits <= 7));
    // A budget of that many bits is always enough, and one less is not.
    let tree = explore(&three_eighths, 3);
    assert!(tree.open().is_zero() && !tree.open_after(2).is_zero());
    for word in 0..8u32 {
        let flips = (0..3).map(|place| word >> place & 1 == 1).collect::<Vec<_>>();
        assert!(three_eighths.try_flip(&mut Budget::new(Script::from(flips), 3)).is_ok());
    }
    let short = three_eighths.try_flip(&mut Budget::new(Script::from(vec![false; 3]), 2));
    assert_eq!(short, Err(BudgetError::Exhausted));
}

// The algebra.

#[test]
fn t42_fresh_flips_and_identities() {
    let c = third();
    let both = c.then(c);
    assert_eq!(both.probability(0), Bracket::exact(q(1, 9)));
    assert_eq!(both.expected_bits(0), Bracket::exact(q(8, 3)));
    assert_eq!(refuse_law(&explore(&both, 20), &coin_law(q(1, 9))), None);
    assert!(refuse_law(&explore(&both, 20), &coin_law(q(1, 3))).is_some());
    let mixed = Fair.mix(c, Rational::<u64>::new(2, 3).unwrap());
    assert_eq!(mixed.probability(0), Bracket::exact(q(1, 2)));
    assert_eq!(mixed.expected_bits(0), Bracket::exact(q(3, 1)));
    assert_eq!(refuse_law(&explore(&mixed, 20), &coin_law(q(1, 2))), None);
    assert_eq!(leaves(&c.not().not(), 20), leaves(&c, 20));
}
