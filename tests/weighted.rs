//! The choosers: their law and cost proved on exact trees, their input checked, their answers pinned.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt;

use buffon::{
    Alias, BitBuffer, BitSource, Bracket, Budget, BudgetError, Counted, KnownLaw, Machine,
    Rational, Script, Sequential, Tail, WeightError, Weighted, explore, explore_weighted,
};
use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng, TryRng};

fn ratio(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

/// The law that the weights state, as big rationals.
fn law(weights: &[BigRational]) -> Vec<BigRational> {
    let total: BigRational = weights.iter().sum();
    weights.iter().map(|weight| weight / &total).collect()
}

fn integer_law(weights: &[u128]) -> Vec<BigRational> {
    law(&weights.iter().map(|&w| BigRational::from_integer(w.into())).collect::<Vec<_>>())
}

/// 2^k·p without its whole part.
fn rest(p: &BigRational, k: u32) -> BigRational {
    (p * (BigInt::one() << k)).fract()
}

/// The tree has on each level exactly the leaves that the binary digits of the law ask for: it is the optimal tree.
fn assert_optimal(chooser: &Weighted, law: &[BigRational], depth: u32) {
    let tree = explore(chooser, depth);
    assert!(tree.is_reproducible());
    for k in 0..=depth {
        for (outcome, p) in law.iter().enumerate() {
            let digit = (p * (BigInt::one() << k)).to_integer() % 2u8;
            assert_eq!(BigInt::from(tree.count(&outcome, k)), digit, "{chooser:?}: {outcome}, {k}");
        }
        let open: BigRational = law.iter().map(|p| rest(p, k)).sum();
        assert_eq!(tree.open_after(k), open / (BigInt::one() << k), "{chooser:?}: level {k}");
    }
    assert!(tree.outcomes().iter().all(|&outcome| !law[outcome].is_zero()));
}

/// The cost of the optimal tree, exactly: Σ N(k)·2^-k, where N is periodic once k has passed the twos of the total.
fn optimum(law: &[BigRational]) -> BigRational {
    const START: u32 = 16;
    let rests = |k| law.iter().map(|p| rest(p, k)).collect::<Vec<_>>();
    let half = |k: u32| BigRational::new(BigInt::one(), BigInt::one() << k);
    let cost = |k| rests(k).iter().sum::<BigRational>() * half(k);
    let period = (1..).find(|period| rests(START + period) == rests(START)).unwrap();
    let first: BigRational = (0..START).map(cost).sum();
    let cycle: BigRational = (START..START + period).map(cost).sum();
    first + cycle / (BigRational::one() - half(period))
}

/// The explored cost, a lower bound, is within what its open mass can still add of the stated one.
fn assert_costs<M: Machine<Output = usize>>(machine: &M, stated: &BigRational) {
    let tree = explore(machine, 40);
    let lower = tree.expected_bits();
    // The machines here lose at least half of their open mass in each round of at most four levels.
    let upper = &lower + tree.open() * BigInt::from(8);
    assert!(lower <= *stated && *stated <= upper, "{lower} <= {stated} <= {upper}");
}

/// All vectors of up to four entries, each up to 4.
fn small_vectors() -> impl Iterator<Item = Vec<u128>> {
    (1..=4u32).flat_map(|n| {
        (0..5u128.pow(n)).map(move |code| (0..n).map(|place| code / 5u128.pow(place) % 5).collect())
    })
}

#[test]
fn all_small_weights_have_the_optimal_tree() {
    let mut proved = 0;
    for weights in small_vectors() {
        if weights.iter().all(|&weight| weight == 0) {
            assert_eq!(Weighted::new(&weights).unwrap_err(), WeightError::AllZero);
            continue;
        }
        assert_optimal(&Weighted::new(&weights).unwrap(), &integer_law(&weights), 16);
        proved += 1;
    }
    assert_eq!(proved, 5 + 25 + 125 + 625 - 4);
}

#[test]
fn all_small_weights_chosen_in_turn() {
    for weights in small_vectors() {
        let Ok(chooser) = Sequential::new(&weights) else {
            assert!(weights.iter().all(|&weight| weight == 0));
            continue;
        };
        // With each coin as one question the tree is finite: a complete proof.
        let tree = explore_weighted(&chooser, 4);
        assert!(tree.open().is_zero() && tree.is_reproducible());
        let law = integer_law(&weights);
        for (outcome, p) in law.iter().enumerate() {
            assert_eq!(tree.mass(&outcome), *p, "{weights:?}");
        }
    }
}

#[test]
fn stated_costs() {
    let cases: [(&[u128], BigRational); 9] = [
        (&[1000, 9000, 6000], ratio(15, 8)),
        (&[1, 9, 6], ratio(15, 8)),
        (&[5, 0, 3], ratio(7, 4)),
        (&[0, 1, 1], ratio(1, 1)),
        (&[1, 0], ratio(0, 1)),
        (&[7], ratio(0, 1)),
        (&[1, 2, 3], ratio(2, 1)),
        (&[1, 1, 2, 3, 2], ratio(32, 9)),
        (&[5, 10, 20, 65], ratio(5, 2)),
    ];
    for (weights, cost) in cases {
        assert_eq!(optimum(&integer_law(weights)), cost, "{weights:?}");
        assert_costs(&Weighted::new(weights).unwrap(), &cost);
    }
    let cost = optimum(&integer_law(&[1, 1, 1, 97]));
    assert_costs(&Weighted::new([1, 1, 1, 97]).unwrap(), &cost);
    assert_eq!((cost * ratio(1000, 1)).round().to_i32(), Some(2021));

    let thirds = optimum(&[ratio(1, 3), ratio(2, 3)]);
    assert_eq!(thirds, ratio(2, 1));
    assert_costs(&Sequential::new([1, 1, 1, 1]).unwrap(), &ratio(7, 2));
    assert_costs(&Sequential::new([1, 2, 3]).unwrap(), &ratio(11, 3));
    assert_costs(&Sequential::new([3, 2, 1]).unwrap(), &ratio(2, 1)); // 1 + 2/2
    assert_costs(&Sequential::new([0, 3, 0, 2, 1, 0]).unwrap(), &ratio(2, 1));
}

#[test]
fn what_is_refused() {
    use WeightError::{AllZero, Empty, Negative, NotFinite, Overflow, ZeroDenominator};
    fn refused<W: buffon::Weight>(weights: &[W], error: WeightError) {
        assert_eq!(Weighted::new(weights).unwrap_err(), error);
        assert_eq!(Sequential::new(weights).unwrap_err(), error);
        assert_eq!(Alias::new(weights).unwrap_err(), error);
    }
    refused::<u32>(&[], Empty);
    refused(&[0, 0, 0], AllZero);
    refused(&[0.0, -0.0], AllZero);
    refused(&[-1, 2], Negative { index: 0 });
    refused(&[1, i128::MIN], Negative { index: 1 });
    refused(&[f64::NAN, 100.0, 1.0, 1.0], NotFinite { index: 0 });
    refused(&[f64::INFINITY], NotFinite { index: 0 });
    refused(&[1.0, f32::NEG_INFINITY], NotFinite { index: 1 });
    refused(&[1.0, -5e-324], Negative { index: 1 });
    refused(&[u128::MAX, 1], Overflow);
    refused(&[1e-30, 1e30], Overflow);
    refused(&[f64::MAX, f64::from_bits(1)], Overflow);
    refused(&[BigUint::one() << 128u8, BigUint::one()], Overflow);
    refused(&[Ratio::new(1, 2), Ratio::new_raw(1, 0)], ZeroDenominator { index: 1 });
    refused(&[Ratio::new_raw(0u8, 0)], ZeroDenominator { index: 0 });
    refused(&[Ratio::new_raw(1, -2)], Negative { index: 0 });
    refused(&[Ratio::new_raw(-1, -2)], Negative { index: 0 });
    refused(&[Ratio::new_raw(1, i64::MIN)], Negative { index: 0 });
    refused(&[Ratio::new(0, 7), Ratio::zero()], AllZero);
    // Denominators without a common one of a sane size.
    let primes = (2..4000u64).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    refused(&primes.map(|prime| Ratio::new(1, prime)).collect::<Vec<_>>(), Overflow);
}

#[test]
#[allow(clippy::needless_borrows_for_generic_args, reason = "references are what is tested")]
fn every_kind_of_list_and_number() {
    let expected = Weighted::new([1, 9, 6]).unwrap();
    assert!(expected.weights().eq([1, 9, 6]));
    assert_eq!((expected.total(), expected.weights().len()), (16, 3));
    let vector = vec![1000u64, 9000, 6000];
    let halves = [Ratio::new(1, 2), Ratio::new(9, 2), Ratio::new_raw(6, 2)];
    let choosers = [
        Weighted::new(&[1000, 9000, 6000]),
        Weighted::new(&vector),
        Weighted::new(vector.as_slice()),
        Weighted::new(vector.iter().map(|weight| weight + weight)),
        Weighted::new(vector),
        Weighted::new([1u8, 9, 6]),
        Weighted::new([1usize, 9, 6]),
        Weighted::new([3i128, 27, 18]),
        Weighted::new([1, 9, 6].map(|n| u128::MAX / 30 * n)),
        Weighted::new([0.5, 4.5, 3.0]),
        Weighted::new([0.125f32, 1.125, 0.75]),
        Weighted::new([1u32, 9, 6].map(|n| BigUint::from(n) << 500u32)),
        Weighted::new(&halves),
        Weighted::new(halves.map(|half| half / 1_000_003)),
        Weighted::new([1, 9, 6].map(|n| BigRational::new(n.into(), BigInt::one() << 300u32))),
    ];
    for (place, chooser) in choosers.into_iter().enumerate() {
        assert_eq!(chooser.unwrap(), expected, "{place}");
    }
}

#[test]
fn certain_outcomes_draw_nothing() {
    let mut nothing = Script::from_str("").unwrap();
    let cases = [(vec![0, 3, 0], 1), (vec![1, 0], 0), (vec![7], 0), (vec![0, 0, 9], 2)];
    for (weights, certain) in cases {
        assert_eq!(Weighted::new(&weights).unwrap().try_sample(&mut nothing), Ok(certain));
        assert_eq!(Sequential::new(&weights).unwrap().try_sample(&mut nothing), Ok(certain));
        assert_eq!(Alias::new(&weights).unwrap().try_sample(&mut nothing), Ok(certain));
    }
    assert_eq!(Weighted::new([-0.0, 1.0]).unwrap().try_sample(&mut nothing), Ok(1));
}

#[test]
fn weights_at_the_ends_of_their_types() {
    let tree = explore(&Weighted::new([u32::MAX, 1]).unwrap(), 40);
    assert_eq!(tree.mass(&1), ratio(1, 1 << 32));
    assert!(!tree.open_after(31).is_zero() && tree.open_after(32).is_zero());

    let near = [2, u128::from(u64::MAX)];
    assert_optimal(&Weighted::new([2, u64::MAX]).unwrap(), &integer_law(&near), 200);
    let widest = [u128::MAX - 1, 1];
    assert_optimal(&Weighted::new(widest).unwrap(), &integer_law(&widest), 300);
    let dyadic = [1 << 126, (1 << 126) - 1, 1];
    assert_optimal(&Weighted::new(dyadic).unwrap(), &integer_law(&dyadic), 140);
}

#[test]
fn floats_stand_for_what_they_store() {
    assert!(Weighted::new([1e308; 3]).unwrap().weights().eq([1, 1, 1]));
    assert!(Weighted::new([f64::from_bits(1); 2]).unwrap().weights().eq([1, 1]));
    for weights in [[1.0, 1e-17], [1e11, 7e-6], [0.1, 0.2]] {
        let exact = weights.map(|weight| BigRational::from_float(weight).unwrap());
        assert_optimal(&Weighted::new(weights).unwrap(), &law(&exact), 150);
    }
}

#[test]
fn two_weights_answer_as_the_coin() {
    for den in 1..=32u64 {
        for num in 0..=den {
            let coin = Rational::<u64>::new(num, den).unwrap().map(|heads| usize::from(!heads));
            let chooser = Weighted::new([num, den - num]).unwrap();
            let (coin, chooser) = (explore(&coin, 40), explore(&chooser, 40));
            assert!(coin.leaves().eq(chooser.leaves()), "{num}/{den}");
        }
    }
}

#[test]
fn answers_are_pinned() {
    // 1/9 = 0.000111…, 2/9 = 0.001110…, 3/9 = 0.010101…
    let chooser = Weighted::new([1, 1, 2, 3, 2]).unwrap();
    let answer = |script: &str| {
        let mut bits = Counted::new(Script::from_str(script).unwrap());
        (chooser.try_sample(&mut bits).ok(), bits.count())
    };
    assert_eq!(answer("HHTT"), (Some(3), 2));
    assert_eq!(answer("HTHH"), (Some(2), 3));
    assert_eq!(answer("HTTT"), (Some(4), 3));
    assert_eq!(answer("THHH"), (Some(0), 4));
    assert_eq!(answer("THHT"), (Some(1), 4));
    assert_eq!(answer("THTH"), (Some(2), 4));
    assert_eq!(answer("THTT"), (Some(3), 4));
    assert_eq!(answer("TTHH"), (Some(4), 4));
    assert_eq!(answer("TTTT"), (None, 4));
    let chooser = Sequential::new([0, 1, 0, 2]).unwrap();
    let answer = |script| chooser.try_sample(&mut Script::from_str(script).unwrap());
    assert_eq!((answer("TH"), answer("H")), (Ok(1), Ok(3)));
}

#[test]
fn common_factors_do_not_matter() {
    let (plain, thousand) = (Weighted::new([1, 9, 6]), Weighted::new([1000, 9000, 6000]));
    let (plain, thousand) = (plain.unwrap(), thousand.unwrap());
    assert!(explore(&plain, 4).leaves().eq(explore(&thousand, 4).leaves()));
}

#[test]
fn updates_are_all_or_nothing() {
    use WeightError::{AllZero, Negative, NoSuchIndex, NotFinite, Overflow};
    let mut chooser = Weighted::new([0u32, 6000, 0]).unwrap();
    let before = chooser.clone();
    assert_eq!(chooser.update(&[(1, 0)]), Err(AllZero));
    assert_eq!(chooser.update(&[(0, 1), (3, 1)]), Err(NoSuchIndex { index: 3 }));
    assert_eq!(chooser.update(&[(0, 1), (1, -1), (2, 1)]), Err(Negative { index: 1 }));
    assert_eq!(chooser.update(&[(0, 1.0), (2, f64::NAN)]), Err(NotFinite { index: 2 }));
    assert_eq!(chooser.update(&[(0, 1), (2, u128::MAX)]), Err(Overflow));
    assert_eq!(chooser, before);
    assert_eq!(chooser.try_sample(&mut Script::from_str("").unwrap()), Ok(1));
    // The scale is that of the weights as stated, and lowering an unsigned weight is nothing special.
    chooser.update(&[(1, 5000u32), (2, 2500)]).unwrap();
    assert!(chooser.weights().eq([0, 2, 1]));
    chooser.update(&[(0, 7500), (0, 2500)]).unwrap();
    assert!(chooser.weights().eq([1, 2, 1]));
    chooser.update(&[(1, Ratio::new(2500, 3)), (2, Ratio::zero())]).unwrap();
    assert!(chooser.weights().eq([3, 1, 0]));
    chooser.update(&[(2, 0.5)]).unwrap();
    assert!(chooser.weights().eq([15000, 5000, 3]));
    chooser.update::<u8>(&[]).unwrap();
    assert_optimal(&chooser, &integer_law(&[15000, 5000, 3]), 60);
}

#[test]
fn a_source_that_answers_ratios_is_asked_for_halves() {
    fn assert_halved<M: Machine<Output = usize>>(chooser: &M) {
        // A half of the list, and a third of one half: weights of zero ask nothing.
        let tree = explore_weighted(chooser, 2);
        assert_eq!(tree.runs(), 3);
        assert!(tree.open().is_zero());
        for (outcome, p) in integer_law(&[0, 1, 2, 0, 3, 0]).iter().enumerate() {
            assert_eq!(tree.mass(&outcome), *p);
        }
    }
    let weights = [0, 10, 20, 0, 30, 0];
    assert_halved(&Weighted::new(weights).unwrap());
    assert_halved(&Alias::new(weights).unwrap());
    // A total that no die has is chosen from fair bits.
    let wide = explore_weighted(&Weighted::new([1u128 << 64, 1]).unwrap(), 10);
    assert_eq!(wide.runs(), 11);
}

#[test]
fn every_chooser_is_halved_exactly() {
    for weights in small_vectors() {
        let Ok(chooser) = Weighted::new(&weights) else { continue };
        let tree = explore_weighted(&chooser, 4);
        assert!(tree.open().is_zero());
        for (outcome, p) in integer_law(&weights).iter().enumerate() {
            assert_eq!(tree.mass(&outcome), *p, "{weights:?}");
        }
    }
}

#[test]
fn the_words_of_an_alias_chooser() {
    let thirds = Alias::new([7, 7, 7]).unwrap();
    let answer = |script: &str| {
        let mut bits = Counted::new(Script::from_str(script).unwrap());
        (thirds.try_sample(&mut bits).ok(), bits.count())
    };
    let word = |first: &str, then: &str| format!("{first}{}", then.repeat(64 - first.len()));
    assert_eq!(answer(&word("", "T")), (Some(0), 64));
    assert_eq!(answer(&word("H", "T")), (Some(1), 64));
    assert_eq!(answer(&word("TH", "T")), (Some(2), 64));
    assert_eq!(answer(&word("", "T")[1..]), (None, 63));
    // 2^64 = 3·⌊2^64/3⌋ + 1: the last word is no one's, and the tree goes on. 1/3 has no leaf on level 65, and 3 on level 66.
    let next = |flips: &str| answer(&(word("", "H") + &word(flips, "T")));
    assert_eq!(next("HH"), (Some(0), 128));
    assert_eq!(next("HT"), (Some(1), 128));
    assert_eq!(next("TH"), (Some(2), 128));
    assert_eq!(next("TTHH"), (Some(0), 128));
    assert_eq!(next(""), (None, 128));
    // A total of 2^64 leaves no word over.
    let halves = Alias::new([1, 1]).unwrap();
    let mut bits = Script::from_str(&word("", "H")).unwrap();
    assert_eq!(halves.try_sample(&mut bits), Ok(1));
}

#[test]
fn the_law_and_cost_of_an_alias_chooser() {
    let chooser = |weights: &[u128]| Alias::new(weights).unwrap();
    let weights = [0, 5, 7, 0, 88];
    let (law, plain) = (chooser(&weights).law(80), Weighted::new(weights).unwrap().law(80));
    assert_eq!(law.unwrap().outcomes(), plain.unwrap().outcomes());
    let exact = |bits| Bracket::exact(ratio(bits, 1));
    assert_eq!(chooser(&[0, 9]).expected_bits(9), exact(0));
    assert_eq!(chooser(&[1, 3]).expected_bits(9), exact(64));
    assert_eq!(
        (chooser(&[0, 9]).tail(), chooser(&[1, 3]).tail()),
        (Tail::Bounded(0), Tail::Bounded(64))
    );
    // 2^65: of 2^64 words one is left over, shared by both outcomes.
    let wide = chooser(&[1, (1 << 65) - 1]);
    let stated = ratio(64, 1) + BigRational::new(BigInt::from(64), BigInt::one() << 64);
    assert_eq!(wide.expected_bits(200), Bracket::exact(stated));
    assert_eq!(wide.tail(), Tail::Bounded(128));
    // Thirds: one word of 2^64 is left over, again and again.
    let cost = chooser(&[1, 1, 1]).expected_bits(200);
    let all = BigInt::one() << 64;
    let stated = BigRational::new(&all * 64, all - 1);
    assert!(*cost.low() <= stated && stated <= *cost.high());
    assert!(cost.high() - cost.low() <= BigRational::new(BigInt::one(), BigInt::one() << 200));
}

#[test]
fn a_buffer_reads_the_tree_as_single_flips_do() {
    // `Counted` asks for one flip at a time, the buffer looks the first ones up in the table.
    for n in [1u64, 2, 3, 5, 17, 100, 1000, 20_000] {
        let chooser = Weighted::new((0..n).map(|i| i * i % 1009 + 1)).unwrap();
        let mut single = Counted::new(BitBuffer::new(StdRng::seed_from_u64(n)));
        let mut table = BitBuffer::new(StdRng::seed_from_u64(n));
        for round in 0..3000 {
            assert_eq!(chooser.sample(&mut table), chooser.sample(&mut single));
            assert_eq!(table.try_bits(round % 3), single.try_bits(round % 3));
        }
        assert_eq!(table.try_bits(64), single.try_bits(64));
    }
}

/// A generator that fails each second time it is asked.
struct Flaky {
    rng: StdRng,
    failed: bool,
}

impl TryRng for Flaky {
    type Error = fmt::Error;

    fn try_next_u64(&mut self) -> Result<u64, fmt::Error> {
        self.failed = !self.failed;
        if self.failed { Err(fmt::Error) } else { Ok(self.rng.next_u64()) }
    }

    fn try_next_u32(&mut self) -> Result<u32, fmt::Error> {
        Err(fmt::Error)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }
}

#[test]
fn the_flips_in_hand_survive_an_error() {
    let chooser = Weighted::new([1, 1, 2, 4, 8]).unwrap();
    let mut steady = BitBuffer::new(StdRng::seed_from_u64(3));
    let mut flaky = BitBuffer::new(Flaky { rng: StdRng::seed_from_u64(3), failed: false });
    let mut errors = 0;
    for _ in 0..1000 {
        let answer = loop {
            match chooser.try_sample(&mut flaky) {
                Ok(answer) => break answer,
                Err(fmt::Error) => errors += 1,
            }
        };
        assert_eq!(answer, chooser.sample(&mut steady));
    }
    assert!(errors > 20);
}

#[test]
fn a_failed_source_can_be_used_again() {
    let chooser = Weighted::new([1, 1, 1]).unwrap();
    let mut bits = Script::from_str("TTHTHT").unwrap();
    assert_eq!(chooser.try_sample(&mut Budget::new(&mut bits, 1)), Err(BudgetError::Exhausted));
    // 1/3 = 0.0101…: level 2 has three leaves, and TH is the last of them.
    assert_eq!(chooser.try_sample(&mut bits), Ok(2));
    assert_eq!(bits.position(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn integers_against_big_rationals(
        weights in prop::collection::vec(any::<u64>(), 1..12),
        shift in 0..64u32,
    ) {
        let weights: Vec<u128> = weights.iter().map(|&w| u128::from(w >> shift)).collect();
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        assert_optimal(&Weighted::new(&weights).unwrap(), &integer_law(&weights), 64);
    }

    #[test]
    fn floats_against_big_rationals(weights in prop::collection::vec(1e-9..1e9f64, 1..8)) {
        let exact: Vec<_> = weights.iter().map(|&w| BigRational::from_float(w).unwrap()).collect();
        assert_optimal(&Weighted::new(&weights).unwrap(), &law(&exact), 64);
    }

    #[test]
    fn fractions_against_big_rationals(
        weights in prop::collection::vec((0..1000i64, 1..1000i64), 1..8),
    ) {
        prop_assume!(weights.iter().any(|&(num, _)| num > 0));
        let exact: Vec<_> = weights.iter().map(|&(num, den)| ratio(num, den)).collect();
        let raw = weights.iter().map(|&(num, den)| Ratio::new_raw(num, den));
        assert_optimal(&Weighted::new(raw).unwrap(), &law(&exact), 64);
    }
}
