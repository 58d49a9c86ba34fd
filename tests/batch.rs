//! Batches: the product law and the optimal cost, by exact trees and whole numbers.
#![cfg(feature = "exact")]

use std::collections::BTreeSet;

use buffon::{
    Always, Batch, BitBuffer, BitSource, Bracket, Budget, BudgetError, Coin, Cost, Counted, Die,
    Fair, KnownLaw, Law, LawError, Machine, Rational, Script, Tail, Weighted, explore,
};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::{SeedableRng, rngs::StdRng};

fn q(num: impl Into<BigInt>, den: impl Into<BigInt>) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn coin(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).unwrap()
}

/// The outcomes of a machine with their exact probabilities.
fn law<M: KnownLaw<Output: Clone>>(machine: &M) -> Vec<(M::Output, BigRational)> {
    let law = machine.law(64).unwrap();
    assert!(law.is_exact());
    law.outcomes().iter().map(|(x, p)| (x.clone(), p.low().clone())).collect()
}

/// All strings of r outcomes with the product of their probabilities.
fn strings<T: Clone>(law: &[(T, BigRational)], r: u32) -> Vec<(Vec<T>, BigRational)> {
    (0..r).fold(vec![(vec![], BigRational::one())], |strings, _| {
        let longer = |(string, p): (Vec<T>, BigRational)| {
            law.iter()
                .map(move |(x, px)| ([&string[..], std::slice::from_ref(x)].concat(), &p * px))
        };
        strings.into_iter().flat_map(longer).collect()
    })
}

/// Proves on the tree that the law is the product, and that no exact machine is quicker at any depth.
fn assert_optimal<M>(machine: &M, r: u32, depth: u32)
where
    M: KnownLaw<Output: Ord + Clone>,
{
    let batch = Batch::new(machine, r).unwrap();
    let expected: Vec<_> =
        strings(&law(machine), r).into_iter().filter(|(_, p)| !p.is_zero()).collect();
    let tree = explore(&batch, depth);
    assert!(tree.is_reproducible());
    for (string, p) in &expected {
        let mass = tree.mass(string);
        assert!(mass <= *p && *p <= mass + tree.open());
    }
    assert!(tree.outcomes().iter().all(|seen| expected.iter().any(|(string, _)| string == seen)));
    for k in 0..=depth {
        // P(more than k bits) of the optimum is the sum of the parts of 2^k·p that are not whole.
        let scale = q(BigInt::one() << k, 1);
        let open: BigRational = expected.iter().map(|(_, p)| (p * &scale).fract()).sum();
        assert_eq!(tree.open_after(k), open / scale, "level {k}");
    }
    let cost = batch.expected_bits(64);
    assert!(tree.expected_bits() <= *cost.high());
    if tree.open().is_zero() {
        assert!(cost.is_exact() && *cost.low() == tree.expected_bits());
    }
    let listed = law(&batch);
    assert_eq!(listed.len(), expected.len());
    assert!(expected.iter().all(|string| listed.contains(string)));
}

#[test]
fn small_batches_are_optimal() {
    for den in 1..=6 {
        for num in 0..=den {
            for r in 0..=3 {
                assert_optimal(&coin(num, den), r, 16);
            }
        }
    }
    assert_optimal(&coin(1, 3), 5, 14);
    assert_optimal(&coin(7, 8), 4, 13);
    assert_optimal(&Fair, 5, 6);
    assert_optimal(&Die::new(3).unwrap(), 3, 14);
    assert_optimal(&Die::new(6).unwrap(), 2, 14);
    assert_optimal(&Weighted::new([1, 2, 0, 3]).unwrap(), 3, 14);
    assert_optimal(&Weighted::new([1, 1, 5, 5]).unwrap(), 2, 14);
    assert_optimal(&Weighted::new([1, 9, 6]).unwrap(), 2, 10);
    assert_optimal(&Die::new(5).unwrap().zip(Fair), 2, 14);
}

#[test]
fn a_batch_of_one_coin_is_the_coin() {
    for (num, den) in [(1, 3), (3, 8), (5, 7), (1, 2), (99, 100)] {
        let (one, lone) =
            (explore(&Batch::new(&coin(num, den), 1).unwrap(), 30), explore(&coin(num, den), 30));
        let ends = |prefix: &[bool], answer: Option<bool>| (prefix.to_vec(), answer);
        let one: Vec<_> =
            one.leaves().map(|l| ends(l.prefix(), l.outcome().map(|s| s[0]))).collect();
        let lone: Vec<_> = lone.leaves().map(|l| ends(l.prefix(), l.outcome().copied())).collect();
        assert_eq!(one, lone, "{num}/{den}");
    }
}

#[test]
fn below_the_levels_that_are_held_the_tree_goes_on() {
    let (third, one) = (coin(1, 3), Batch::new(&coin(1, 3), 1).unwrap());
    for tails in [60, 64, 65, 66, 67, 68, 69, 150, 1001] {
        let script = Script::from_str(&("T".repeat(tails) + "H")).unwrap();
        let answer = one.try_sample(&mut script.clone()).unwrap();
        assert_eq!(answer, [third.try_flip(&mut script.clone()).unwrap()], "{tails}");
    }
}

/// ⌊2^16·log2 n⌋ from the length of a power: 2^(bits − 1) <= n^(2^16) < 2^bits.
fn log2(n: u64) -> (BigRational, BigRational) {
    let low = BigUint::from(n).pow(1 << 16).bits() - 1;
    (q(low, 1 << 16), q(low + 1, 1 << 16))
}

/// The entropy of a law with these whole weights, between two numbers: log2 W − Σ (w/W)·log2 w.
fn entropy(weights: &[u64]) -> (BigRational, BigRational) {
    let total = weights.iter().sum();
    let (mut low, mut high) = log2(total);
    for &weight in weights {
        let (least, most) = log2(weight);
        low -= q(weight, total) * most;
        high -= q(weight, total) * least;
    }
    (low, high)
}

#[test]
fn the_cost_of_r_coins_is_between_their_entropy_and_two_bits_more() {
    for (num, den) in [(1, 3), (2, 5), (1, 10)] {
        let (low, high) = entropy(&[num, den - num]);
        for r in 1..=100u32 {
            let cost = Batch::new(&coin(num, den), r).unwrap().expected_bits(20);
            assert!(q(r, 1) * &high <= *cost.low(), "{num}/{den}, {r}");
            assert!(*cost.high() < q(r, 1) * &low + q(2, 1), "{num}/{den}, {r}");
        }
    }
}

#[test]
fn the_curve_of_batches_of_thirds() {
    // Bits an output, from 2 for a lone coin down to the entropy 0.9183: H <= cost/r < H + 2/r.
    let third = coin(1, 3);
    let cost = |r: u32| Batch::new(&third, r).unwrap().expected_bits(40);
    assert_eq!(*cost(1).low(), q(2, 1));
    // 1/9 = 0.(000111), 2/9 = 0.(001110), 4/9 = 0.(011100): after k bits 3, 3, 3, … nodes of 4 are open, and so on.
    assert_eq!(*cost(2).low(), pair_of_thirds());
    let each = |r: u32| cost(r).high() / q(r, 1);
    assert!(each(2) < q(2, 1) && each(10) < each(2) && each(100) < each(10));
    assert!(each(100) < q(9383, 10_000) && cost(100).low() / q(100, 1) > q(9182, 10_000));
}

/// Σ 2^-k·(frac(2^k/9) + 2·frac(2^k·2/9) + frac(2^k·4/9)) over k, of period 6.
fn pair_of_thirds() -> BigRational {
    let open = |k: u32| {
        let parts = [(1, 1), (2, 2), (4, 1)];
        parts.iter().map(|&(w, times)| q(times * ((w << k) % 9), 9)).sum::<BigRational>()
            / q(1 << k, 1)
    };
    (0..6).map(open).sum::<BigRational>() * q(64, 63)
}

#[test]
fn other_machines_cost_between_their_entropy_and_two_bits_more() {
    for r in [1, 2, 7, 30] {
        let cost = Batch::new(&Die::new(6).unwrap(), r).unwrap().expected_bits(20);
        let (low, high) = log2(6);
        assert!(q(r, 1) * high <= *cost.low() && *cost.high() < q(r, 1) * low + q(2, 1));
    }
    for weights in [vec![1, 2, 3], vec![5, 1, 7, 11]] {
        let (low, high) = entropy(&weights);
        for r in [1, 2, 5, 12] {
            let cost = Batch::new(&Weighted::new(&weights).unwrap(), r).unwrap().expected_bits(20);
            assert!(q(r, 1) * &high <= *cost.low() && *cost.high() < q(r, 1) * &low + q(2, 1));
        }
    }
}

#[test]
fn every_string_has_its_own_number() {
    for (machine, r) in
        [(Weighted::new([1, 1, 2, 5]).unwrap(), 5), (Weighted::new([1, 3]).unwrap(), 11)]
    {
        let listed = law(&Batch::new(&machine, r).unwrap());
        let once: BTreeSet<_> = listed.iter().map(|(string, _)| string).collect();
        assert_eq!(once.len(), machine.weights().len().pow(r));
        assert!(listed.iter().map(|(_, p)| p).sum::<BigRational>().is_one());
        let single = law(&machine);
        for (string, p) in &listed {
            let product: BigRational = string.iter().map(|&x| single[x].1.clone()).product();
            assert_eq!(*p, product);
        }
    }
}

#[test]
#[allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "sampled rates")]
fn long_batches_cost_what_they_should() {
    let batch = Batch::new(&coin(1, 3), 100).unwrap();
    let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(1)));
    let (mut heads, mut at) = (0, [0u32; 100]);
    const DRAWS: u32 = 4000;
    for _ in 0..DRAWS {
        let coins = batch.sample(&mut bits);
        assert_eq!(coins.len(), 100);
        heads += coins.iter().filter(|&&heads| heads).count();
        at.iter_mut().zip(&coins).for_each(|(at, &heads)| *at += u32::from(heads));
    }
    let each = bits.count() as f64 / f64::from(DRAWS);
    // The number of bits has a deviation of about 5, so its mean one of about 0.08.
    assert!((each - 93.2).abs() < 0.6, "{each}");
    // Deviations: 298 of all heads, 30 of those at one place.
    assert!((heads as f64 - 400_000.0 / 3.0).abs() < 1500.0, "{heads}");
    assert!(at.iter().all(|&n| (f64::from(n) - 4000.0 / 3.0).abs() < 150.0), "{at:?}");

    let long = Batch::new(&coin(1, 1000), 1000).unwrap();
    let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(2)));
    for _ in 0..100 {
        assert_eq!(long.sample(&mut bits).len(), 1000);
    }
    // Its entropy is 11.41 bits, those of a thousand coins flipped one by one 2000.
    assert!(bits.count() < 1600);
}

#[test]
fn certain_outcomes_and_empty_batches_cost_nothing() {
    let mut none = Script::from_str("").unwrap();
    assert_eq!(Batch::new(&Always, 3).unwrap().try_sample(&mut none), Ok(vec![true; 3]));
    assert_eq!(Batch::new(&Die::new(1).unwrap(), 2).unwrap().try_sample(&mut none), Ok(vec![0, 0]));
    assert_eq!(Batch::new(&coin(1, 3), 0).unwrap().try_sample(&mut none), Ok(vec![]));
    assert_eq!(Batch::new(&coin(1, 3), 0).unwrap().tail(), Tail::Bounded(0));
    assert_eq!(Batch::new(&coin(3, 8), 5).unwrap().tail(), Tail::Bounded(15));
    assert_eq!(Batch::new(&coin(1, 3), 5).unwrap().tail(), Tail::Exponential);
}

/// A coin whose probability is known to lie between two numbers, and no better.
struct Somewhere;

impl Machine for Somewhere {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        bits.try_bit()
    }
}

impl KnownLaw for Somewhere {
    fn law_at(&self, _: u32) -> Result<Law<bool>, LawError> {
        Ok(Law::coin(Bracket::new(q(1, 2), q(1, 2) + q(1, 1u128 << 70))))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(Cost::bits(1))
    }

    fn tail(&self) -> Tail {
        Tail::Bounded(1)
    }
}

#[test]
fn what_cannot_be_drawn_at_once_is_refused() {
    assert_eq!(Batch::new(&Somewhere, 2).unwrap_err(), LawError::Irrational);
    let many = Weighted::new([1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(Batch::new(&many, 1000).unwrap_err(), LawError::TooManyOutcomes);
    for r in [100_000, u32::MAX] {
        assert_eq!(Batch::new(&coin(1, 3), r).unwrap_err(), LawError::TooManyOutcomes);
        assert_eq!(Batch::new(&Die::new(6).unwrap(), r).unwrap_err(), LawError::TooManyOutcomes);
    }
    // A batch whose strings are too many to list can be drawn all the same.
    let batch = Batch::new(&coin(1, 3), 60).unwrap();
    assert_eq!(batch.law(8).unwrap_err(), LawError::TooManyOutcomes);
    assert_eq!(batch.r(), 60);
}

#[test]
fn a_failed_source_can_be_used_again() {
    let pair = Batch::new(&coin(1, 3), 2).unwrap();
    let mut bits = Script::from_str("TTTTHH").unwrap();
    assert_eq!(pair.try_sample(&mut Budget::new(&mut bits, 4)), Err(BudgetError::Exhausted));
    assert_eq!(pair.try_sample(&mut bits), Ok(vec![false, false]));
}
