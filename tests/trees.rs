//! Coins, combinators and dice proved on the exact trees of their compiled code.
#![cfg(feature = "exact")]

mod support;

use std::num::NonZeroU64;

use buffon::{
    Always, Coin, Die, Dyadic, Fair, Fraction, Machine, Never, OneOver, Rational, Script, explore,
    explore_weighted, from_fn, parity_of_run, run,
};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;
use support::{
    DIE_COSTS, Law, coin_law, kappa, least_open, q, refuse_cost, refuse_law, refuse_optimal,
    two_to_minus, uniform,
};
use typenum::{True, Unsigned, consts::*};

/// All a/b with 1 <= b <= most and 0 <= a <= b.
fn fractions(most: u8) -> impl Iterator<Item = (u8, u8)> {
    (1..=most).flat_map(|b| (0..=b).map(move |a| (a, b)))
}

fn rational(a: u8, b: u8) -> Rational<u8> {
    Rational::<u8>::new(a, b).unwrap()
}

// Coins.

#[test]
fn every_rational_to_64ths_is_exact_and_optimal_to_depth_12() {
    let mut runs = 0;
    for (a, b) in fractions(64) {
        let tree = explore(&rational(a, b), 12);
        assert_eq!(refuse_optimal(&tree, &coin_law(q(a, b))), None, "{a}/{b}");
        runs += tree.runs();
    }
    assert_eq!(runs, 24_704);
}

#[test]
fn every_rational_to_64ths_costs_what_its_doc_says() {
    for (a, b) in fractions(64) {
        // Beyond depth 64 at most Σ 2^-k = 2^-63 is left.
        let tree = explore(&rational(a, b), 64);
        assert_eq!(refuse_cost(&tree, &kappa(&q(a, b)), &two_to_minus(63)), None, "{a}/{b}");
    }
}

#[test]
fn a_third_is_certified_to_a_thousand_bits() {
    let tree = explore(&rational(1, 3), 1000);
    assert_eq!(refuse_optimal(&tree, &coin_law(q(1, 3))), None);
    assert_eq!(tree.open(), two_to_minus(1000));
}

#[test]
fn every_integer_type_gives_the_same_tree() {
    for (a, b) in fractions(64) {
        let leaves = |tree: buffon::Tree<bool>| {
            tree.leaves()
                .map(|of| (of.prefix().to_vec(), of.outcome().copied()))
                .collect::<Vec<_>>()
        };
        let wanted = leaves(explore(&rational(a, b), 12));
        let big = Rational::<BigUint>::new(a.into(), b.into()).unwrap();
        assert_eq!(leaves(explore(&big, 12)), wanted);
        assert_eq!(leaves(explore(&Rational::<u16>::new(a.into(), b.into()).unwrap(), 12)), wanted);
        assert_eq!(leaves(explore(&Rational::<u64>::new(a.into(), b.into()).unwrap(), 12)), wanted);
        assert_eq!(
            leaves(explore(&Rational::<u128>::new(a.into(), b.into()).unwrap(), 12)),
            wanted
        );
        let signed = Rational::<i8>::new(a.try_into().unwrap(), b.try_into().unwrap()).unwrap();
        assert_eq!(leaves(explore(&signed, 12)), wanted);
        if b.is_power_of_two() {
            let dyadic = Dyadic::new(a.into(), b.trailing_zeros()).unwrap();
            assert_eq!(leaves(explore(&dyadic, 12)), wanted);
        }
        if a == 1 {
            let one_over = OneOver::try_from(u64::from(b)).unwrap();
            assert_eq!(leaves(explore(&one_over, 12)), wanted);
        }
    }
}

/// Every script of up to 12 flips.
fn scripts() -> impl Iterator<Item = Script> {
    let flips = |word: u32, n| (0..n).map(|place| word >> place & 1 == 1).collect::<Vec<_>>();
    (0..=12).flat_map(move |n| (0..1 << n).map(move |word| Script::from(flips(word, n))))
}

fn fraction_answers_alike<N, D>()
where
    N: Unsigned + typenum::IsLessOrEqual<D, Output = True>,
    D: Unsigned + typenum::NonZero + typenum::Len,
    D::Output: Unsigned,
{
    let static_one = Fraction::<N, D>::new();
    let small = rational(N::U8, D::U8);
    let big = Rational::<BigUint>::new(N::U8.into(), D::U8.into()).unwrap();
    assert_eq!(size_of_val(&static_one), 0);
    for script in scripts() {
        let (mut first, mut second, mut third) = (script.clone(), script.clone(), script);
        let answer = static_one.try_flip(&mut first);
        assert_eq!(small.try_flip(&mut second), answer);
        assert_eq!(big.try_flip(&mut third), answer);
        assert!(first == second && second == third, "{static_one:?} draws otherwise");
    }
}

#[test]
fn fraction_rational_u8_and_rational_biguint_answer_and_draw_alike_on_every_script_to_12() {
    fraction_answers_alike::<U1, U3>();
    fraction_answers_alike::<U0, U3>();
    fraction_answers_alike::<U3, U3>();
    fraction_answers_alike::<U1, U2>();
    fraction_answers_alike::<U3, U8>();
    fraction_answers_alike::<U12, U32>();
    fraction_answers_alike::<U2, U5>();
    fraction_answers_alike::<U6, U7>();
    fraction_answers_alike::<U254, U255>();
}

// Combinators. The laws by weights, where a rational coin is one question and the tree is complete; the costs in bits.

/// 0, 1, and coins of the three kinds: fair, dyadic, endless.
const SMALL: [(u8, u8); 7] = [(0, 1), (1, 1), (1, 2), (3, 8), (1, 3), (2, 5), (6, 7)];

/// Each pair of small coins, with their probabilities and costs.
fn pairs() -> impl Iterator<Item = [(Rational<u8>, BigRational, BigRational); 2]> {
    let known = |(a, b)| (rational(a, b), q(a, b), kappa(&q(a, b)));
    SMALL.into_iter().flat_map(move |p| SMALL.into_iter().map(move |r| [known(p), known(r)]))
}

/// Proves the law exactly by weights, and the law and the cost in fair bits up to what is left at depth 40.
///
/// The machine must be a finite tree over at most three coins. A coin answers once at each length, so at depth k at most
/// 1 + k + C(k, 2) <= k² nodes are open, one for each choice of where the coins before it ended: 2^-29 at depth 40, and
/// Σ k²·2^-k < 2^-27 from there on.
fn prove<T, M>(machine: &M, law: &Law<T>, cost: &BigRational)
where
    T: PartialEq + std::fmt::Debug,
    M: Machine<Output = T> + std::fmt::Debug,
{
    let weighed = explore_weighted(machine, 12);
    assert!(weighed.open().is_zero() && weighed.is_reproducible(), "{machine:?}");
    for (outcome, p) in law {
        assert_eq!(weighed.mass(outcome), *p, "{machine:?}: {outcome:?}");
    }
    assert!(weighed.masses().iter().all(|(of, _)| law.iter().any(|(known, _)| known == of)));
    let tree = explore(machine, 40);
    assert!(tree.open() < two_to_minus(29), "{machine:?}");
    assert_eq!(refuse_law(&tree, law), None, "{machine:?}");
    assert_eq!(refuse_cost(&tree, cost, &two_to_minus(27)), None, "{machine:?}");
}

#[test]
fn logic_and_choice_have_their_laws_and_costs() {
    let one = BigRational::one;
    for [(first, p, c_p), (second, r, c_r)] in pairs() {
        prove(&first.not(), &coin_law(one() - &p), &c_p);
        prove(&first.then(second), &coin_law(&p * &r), &(&c_p + &p * &c_r));
        let either = &p + (one() - &p) * &r;
        prove(&first.or_else(second), &coin_law(either), &(&c_p + (one() - &p) * &c_r));
        let one_of_two = &p + &r - q(2, 1) * &p * &r;
        prove(&first.xor(second), &coin_law(one_of_two), &(&c_p + &c_r));
        let mixed = &p * &r + (one() - &p) * q(1, 3);
        let cost = &c_p + &p * &c_r + (one() - &p) * q(2, 1);
        prove(&first.mix(second, rational(1, 3)), &coin_law(mixed), &cost);
    }
}

#[test]
fn mapping_and_products_have_their_laws_and_costs() {
    let one = BigRational::one;
    for [(first, p, c_p), (second, r, c_r)] in pairs() {
        let sides = |of: &BigRational, yes: u8, no: u8| vec![(yes, of.clone()), (no, one() - of)];
        prove(&first.map(|heads| if heads { 7u8 } else { 3 }), &sides(&p, 7, 3), &c_p);
        let product = [(true, true), (true, false), (false, true), (false, false)].map(|(x, y)| {
            let of = |side: bool, p: &BigRational| if side { p.clone() } else { one() - p };
            ((x, y), of(x, &p) * of(y, &r))
        });
        prove(&first.zip(second), &product.to_vec(), &(&c_p + &c_r));
        // Tails: 1/4 instead of the second coin.
        let chained = first.and_then(move |heads| if heads { second } else { rational(1, 4) });
        let law = coin_law(&p * &r + (one() - &p) * q(1, 4));
        prove(&chained, &law, &(&c_p + &p * &c_r + (one() - &p) * q(3, 2)));
        let function = from_fn(move |bits| Ok([first.try_flip(bits)?, second.try_flip(bits)?]));
        let law = product.map(|((x, y), p)| ([x, y], p)).to_vec();
        prove(&function, &law, &(&c_p + &c_r));
    }
    for (a, b) in SMALL {
        let (first, p, c_p) = (rational(a, b), q(a, b), kappa(&q(a, b)));
        let binomial = |heads: usize| {
            let of = |p: &BigRational, n| num_traits::pow(p.clone(), n);
            let ways = q([1, 3, 3, 1][heads], 1);
            ways * of(&p, heads) * of(&(one() - &p), 3 - heads)
        };
        let law = (0..4).map(|heads| (heads, binomial(heads))).collect();
        let count = |sides: &[bool]| sides.iter().filter(|&&side| side).count();
        let cost = &c_p * q(3, 1);
        prove(&first.array::<3>().map(move |sides| count(&sides)), &law, &cost);
        prove(&first.repeat(3).map(move |sides| count(&sides)), &law, &cost);
        prove(&first.erased().array::<3>().map(move |sides| count(&sides)), &law, &cost);
    }
    let empty = Fair.array::<0>();
    prove(&empty.map(|[]| 0u8), &vec![(0, one())], &BigRational::zero());
}

/// Proves the law of a machine with a loop, by weights to a width of 2^-`digits` and in fair bits to depth 18.
///
/// Wherever a run stands, what is left of its round costs at most 4 bits, and another start costs `cost`.
fn prove_loop<T, M>(machine: &M, law: &Law<T>, cost: &BigRational, [depth, digits]: [u32; 2])
where
    T: PartialEq + std::fmt::Debug,
    M: Machine<Output = T> + std::fmt::Debug,
{
    let weighed = explore_weighted(machine, depth);
    assert!(weighed.is_reproducible() && *weighed.open() < two_to_minus(digits), "{machine:?}");
    let tree = explore(machine, 18);
    assert!(tree.is_reproducible());
    for (outcome, p) in law {
        for (mass, open) in
            [(weighed.mass(outcome), weighed.open().clone()), (tree.mass(outcome), tree.open())]
        {
            assert!(mass <= *p && *p <= mass + open, "{machine:?}: {outcome:?}");
        }
    }
    let rest = tree.open() * (cost + q(4, 1));
    assert_eq!(refuse_cost(&tree, cost, &rest), None, "{machine:?}");
}

#[test]
fn runs_and_their_parity_have_their_laws_and_costs() {
    for (a, b) in [(0, 1), (1, 2), (1, 4), (3, 8), (1, 3), (2, 5)] {
        let (flipped, p) = (rational(a, b), q(a, b));
        let cost = kappa(&p) / (BigRational::one() - &p);
        let power = |n| num_traits::pow(p.clone(), n);
        let law = (0..8).map(|n| (n as u64, power(n) * (BigRational::one() - &p))).collect();
        prove_loop(&flipped.run(), &law, &cost, [30, 20]);
        let even = (BigRational::one() + &p).recip();
        prove_loop(&flipped.parity_of_run(), &coin_law(even), &cost, [30, 20]);
    }
}

#[test]
fn conditioning_samples_the_whole_experiment_again() {
    let die = Die::new(6).unwrap();
    let low = die.condition(|&side| side < 4);
    prove_loop(&low, &uniform(4), &(q(11, 3) * q(6, 4)), [8, 12]);
    // Two coins of 1/3 and 2/5 that must agree: 2/15 against 6/15, at 4 bits a try.
    let agree = rational(1, 3).zip(rational(2, 5)).condition(|(x, y)| x == y).map(|of| of.0);
    prove_loop(&agree, &coin_law(q(2, 8)), &(q(4, 1) / q(8, 15)), [16, 8]);
    let retried = die.map(|side| (side < 4).then_some(side)).retry();
    prove_loop(&retried, &uniform(4), &(q(11, 3) * q(6, 4)), [8, 12]);
}

#[test]
fn a_family_is_flipped_in_order() {
    // P(N >= n) = 1/n!: the lengths are 1/n! − 1/(n + 1)!.
    let factorial = |n: u64| (1..=n).fold(BigInt::one(), |product, k| product * k);
    let tree = explore_weighted(&run(OneOver::new), 20);
    for n in 0..20u64 {
        let length = q(1, factorial(n)) - q(1, factorial(n + 1));
        assert_eq!(tree.mass(&n), length, "{n}");
    }
    assert_eq!(*tree.open(), q(1, factorial(21)));
    // A family that ends: 1/2, 1/4, then certain tails. 1 − 1/2 + 1/8.
    let family = |n: NonZeroU64| match n.get() {
        1 => rational(1, 2),
        2 => rational(1, 4),
        _ => rational(0, 1),
    };
    let tree = explore(&parity_of_run(family), 3);
    assert!(tree.open().is_zero());
    assert_eq!(tree.mass(&true), q(5, 8));
}

/// 1/e = Σ (−1)^n/n!: two neighbouring partial sums enclose it.
fn inverse_e(terms: u32) -> [BigRational; 2] {
    let (mut term, mut sum, mut last) = (q(1, 1), q(1, 1), q(0, 1));
    for n in 1..=terms {
        term = -term / BigInt::from(n);
        last.clone_from(&sum);
        sum += &term;
    }
    if last < sum { [last, sum] } else { [sum, last] }
}

#[test]
fn one_over_e_is_bracketed_to_less_than_2_to_the_minus_40() {
    let machine = parity_of_run(OneOver::new);
    let [low, high] = inverse_e(60);
    assert!(&high - &low < two_to_minus(200));
    // With the coins played in fair bits: some four million runs …
    let tree = explore(&machine, 61);
    assert!(tree.open() < two_to_minus(40), "{}", tree.open());
    assert!(tree.mass(&true) <= high && low <= tree.mass(&true) + tree.open());
    let cost = q(2_353_180_720_410_058_i64, 1_000_000_000_000_000_i64);
    assert_eq!(refuse_cost(&tree, &cost, &two_to_minus(33)), None);
    // … and with each coin as one question, the coins' own trees being proved above: thirty.
    let weighed = explore_weighted(&machine, 30);
    assert!(weighed.runs() == 31 && *weighed.open() < two_to_minus(100));
    assert!(weighed.mass(&true) <= high && low <= weighed.mass(&true) + weighed.open());
}

// Laws of the algebra, as identities between exact masses.

fn any_coin() -> impl Strategy<Value = Rational<u8>> {
    (1..=30u8).prop_flat_map(|b| (0..=b).prop_map(move |a| rational(a, b)))
}

/// P(heads) of a finite tree of coins, exactly.
fn probability(coin: &impl Coin) -> BigRational {
    let weighed = explore_weighted(coin, 12);
    assert!(weighed.open().is_zero());
    weighed.mass(&true)
}

proptest! {
    #[test]
    fn the_algebra_keeps_its_laws(p in any_coin(), r in any_coin(), s in any_coin()) {
        let leaves = |tree: buffon::Tree<bool>| {
            tree.leaves().map(|of| (of.prefix().to_vec(), of.outcome().copied())).collect::<Vec<_>>()
        };
        prop_assert_eq!(leaves(explore(&p.not().not(), 12)), leaves(explore(&p, 12)));
        prop_assert_eq!(leaves(explore(&p.then(r).not(), 12)), leaves(explore(&p.not().or_else(r.not()), 12)));
        prop_assert_eq!(leaves(explore(&p.then(r).then(s), 12)), leaves(explore(&p.then(r.then(s)), 12)));
        prop_assert_eq!(leaves(explore(&p.mix(r, Never), 12)), leaves(explore(&p.then(r), 12)));
        prop_assert_eq!(leaves(explore(&p.mix(Always, r), 12)), leaves(explore(&p.or_else(r), 12)));
        prop_assert_eq!(leaves(explore(&Always.then(p), 12)), leaves(explore(&p, 12)));
        prop_assert_eq!(probability(&p.then(r)), probability(&r.then(p)));
        prop_assert_eq!(probability(&p.or_else(r)), probability(&r.or_else(p)));
        prop_assert_eq!(probability(&p.xor(r)), probability(&r.xor(p)));
        prop_assert_eq!(probability(&s.mix(p, p)), probability(&p));
        prop_assert_eq!(probability(&s.mix(p, r)), probability(&s.not().mix(r, p)));
        prop_assert_eq!(probability(&p.xor(Fair)), q(1, 2));
    }
}

// Dice.

/// The optimum for n equal outcomes, Σ_k n·{2^k/n}/2^k = Σ_k (2^k mod n)/2^k, by the period of 2^k mod n.
fn optimum_of_die(n: u64) -> BigRational {
    let rest = |k: u32| (BigInt::one() << k) % n;
    let term = |k: u32| BigRational::from(rest(k)) * two_to_minus(k);
    let start = n.trailing_zeros();
    let period = (1..).find(|period| rest(start + period) == rest(start)).unwrap();
    let sum = |range: std::ops::Range<u32>| range.map(term).fold(q(0, 1), |sum, term| sum + term);
    sum(0..start) + sum(start..start + period) / (q(1, 1) - two_to_minus(period))
}

#[test]
fn dice_to_64_sides_are_exact_and_optimal_with_equal_masses_at_each_depth() {
    for n in 1..=64 {
        let tree = explore(&Die::new(n).unwrap(), 24);
        assert_eq!(refuse_optimal(&tree, &uniform(n)), None, "n = {n}");
        for depth in 0..=24 {
            let leaves = tree.count(&0, depth);
            assert!((1..n).all(|side| tree.count(&side, depth) == leaves), "n = {n} at {depth}");
        }
        // At most n nodes are open at each depth, so at most n·2^-23 is spent beyond 24.
        let rest = q(n, 1) * two_to_minus(23);
        assert_eq!(refuse_cost(&tree, &optimum_of_die(n), &rest), None, "n = {n}");
    }
}

#[test]
fn dice_cost_the_published_optimum() {
    for (n, num, den) in DIE_COSTS {
        assert_eq!(optimum_of_die(n), q(num, den), "n = {n}");
        // The tree is the optimum's at every depth over more than a whole period, and the die has no other state.
        let tree = explore(&Die::new(n).unwrap(), 48);
        let law = uniform(n);
        assert!((0..=48).all(|k| tree.open_after(k) == least_open(&law, k)), "n = {n}");
        assert_eq!(refuse_cost(&tree, &q(num, den), &(q(n, 1) * two_to_minus(47))), None);
    }
    for k in 0..64 {
        assert_eq!(optimum_of_die(1 << k), q(k, 1));
    }
}
