//! Runs of integer-ratio coins: their parts, laws and costs.

use buffon::{
    Bracket, Coin, Counted, Fair, KnownLaw, Machine, OneOver, ProbabilityError, Rational, Ratios,
    Script, Tail, explore,
};
use num_rational::BigRational;

fn q(num: i64, den: i64) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn exact(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}

#[test]
fn products_of_ratios_are_one_coin_where_they_fit() {
    let product = Ratios::new([(3u64, 4), (2, 3), (1, 2)]).expect("ratios"); // 1/4
    assert_eq!(product.probability(1), exact(1, 4));
    assert_eq!(product.expected_bits(1), exact(3, 2));
    assert_eq!(product.max_bits(), Some(2));
    let tree = explore(&product, 2);
    assert_eq!((tree.mass(&true), tree.open()), (q(1, 4), q(0, 1)));

    // 2^64 − 1 three times: two of them are one coin of 128 bits, the third another, flipped after heads.
    let top = u64::MAX;
    let tiny = Ratios::new([(top - 1, top); 3]).expect("ratios");
    let p = BigRational::new((top - 1).into(), top.into());
    assert_eq!(tiny.probability(1), Bracket::exact(&p * &p * &p));
    assert_eq!(tiny.expected_bits(1), Bracket::exact(q(2, 1) + q(2, 1) * &p * &p));
    let tree = explore(&tiny, 20);
    assert!(tree.mass(&true) <= &p * &p * &p && tree.mass(&true) + tree.open() >= &p * &p * &p);

    assert_eq!(Ratios::new([(1u8, 0)]).err(), Some(ProbabilityError::ZeroDenominator));
    assert_eq!(Ratios::new([(1u128, 2), (3, 2)]).err(), Some(ProbabilityError::AboveOne));
    let nothing: [(u64, u64); 0] = [];
    assert_eq!(Ratios::new(nothing).expect("no ratio").expected_bits(1), exact(0, 1));
}

#[test]
fn powers_stop_at_the_first_tails() {
    let third = Rational::<u64>::new(1, 3).expect("a probability");
    for (n, p, bits) in [(0, exact(1, 1), exact(0, 1)), (1, exact(1, 3), exact(2, 1))] {
        assert_eq!((third.power(n).probability(1), third.power(n).expected_bits(1)), (p, bits));
    }
    assert_eq!(third.power(3).probability(1), exact(1, 27));
    assert_eq!(third.power(3).expected_bits(1), exact(26, 9));
    let (tree, chain) = (explore(&third.power(3), 16), explore(&third.then(third).then(third), 16));
    assert_eq!((tree.mass(&true), tree.open()), (chain.mass(&true), chain.open()));
    assert_eq!((Fair.power(0).tail(), Fair.power(9).tail()), (Tail::Bounded(0), Tail::Bounded(9)));
    assert_eq!(Fair.power(u64::MAX).tail(), Tail::Bounded(u64::MAX));
    assert_eq!(third.power(0).tail(), Tail::Bounded(0));

    // However large the power, the cost is below c/(1 − p), and the law narrow.
    let huge = third.power(u64::MAX);
    assert!(*huge.probability(64).high() < BigRational::new(1.into(), (1u64 << 63).into()));
    let bits = huge.expected_bits(64);
    assert!(*bits.low() <= q(3, 1) && *bits.high() >= q(3, 1) && bits.width() < q(1, 1 << 60));
    // (1 − 2^-63)^(2^63) is 1/e, very nearly, and its expected flips (1 − 1/e)·2^63.
    let most = OneOver::try_from(1 << 63).expect("not 0").not();
    let near = most.power(1 << 63);
    let p = near.probability(40);
    assert!(*p.low() > q(36_787_944, 100_000_000) && *p.high() < q(36_787_945, 100_000_000));
    let p = near.probability(140);
    let flips = |p: &BigRational| BigRational::from_integer((1u64 << 63).into()) * (q(1, 1) - p);
    let each = most.expected_bits(1);
    let bits = near.expected_bits(40);
    assert!(
        *bits.low() <= each.low() * flips(p.low()) && *bits.high() >= each.low() * flips(p.high())
    );

    let mut bits = Counted::new(Script::from_str("HHT").expect("flips"));
    assert_eq!(Fair.power(9).try_flip(&mut bits), Ok(false));
    assert_eq!(bits.count(), 3);
    assert_eq!(
        Fair.power(2).array::<1>().try_sample(&mut Script::from_str("HH").expect("flips")),
        Ok([true])
    );
}
