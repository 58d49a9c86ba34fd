//! Runs of integer-ratio coins: their parts, laws and costs.

mod support;

use std::num::NonZeroU64;

use buffon::catalogue::{
    arctan_over, bessel_j0, beta, cos, eighth_pi, eta, exp_minus, gauss_integral, inverse_cosh,
    inverse_e, inverse_sqrt_one_plus, ln_one_plus_over, quarter_pi, randomized_response, sinc,
    tanh_of_half,
};
use buffon::law::check_declaration;
use buffon::{
    Always, Bracket, Coin, Counted, Fair, Harmonic, Hypergeometric, KnownLaw, LawError,
    LinearRatio, Machine, OneOver, ParameterError, ProbabilityError, Rational, Ratios, Script,
    Tail, explore, parity_of_run, run,
};
use num_rational::BigRational;
use support::{has_decimals, has_law, trees_agree, two_to_minus};

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
    let nothing = Ratios::<u64, 0>::new([]);
    assert_eq!(nothing.expect("no ratio").expected_bits(1), exact(0, 1));
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

#[test]
fn one_over_e_and_its_kin() {
    has_law(&inverse_e(), "0.36787944117144232159", 40, "2.353180720410");
    let rest = parity_of_run(|k: NonZeroU64| OneOver::new(k.saturating_add(1)));
    assert!(has_decimals(&rest.probability(64), "0.63212055882855767840"));
    let rest = parity_of_run(Hypergeometric::new([((0, 1), (1, 2))]).expect("ratios"));
    has_law(&rest, "0.63212055882855767840", 40, "2.353180720410");
    assert!(trees_agree(&inverse_e(), 18, 30) < two_to_minus(100));
    // The first coin, 1/1, is free; no coin but it is certain.
    let mut bits = Counted::new(Script::from_str("T").expect("flips"));
    assert_eq!(inverse_e().try_flip(&mut bits), Ok(false));
    assert_eq!(bits.count(), 1);
}

fn exponential(num: u64, den: u64) -> buffon::catalogue::ExpMinus {
    exp_minus(num, den).expect("a denominator")
}

#[test]
fn exponentials_cost_what_the_table_says() {
    has_law(&exponential(1, 3), "0.71653131057378925043", 40, "2.791224850172");
    has_law(&exponential(1, 2), "0.60653065971263342360", 40, "2.042234014305");
    has_law(&exponential(3, 4), "0.47236655274101470714", 40, "3.396589930521");
    has_law(&exponential(9, 10), "0.40656965974059911188", 40, "4.919206222314");
    has_law(&exponential(3, 2), "0.22313016014842982893", 40, "3.104476628334");
    // 1/k and then γ as two coins: a little dearer, and the way for a γ that is a coin.
    let as_coins =
        |num, den| parity_of_run(Harmonic::new(Rational::<u64>::new(num, den).expect("γ")));
    has_law(&as_coins(1, 3), "0.71653131057378925043", 40, "2.828479624921");
    has_law(&as_coins(1, 2), "0.60653065971263342360", 40, "2.084468028609");
    has_law(&as_coins(3, 4), "0.47236655274101470714", 40, "3.682837195226");
    has_law(&as_coins(9, 10), "0.40656965974059911188", 40, "5.201994966507");
    for (num, den) in [(1, 3), (1, 2), (9, 10), (1, 1), (3, 2), (7, 3)] {
        trees_agree(&exponential(num, den), 14, 14);
    }
}

#[test]
fn exponentials_are_split_at_whole_numbers() {
    // exp(0) is 1, without a bit, and so is any 0/n.
    for den in [1, 2, 7, u64::MAX] {
        assert_eq!(exponential(0, den).probability(64), exact(1, 1));
        assert_eq!(exponential(0, den).expected_bits(64), exact(0, 1));
        assert_eq!(exponential(0, den).max_bits(), Some(0));
    }
    // exp(−1) is one coin 1/e and nothing more; unreduced too.
    for (num, den) in [(1, 1), (2, 2), (u64::MAX, u64::MAX)] {
        has_law(&exponential(num, den), "0.36787944117144232159", 40, "2.353180720410");
        let (tree, of_e) = (explore(&exponential(num, den), 16), explore(&inverse_e(), 16));
        assert_eq!((tree.mass(&true), tree.open()), (of_e.mass(&true), of_e.open()));
    }
    assert_eq!(exponential(6, 4).probability(64), exponential(3, 2).probability(64));
    assert_eq!(exp_minus(1, 0).err(), Some(ParameterError::ZeroDenominator));
    assert_eq!(exp_minus(0, 0).err(), Some(ParameterError::ZeroDenominator));
}

#[test]
fn a_tiny_exponent_is_not_rounded_away() {
    // 10^-30 as a product: no number of 64 bits holds it.
    let tiny = Ratios::new([(1u64, 1_000_000_000_000_000); 2]).expect("ratios");
    let coin = parity_of_run(Harmonic::new(tiny));
    let x = BigRational::new(1.into(), num_bigint::BigInt::from(10).pow(30));
    let p = coin.probability(220);
    assert!(*p.high() < q(1, 1));
    // 1 − x < exp(−x) < 1 − x + x²/2.
    assert!(*p.low() >= q(1, 1) - &x - two_to_minus(219));
    assert!(*p.high() <= q(1, 1) - &x + &x * &x / q(2, 1) + two_to_minus(219));
    // And as far as 64 bits go.
    let p = exponential(1, u64::MAX).probability(160);
    let x = BigRational::new(1.into(), u64::MAX.into());
    assert!(*p.low() >= q(1, 1) - &x - two_to_minus(159));
    assert!(*p.high() <= q(1, 1) - &x + &x * &x / q(2, 1) + two_to_minus(159));
}

#[test]
fn an_exponent_may_be_of_any_size() {
    // At most 2.3532/(1 − 1/e) = 3.7227 bits and the fraction's share e^−⌊x⌋.
    let most = BigRational::new(37_226_771.into(), 10_000_000.into());
    for num in [1_000_000_000, u64::MAX] {
        let (coin, bits) = (exponential(num, 1), exponential(num, 1).expected_bits(30));
        assert!(*bits.high() <= most && has_decimals(&bits, "3.7226770867"), "{bits}");
        assert!(*coin.probability(64).high() <= two_to_minus(64));
        assert_eq!(coin.tail(), Tail::Exponential);
        let tree = explore(&coin, 10);
        assert_eq!(tree.mass(&true), q(0, 1));
    }
    for (num, den) in [(7, 2), (13, 3), (u64::MAX, 3), (u64::MAX, u64::MAX - 1), (99, 10)] {
        let bits = exponential(num, den).expected_bits(30);
        let share = BigRational::new(54_366.into(), 10_000.into())
            * exponential(num / den, 1).probability(30).high();
        assert!(*bits.high() <= &most + share, "{num}/{den}: {bits}");
    }
    // Flips end at once where the numbers are greatest: no index is multiplied into them.
    let mut bits = Script::from_str(&"HTTH".repeat(64)).expect("flips");
    for _ in 0..8 {
        assert!(exponential(u64::MAX, u64::MAX - 1).try_flip(&mut bits).is_ok());
        assert!(exponential(u64::MAX - 1, u64::MAX).try_flip(&mut bits).is_ok());
    }
}

#[test]
fn the_table_of_series() {
    let ok = "a number of the range";
    has_law(&cos(1, 1).expect(ok), "0.54030230586813971740", 40, "2.086161269630");
    has_law(&cos(1, 2).expect(ok), "0.87758256189037271612", 40, "2.005251930413");
    has_law(&cos(1, 4).expect(ok), "0.96891242171064478414", 40, "2.000326199759");
    has_law(&sinc(1, 1).expect(ok), "0.84147098480789650665", 40, "2.350402387288");
    has_law(&bessel_j0(1, 1).expect(ok), "0.76519768655796655145", 40, "2.000868192136");
    has_law(&gauss_integral(1, 1).expect(ok), "0.74682413281242702540", 40, "2.925303491814");
    has_law(&arctan_over(1, 2).expect(ok), "0.92729521800161223243", 40, "2.197224577336");
    has_law(&arctan_over(1, 3).expect(ok), "0.96525166318992658020", 40, "2.079441541680");
    has_law(&ln_one_plus_over(1, 2).expect(ok), "0.81093021621632876396", 40, "2.251476116735");
    has_law(
        &inverse_sqrt_one_plus(1, 4).expect(ok),
        "0.89442719099991587856",
        40,
        "2.043470501438",
    );
    has_law(&quarter_pi(), "0.78539816339744830962", 40, "3.791759469228");
    has_law(&eighth_pi(), "0.39269908169872415481", 40, "3.395879734614");
    let sine = Rational::<u64>::new(1, 2).expect(ok).then(sinc(1, 2).expect(ok));
    assert!(has_decimals(&sine.probability(64), "0.47942553860420300028"));
}

#[test]
fn series_that_fall_like_a_power() {
    // The laws to 2^-64 by Euler's transformation; the costs by brackets of what is left.
    has_law(&eta::<2>(), "0.82246703342411321824", 24, "2.7753046");
    has_law(&eta::<3>(), "0.90154267736969571405", 30, "2.152944864");
    has_law(&eta::<4>(), "0.94703282949724591758", 40, "2.039549812834");
    has_law(&eta::<5>(), "0.97211977044690930594", 40, "2.011347469101");
    has_law(&beta::<2>(), "0.91596559417721901505", 24, "2.4674011");
    has_law(&beta::<3>(), "0.96894614625936938048", 30, "2.103599580");
    // The misprints, 7/8·ζ(3) and 31/32·ζ(5), are other numbers.
    let misprint = |bracket: Bracket, decimals| !has_decimals(&bracket, decimals);
    assert!(misprint(eta::<3>().probability(20), "1.0518"));
    assert!(misprint(eta::<5>().probability(20), "1.0045"));
    assert_eq!(eta::<2>().tail(), Tail::FiniteMean);
    // More digits of the cost than terms that can be added are refused, and soon.
    assert_eq!(eta::<2>().try_expected_bits(64), Err(LawError::Undecided));
    // ln 2 and π/4 by such series: known laws, and no finite mean.
    for (ratio, heads) in [
        (((1, 1), (1, 2)), "0.69314718055994530942"),
        (((2, 1), (2, 3)), "0.78539816339744830962"),
        (((2, 1), (2, 2)), "0.70710678118654752440"),
    ] {
        let warning = parity_of_run(Hypergeometric::new([ratio]).expect("ratios"));
        assert!(has_decimals(&warning.probability(64), heads));
        assert!(matches!(warning.try_expected_bits(10), Err(LawError::UnboundedCost { .. })));
        assert_eq!(warning.tail(), Tail::AlmostSure);
    }
}

#[test]
fn ranges_are_checked() {
    let (zero, large) = (ParameterError::ZeroDenominator, ParameterError::TooLarge);
    assert_eq!((cos(1, 0).err(), cos(2, 1).err()), (Some(zero), Some(large)));
    assert_eq!((sinc(1, 0).err(), sinc(3, 2).err()), (Some(zero), Some(large)));
    assert_eq!((bessel_j0(0, 0).err(), bessel_j0(9, 8).err()), (Some(zero), Some(large)));
    assert_eq!((gauss_integral(1, 0).err(), gauss_integral(2, 1).err()), (Some(zero), Some(large)));
    let infinite = Some(ParameterError::InfiniteMean);
    assert_eq!((arctan_over(1, 1).err(), arctan_over(2, 1).err()), (infinite, Some(large)));
    assert_eq!(
        (ln_one_plus_over(3, 3).err(), ln_one_plus_over(1, 0).err()),
        (infinite, Some(zero))
    );
    assert_eq!(inverse_sqrt_one_plus(1, 1).err(), infinite);
    // At 0 each is 1, without a bit.
    assert_eq!(cos(0, 5).expect("0").max_bits(), Some(0));
    assert_eq!(cos(0, 5).expect("0").probability(1), exact(1, 1));
    assert_eq!(arctan_over(0, 1).expect("0").probability(1), exact(1, 1));
    // The greatest numbers there are.
    for coin in [cos(u64::MAX, u64::MAX), cos(u64::MAX - 1, u64::MAX)] {
        let p = coin.expect("in the range").probability(50);
        assert!(has_decimals(&p, "0.540302305868"));
    }
    assert_eq!(Hypergeometric::new([((2, 1), (1, 1))]).err(), Some(ProbabilityError::AboveOne));
    assert_eq!(Hypergeometric::new([((1, 2), (1, 1))]).err(), Some(ProbabilityError::AboveOne));
    assert_eq!(
        Hypergeometric::new([((0, 0), (1, 0))]).err(),
        Some(ProbabilityError::ZeroDenominator)
    );
}

#[test]
fn trees_lie_around_the_laws_of_series() {
    let ok = "a number of the range";
    let open = [
        trees_agree(&cos(1, 1).expect(ok), 14, 16),
        trees_agree(&sinc(1, 2).expect(ok), 14, 16),
        trees_agree(&bessel_j0(1, 1).expect(ok), 14, 16),
        trees_agree(&gauss_integral(2, 3).expect(ok), 14, 24),
        trees_agree(&arctan_over(1, 2).expect(ok), 14, 40),
        trees_agree(&ln_one_plus_over(1, 2).expect(ok), 14, 66),
        trees_agree(&inverse_sqrt_one_plus(1, 4).expect(ok), 14, 40),
        trees_agree(&quarter_pi(), 14, 42),
        trees_agree(&eighth_pi(), 14, 42),
    ];
    assert!(open.iter().all(|open| *open <= two_to_minus(60)));
    trees_agree(&eta::<2>(), 12, 100);
    trees_agree(&beta::<2>(), 12, 100);
    assert!(trees_agree(&eta::<5>(), 12, 100) < two_to_minus(33));
}

#[test]
fn declarations_of_ratios_hold() {
    let families: [[LinearRatio; 2]; 6] = [
        [((1, 1), (1, 2)), ((1, 1), (1, 2))], // the limit is 1, the sum finite
        [((2, 1), (2, 3)), ((2, 1), (2, 3))],
        [((3, 2), (3, 4)), ((5, 1), (5, 8))],
        [((0, 1), (1, 1)), ((0, 9), (0, 10))],
        [((1, 1), (1, 2)), ((0, 9), (0, 10))],
        [((1, 3), (2, 3)), ((0, 1), (0, 1))], // it falls to 1/2
    ];
    for ratios in families {
        let family = Hypergeometric::new(ratios).expect("ratios");
        assert_eq!(check_declaration(&family, 200), Ok(()), "{family:?}");
        trees_agree(&parity_of_run(family), 10, 24);
    }
    // Nothing is declared of what has no finite mean or no end.
    let slow = Hypergeometric::new([((1, 1), (1, 2))]).expect("ratios");
    assert!(matches!(check_declaration(&slow, 50), Err(LawError::UnboundedCost { .. })));
    let endless = parity_of_run(Hypergeometric::new([((3, 5), (3, 5))]).expect("ratios"));
    assert_eq!(endless.try_probability(10), Err(LawError::NeverHalts));
    assert_eq!(endless.tail(), Tail::MayNeverEnd);
    // The lengths of a run: P(at least n) = 1/n!.
    let lengths =
        run(Hypergeometric::new([((0, 1), (1, 1))]).expect("ratios")).law(64).expect("a law");
    assert_eq!(*lengths.mass(&3).low(), q(1, 8));
}

#[test]
fn what_is_built_of_exponentials() {
    let ok = "a denominator";
    has_law(&randomized_response(1, 2).expect(ok), "0.62245933120185456464", 34, "2.5161262811");
    has_law(&randomized_response(1, 1).expect(ok), "0.73105857863000487925", 34, "3.1824301100");
    has_law(&randomized_response(2, 1).expect(ok), "0.88079707797788244406", 34, "4.5967632697");
    has_law(&tanh_of_half(1, 1).expect(ok), "0.46211715726000975850", 34, "4.9027430627");
    has_law(&inverse_cosh(1, 2).expect(ok), "0.88681888397007390866", 34, "4.1487305158");
    has_law(&inverse_cosh(1, 1).expect(ok), "0.64805427366388539957", 34, "6.5690695785");
    // Without privacy the answer is a fair coin, and tanh 0 = 0.
    assert_eq!(randomized_response(0, 1).expect(ok).probability(64), exact(1, 2));
    assert_eq!(randomized_response(0, 1).expect(ok).expected_bits(64), exact(1, 1));
    assert_eq!(tanh_of_half(0, 1).expect(ok).probability(64), exact(0, 1));
    assert_eq!(inverse_cosh(0, 1).expect(ok).probability(64), exact(1, 1));
    trees_agree(&randomized_response(1, 1).expect(ok), 14, 12);
    trees_agree(&tanh_of_half(1, 1).expect(ok), 14, 12);
    trees_agree(&inverse_cosh(1, 1).expect(ok), 14, 12);
    let denominators = [randomized_response(1, 0).err(), tanh_of_half(1, 0).err()];
    assert!(denominators.iter().all(|error| *error == Some(ParameterError::ZeroDenominator)));
    assert!(inverse_cosh(1, 0).is_err());
    assert_eq!(Always.power(3).probability(1), exact(1, 1));
}
