//! Runs and the parity of runs: laws and costs by algebra, and what families declare.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use buffon::law::{check_declaration, non_increasing, non_increasing_from, with_bits_after};
use buffon::{
    Always, Bracket, Coin, Dyadic, Fair, Harmonic, KnownLaw, LawError, Machine, Never, OneOver,
    Rational, Reciprocals, Tail, explore, explore_weighted, parity_of_run, run,
};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn exact(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}

fn third() -> Rational<u64> {
    Rational::<u64>::new(1, 3).expect("a probability")
}

/// Whether the bracket holds the number that begins with these decimal digits after the point, and is as narrow as they are.
fn begins(bracket: &Bracket, whole: i64, decimals: &str) -> bool {
    let digits: BigInt = decimals.parse().expect("digits");
    let scale = BigInt::from(10).pow(u32::try_from(decimals.len()).expect("short"));
    let low = BigRational::new(digits, scale.clone()) + q(whole, 1);
    let high = &low + BigRational::new(1.into(), scale);
    low <= *bracket.high() && *bracket.low() <= high && bracket.width() <= high - low
}

#[test]
fn the_parity_of_one_coin_is_a_closed_form() {
    let parity = |coin: Rational<u64>| coin.parity_of_run();
    assert_eq!(parity(third()).probability(1), exact(3, 4));
    assert_eq!(parity(third()).expected_bits(1), exact(3, 1));
    assert_eq!(Fair.parity_of_run().probability(1), exact(2, 3));
    assert_eq!(Fair.parity_of_run().expected_bits(1), exact(2, 1));
    assert_eq!(Never.parity_of_run().probability(1), exact(1, 1));
    assert_eq!(Never.parity_of_run().max_bits(), Some(0));
    assert_eq!(Fair.parity_of_run().tail(), Tail::Exponential);
    // 1 − 2^-20: 2^20 flips of a coin that costs 2 − 2^-19 bits.
    let steep = Dyadic::new((1 << 20) - 1, 20).expect("a probability").parity_of_run();
    assert_eq!(steep.probability(1), exact(1 << 20, (1 << 21) - 1));
    assert_eq!(steep.expected_bits(1), exact((1 << 21) - 2, 1));
    // A run without end is refused, and not answered with 1/2.
    for never in
        [Always.parity_of_run().try_probability(10), Always.parity_of_run().try_expected_bits(10)]
    {
        assert_eq!(never, Err(LawError::NeverHalts));
    }
    assert_eq!(Always.run().law(10), Err(LawError::NeverHalts));
    assert_eq!(Always.parity_of_run().tail(), Tail::MayNeverEnd);
}

#[test]
fn a_run_lists_its_lengths() {
    let law = third().run().law(64).expect("a law");
    for n in 0..30u32 {
        let mass = BigRational::new(2.into(), BigInt::from(3).pow(n + 1));
        assert_eq!(law.mass(&u64::from(n)).low(), &mass, "{n}");
    }
    assert!(*law.rest() <= BigRational::new(1.into(), BigInt::from(1) << 64u32));
    assert_eq!(third().run().expected_bits(1), exact(3, 1));
    // Steep: there would be millions of lengths to list.
    let steep = Dyadic::new((1 << 20) - 1, 20).expect("a probability").run();
    assert_eq!(steep.law(64), Err(LawError::TooManyOutcomes));
    // Over a family: P(N = n) = n/(n + 1)!.
    let law = run(OneOver::new).law(64).expect("a law");
    let mut factorial = BigInt::from(1);
    for n in 0..20u32 {
        factorial *= n + 1;
        assert_eq!(law.mass(&u64::from(n)).low(), &BigRational::new(n.into(), factorial.clone()));
    }
    // What is done with the length has a law too.
    let odd = Fair.run().map(|n| n % 2 == 1);
    assert!(odd.probability(100).contains(&q(1, 3)));
    let tree = explore(&odd, 12);
    assert!(tree.mass(&true) <= *odd.probability(20).high());
}

#[test]
fn a_family_that_ends_is_exact() {
    let coin = |n: NonZeroU64| {
        Rational::try_from(if n.get() < 4 { (n.get(), n.get() + 2) } else { (0, 1) })
            .expect("a probability")
    };
    // 1/3, 2/4, 3/5, then never: 1 − 1/3 + 1/6 − 1/10.
    assert_eq!(parity_of_run(coin).probability(1), exact(11, 15));
    // 2 + 1/3·1 + 1/6·2: the cost needs no declaration, since the series ends.
    assert_eq!(parity_of_run(coin).expected_bits(1), exact(8, 3));
    assert_eq!(run(coin).law(1).expect("a law").mass(&3), exact(1, 10));
    assert!(run(coin).law(1).expect("a law").is_exact());
    let dyadic = |n: NonZeroU64| Dyadic::new(u64::from(n.get() < 3), 2).expect("a probability");
    assert_eq!(run(dyadic).max_bits(), Some(4));
    assert_eq!(parity_of_run(dyadic).probability(1), exact(13, 16));
    let tree = explore(&parity_of_run(dyadic), 4);
    assert_eq!((tree.mass(&true), tree.expected_bits()), (q(13, 16), q(15, 8)));
    assert_eq!(parity_of_run(dyadic).expected_bits(1), exact(15, 8));
}

#[test]
fn one_over_e_is_known_to_any_precision() {
    let start = Instant::now();
    let opaque = parity_of_run(OneOver::new).probability(1000);
    let took = start.elapsed();
    println!("1000 bits of 1/e: {took:?}");
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(opaque.width() <= BigRational::new(1.into(), BigInt::from(1) << 1000u32));
    assert_eq!(opaque, parity_of_run(Reciprocals).probability(1000));
    // The first 128 binary places of 1/e.
    let digits =
        BigUint::parse_bytes(b"5e2d58d8b3bcdf1abadec7829054f90d", 16).expect("hexadecimal");
    let scale = BigInt::from(1) << 128u32;
    assert_eq!((opaque.low() * &scale).floor().to_integer(), BigInt::from(digits));
    let tree = explore_weighted(&parity_of_run(Reciprocals), 20);
    assert!(tree.mass(&true) <= *opaque.high() && tree.mass(&true) + tree.open() >= *opaque.low());
}

#[test]
fn a_cost_is_bounded_by_what_is_declared_and_not_without() {
    let opaque = parity_of_run(OneOver::new);
    let Err(LawError::UnboundedCost { at_least }) = opaque.try_expected_bits(40) else {
        panic!("nothing is declared");
    };
    for bits in [
        parity_of_run(Reciprocals).expected_bits(40),
        run(Reciprocals).expected_bits(40),
        parity_of_run(non_increasing(OneOver::new)).expected_bits(40),
        parity_of_run(non_increasing_from(NonZeroU64::new(9).expect("9"), OneOver::new))
            .expected_bits(40),
    ] {
        assert!(begins(&bits, 2, "353180720410"), "{bits}");
        assert!(at_least <= *bits.high());
    }
    assert!(begins(
        &parity_of_run(Reciprocals).expected_bits(400),
        2,
        "353180720410058373237419258491439715827"
    ));
    assert_eq!(opaque.tail(), Tail::MayNeverEnd);
    assert_eq!(parity_of_run(Reciprocals).tail(), Tail::Exponential);
    assert_eq!(parity_of_run(non_increasing(OneOver::new)).tail(), Tail::Exponential);
    // 1 − 1/2 + 1/3 − …: ln 2, by a series that is too slow; neither the law nor the cost is guessed.
    let slow = parity_of_run(|n: NonZeroU64| OneOver::new(n.saturating_add(1)).not());
    assert_eq!(slow.try_probability(20), Err(LawError::Undecided));
    assert!(begins(&slow.probability(10), 0, "693"));
    assert!(matches!(slow.try_expected_bits(4), Err(LawError::UnboundedCost { .. })));
}

#[test]
fn exponentials_of_a_coin() {
    // exp(−1/2) and its cost; the catalogue's figures.
    let half = parity_of_run(Harmonic::new(Fair));
    assert!(begins(&half.probability(60), 0, "606530659712633"));
    // 2e^(1/2) would be the cost of coins of 2 bits; 1/n and 1/2 are cheaper at powers of two.
    let bits = half.expected_bits(60);
    let tree = explore(&half, 24);
    assert!(tree.expected_bits() <= *bits.high());
    assert!(&tree.expected_bits() + q(1, 100) >= *bits.low(), "{bits}");
    assert_eq!(parity_of_run(Harmonic::new(Never)).probability(1), exact(1, 1));
    assert_eq!(parity_of_run(Harmonic::new(Never)).max_bits(), Some(0));
    assert!(begins(&parity_of_run(Harmonic::new(Always)).probability(60), 0, "367879441171442"));
}

/// k/(2(k + 1)): the parity has the probability 2·ln(3/2).
fn rising(n: NonZeroU64) -> Rational<u64> {
    Rational::<u64>::new(n.get(), 2 * (n.get() + 1)).expect("a probability")
}

#[test]
fn declarations_are_checked() {
    assert_eq!(check_declaration(&Reciprocals, 500), Ok(()));
    assert_eq!(check_declaration(&Harmonic::new(third()), 200), Ok(()));
    assert_eq!(check_declaration(&non_increasing(OneOver::new), 500), Ok(()));
    let undeclared = check_declaration(&OneOver::new, 500);
    assert_eq!(undeclared, Err(LawError::UnboundedCost { at_least: q(0, 1) }));
    // A power of a coin has no ceiling by its type; one may be declared, and is checked.
    let two_thirds = third().not();
    let ratios = |n: NonZeroU64| OneOver::new(n).then(two_thirds.power(1));
    assert_eq!(check_declaration(&non_increasing(ratios).costing_at_most(3), 100), Ok(()));
    assert!(begins(&parity_of_run(ratios).probability(60), 0, "51341711903259"));
    assert_eq!(run(non_increasing(ratios).costing_at_most(3)).tail(), Tail::FiniteMean);
    let less = check_declaration(&non_increasing(ratios).costing_at_most(1), 100);
    assert_eq!(less, Err(LawError::FalseDeclaration { heads: 0 }));
    assert!(matches!(
        check_declaration(&non_increasing(ratios), 9),
        Err(LawError::UnboundedCost { .. })
    ));
    // k/(2(k + 1)) increases; the declaration is refuted at the first step.
    let wrong = check_declaration(&non_increasing(rising), 10);
    assert_eq!(wrong, Err(LawError::FalseDeclaration { heads: 0 }));
    // It falls to coin 9 and rises then.
    let valley = |n: NonZeroU64| {
        OneOver::new(NonZeroU64::new(n.get().abs_diff(9) + 2).expect("above 0")).not()
    };
    let from = |n| non_increasing_from(NonZeroU64::new(n).expect("above 0"), valley);
    assert_eq!(check_declaration(&from(1), 50), Err(LawError::FalseDeclaration { heads: 8 }));
    // Bits declared too few.
    let two = |bits| with_bits_after(rising, move |_| Some(q(bits, 1)));
    assert_eq!(check_declaration(&two(4), 300), Ok(()));
    assert!(matches!(check_declaration(&two(3), 300), Err(LawError::FalseDeclaration { .. })));
    assert_eq!(run(two(4)).tail(), Tail::FiniteMean);
    assert!(begins(&parity_of_run(two(4)).probability(40), 0, "81093021621"));
    assert!(begins(&parity_of_run(two(4)).expected_bits(30), 2, "2514"));
}
