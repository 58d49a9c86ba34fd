//! Factories that need a promise: proved by letters for all coins that keep it, measured against Huber's bound, and refused.

mod support;

use std::cell::Cell;

use buffon::explore::{Letter, Polynomial as Poly};
use buffon::factories::{Gap, difference, division, known_over, linear, sum};
use buffon::{
    BitBuffer, Bracket, Coin, Counted, Explorer, External, Fair, KnownLaw, LawError, Machine,
    Never, OneOver, ParameterError, Rational, Script, Tail, parity_of_run,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use support::{q, trees_agree};

fn rational(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

fn gap(num: u64, den: u64) -> Gap {
    Gap::new(num, den).expect("a gap")
}

/// The law is proved for every t of [0, 1], by weights, to a depth at which a wrong one is refuted.
fn proved<M: Machine<Output = bool>>(
    build: impl FnOnce([Letter; 1]) -> M,
    law: &Poly<1>,
    wrong: &Poly<1>,
    depth: u32,
) {
    let found = Explorer::new(depth).letters_weighted(build);
    found.proves(&true, law, &Poly::from(1)).unwrap_or_else(|error| panic!("{error}"));
    assert!(found.proves(&true, wrong, &Poly::from(1)).is_err());
}

#[test]
fn c_times_p_is_proved_for_every_p_that_keeps_the_promise() {
    let [t] = Poly::letters();
    // p = t·(1 − ε)/C.
    let two = |t| linear(2, 1, rational(2, 5).then(t), gap(1, 5)).expect("C");
    proved(|[t]| two(t), &(Poly::from(q(4, 5)) * &t), &(Poly::from(q(3, 5)) * &t), 20);
    let three_halves = |t| linear(3, 2, rational(1, 3).then(t), gap(1, 2)).expect("C");
    proved(|[t]| three_halves(t), &(Poly::from(q(1, 2)) * &t), &(Poly::from(q(1, 3)) * &t), 20);
    let third = |t| linear(1, 3, t, gap(1, 2)).expect("C");
    proved(|[t]| third(t), &(Poly::from(q(1, 3)) * &t), &(Poly::from(q(2, 5)) * &t), 3);
}

#[test]
fn sums_differences_and_quotients_are_proved_for_every_promised_pair() {
    let [t] = Poly::letters();
    // p = t/4, q = 1/4: the sum is at most 1/2, the difference q − p at least 0.
    let quarter = rational(1, 4);
    let added = |t| sum(quarter.then(t), quarter, gap(1, 2));
    proved(|[t]| added(t), &(Poly::from(q(1, 4)) * (1 + &t)), &(Poly::from(q(3, 4)) * &t), 16);
    // 3/4 − t/4 ≥ 1/2.
    let less = |t| difference(rational(3, 4), quarter.then(t), gap(1, 2));
    proved(|[t]| less(t), &(Poly::from(q(1, 4)) * (3 - &t)), &Poly::from(q(9, 10)), 16);
    // (t/4)/(3/4) = t/3, of coins 1/2 apart at least.
    let over = |t: Letter| division(quarter.then(t), rational(3, 4), gap(1, 2));
    proved(|[t]| over(t), &(Poly::from(q(1, 3)) * &t), &(Poly::from(q(1, 2)) + &t), 14);
    // (1/4)/λ, of λ = 3/4 at least: 1/(3 + t) by λ = (3 + t)/4.
    let lambda = |t: Letter| rational(3, 4).or_else(t);
    let found = Explorer::new(14)
        .letters_weighted(|[t]: [Letter; 1]| known_over(1, 4, lambda(t), gap(1, 2)).expect("1/4"));
    found.proves(&true, &Poly::from(1), &(3 + &t)).unwrap_or_else(|error| panic!("{error}"));
    assert!(found.proves(&true, &Poly::from(1), &(1 + &t)).is_err());
}

/// Mean flips of a physical coin, and the share of heads.
fn measured(num: u64, factor: u64, gap: Gap, samples: u32) -> (f64, f64) {
    let (flips, mut bits) = (Cell::new(0u64), BitBuffer::new(StdRng::seed_from_u64(num)));
    let mut rng = StdRng::seed_from_u64(factor);
    let coin = External::new(|| {
        flips.set(flips.get() + 1);
        rng.random_ratio(u32::try_from(num).expect("small"), 100)
    });
    let product = linear(factor, 1, coin, gap).expect("C");
    let heads: u32 = (0..samples).map(|_| u32::from(product.flip(&mut bits))).sum();
    (flips.get() as f64 / f64::from(samples), f64::from(heads) / f64::from(samples))
}

#[test]
fn hubers_bound_holds() {
    // The means are those of an independent program in another language; Huber's bound is 9.5·C/ε. The tail is heavy: of 20 000
    // samples one takes tens of thousands of flips.
    let rows = [
        (40, 2, gap(1, 5), 20_000, 24.5..26.9, 95.0),
        (10, 2, gap(1, 5), 20_000, 25.9..27.3, 95.0),
        (45, 2, gap(1, 10), 10_000, 44.0..54.0, 190.0),
        (8, 10, gap(1, 5), 6_000, 195.0..275.0, 475.0),
        (2, 10, gap(1, 5), 6_000, 215.0..240.0, 475.0),
    ];
    for (percent, factor, gap, samples, flips, bound) in rows {
        let (mean, heads) = measured(percent, factor, gap, samples);
        assert!(flips.contains(&mean) && mean < bound, "{percent} {factor}: {mean} flips");
        let law = (percent * factor) as f64 / 100.0;
        let error = (law * (1.0 - law) / f64::from(samples)).sqrt();
        assert!((heads - law).abs() < 5.0 * error, "{percent} {factor}: {heads}");
    }
}

#[test]
fn fair_bits_besides_the_flips() {
    // At most 2(1 − p)·C/(C − 1) for each flip of p are for the coins 1/C: 2.4, 2.1, 2.3, 6.2 (half for C = 2); and the thinnings.
    let rows = [
        (2, 1, 40, gap(1, 5), 1.68..1.78),
        (2, 1, 49, gap(1, 100), 1.1..1.4),
        (5, 2, 32, gap(1, 5), 2.5..2.8),
        (11, 10, 72, gap(1, 5), 7.3..7.9),
    ];
    for (num, den, percent, gap, per_flip) in rows {
        let (flips, mut rng) = (Cell::new(0u64), StdRng::seed_from_u64(56));
        let coin = External::new(|| {
            flips.set(flips.get() + 1);
            rng.random_ratio(percent, 100)
        });
        let product = linear(num, den, coin, gap).expect("C");
        let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(6)));
        let heads = (0..100_000).filter(|_| product.flip(&mut bits)).count();
        let law = num as usize * percent as usize * 1_000 / den as usize;
        assert!(heads.abs_diff(law) < 650, "{num}/{den}: {heads}"); // five standard errors
        let each = bits.count() as f64 / flips.get() as f64;
        assert!(per_flip.contains(&each), "{num}/{den}: {each}");
    }
}

#[test]
fn the_greatest_gap_keeps_to_hubers_bound_too() {
    for (num, den) in [(9, 10), (99, 100)] {
        let flips = Cell::new(0u64);
        let lambda = External::new(|| {
            flips.set(flips.get() + 1);
            true
        });
        let coin = known_over(num, den, lambda, gap(den - num, den)).expect("λ = 1");
        let mut bits = BitBuffer::new(StdRng::seed_from_u64(7));
        let samples = 2_000 * (den - num) * den;
        let heads: u64 = (0..samples).map(|_| u64::from(coin.flip(&mut bits))).sum();
        // One sample of 1/(1 − a) comes to flip λ, then at most 9.5/ε times.
        let mean = flips.get() as f64 / 2_000.0;
        assert!(mean < 9.5 * den as f64, "{num}/{den}: {mean}");
        let law = num as f64 / den as f64;
        let error = (law * (1.0 - law) / samples as f64).sqrt();
        assert!((heads as f64 / samples as f64 - law).abs() < 5.0 * error, "{heads}");
    }
}

#[test]
fn promises_are_equal_in_lowest_terms() {
    use std::collections::HashSet;
    assert_eq!(gap(1, 5), gap(2, 10));
    assert_ne!(gap(1, 5), gap(1, 6));
    let gaps = [gap(3, 4), gap(6, 8), gap(u64::MAX / 4 * 3, u64::MAX / 4 * 4)];
    assert_eq!(HashSet::from(gaps).len(), 1);
    let coin = |num, den| linear(num, den, Fair, gap(1, 5)).expect("C");
    assert_eq!(HashSet::from([coin(3, 2), coin(6, 4), coin(300, 200)]).len(), 1);
    assert_ne!(coin(3, 2), coin(4, 2));
    let over = |num, den| known_over(num, den, Fair, gap(1, 4)).expect("a");
    assert_eq!(over(1, 5), over(2, 10));
}

#[test]
fn laws_under_the_promise_and_the_promise_itself() {
    let exact = |num, den| Bracket::exact(q(num, den));
    let coin = linear(2, 1, rational(2, 5), gap(1, 5)).expect("C");
    assert_eq!(coin.probability(1), exact(4, 5));
    assert_eq!(coin.tail(), Tail::FiniteMean);
    assert!(matches!(coin.try_expected_bits(9), Err(LawError::UnboundedCost { .. })));
    trees_agree(&coin, 14, 10);
    trees_agree(&division(rational(1, 8), rational(3, 4), gap(1, 2)), 14, 10);
    // p above (1 − ε)/C: the machine would answer in silence, its law does not.
    let broken = linear(2, 1, rational(9, 20), gap(1, 5)).expect("C");
    assert_eq!(broken.try_probability(9), Err(LawError::BrokenPromise));
    assert_eq!(broken.try_expected_bits(9), Err(LawError::BrokenPromise));
    assert_eq!(broken.tail(), Tail::MayNeverEnd);
    let wrong = sum(Fair, Fair, gap(1, 5)).try_probability(9);
    assert_eq!(wrong, Err(LawError::BrokenPromise));
    let wrong = difference(rational(1, 3), rational(1, 4), gap(1, 5)).try_probability(9);
    assert_eq!(wrong, Err(LawError::BrokenPromise));
    // An irrational coin: 2/e ≤ 1 − 1/5.
    let coin = linear(2, 1, parity_of_run(OneOver::new), gap(1, 5)).expect("C");
    assert_eq!(format!("{:.9}", coin.probability(40)), "0.735758882…");
    // C of any size.
    let huge = linear(u64::MAX, 1, Never, gap(1, u64::MAX)).expect("C");
    assert_eq!(huge.probability(1), exact(0, 1));
    let ratio = linear(u64::MAX, 3, rational(1, u64::MAX), gap(1, u64::MAX)).expect("C");
    assert_eq!(ratio.probability(1), exact(1, 3));
    // C ≤ 1 needs no walk: 1/2·1/3, at 1 + 2/2 bits, and no promise.
    let half = linear(1, 2, rational(1, 3), gap(1, 2)).expect("C");
    assert_eq!((half.probability(1), half.expected_bits(1)), (exact(1, 6), exact(2, 1)));
    assert_eq!(linear(1, 1, Fair, gap(9, 10)).expect("C").expected_bits(1), exact(1, 1));
}

#[test]
fn promises_that_are_none_are_refused() {
    use ParameterError::{TooLarge, TooSmall, ZeroDenominator};
    assert_eq!(Gap::new(1, 0), Err(ZeroDenominator));
    assert_eq!(Gap::new(0, 1), Err(TooSmall));
    assert_eq!(Gap::new(1, 1), Err(TooLarge));
    assert_eq!(Gap::new(3, 2), Err(TooLarge));
    assert_eq!(linear(1, 0, Fair, gap(1, 2)).unwrap_err(), ZeroDenominator);
    assert_eq!(linear(0, 1, Fair, gap(1, 2)).unwrap_err(), TooSmall);
    assert_eq!(known_over(1, 0, Fair, gap(1, 2)).unwrap_err(), ZeroDenominator);
    assert_eq!(known_over(0, 1, Fair, gap(1, 2)).unwrap_err(), TooSmall);
    assert_eq!(known_over(2, 3, Fair, gap(1, 2)).unwrap_err(), TooLarge);
    assert_eq!(known_over(3, 2, Fair, gap(1, 2)).unwrap_err(), TooLarge);
    // λ = 1 keeps the greatest gap: a/1.
    let certain = known_over(1, 2, buffon::Always, gap(1, 2)).expect("1/2");
    assert_eq!(certain.probability(1), Bracket::exact(q(1, 2)));
}

#[test]
fn dividing_coins_is_not_conditioning() {
    // P(p and q)/P(q) of independent coins is p, and p/q another number.
    let (p, of) = (rational(1, 8), rational(1, 2));
    let conditioned = p.zip(of).condition(|&(_, given)| given).map(|(heads, _)| heads);
    assert_eq!(conditioned.probability(1), Bracket::exact(q(1, 8)));
    assert_eq!(division(p, of, gap(1, 4)).probability(1), Bracket::exact(q(1, 4)));
}

#[test]
fn pinned_walks() {
    // C = 2, a fair promise: "T" of p, then the coin 1/2 up once, "HT", to 2; down by "HH" to 0.
    let walk = linear(2, 1, Fair, gap(1, 2)).expect("C");
    let mut bits = Script::from_str("THTHH").expect("flips");
    assert_eq!((walk.try_flip(&mut bits), bits.position()), (Ok(true), 5));
}
