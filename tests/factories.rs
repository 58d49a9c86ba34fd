//! Factories: functions of coins of unknown bias, proved for all biases where they are rational, and their laws and costs.

mod support;

use std::num::NonZeroU64;

use buffon::catalogue::{exp_minus, inverse_e, ln_one_plus_over, polylog, randomized_response};
use buffon::explore::{Letter, Lettered, Polynomial as Poly, explore_letters};
use buffon::factories::{
    Choose, Hazard, Heads, Pgf, Scaled, affine, bernstein, convex, exp_minus_of, logistic, odds,
    one_minus_over_one_plus, one_over_one_plus, over_shifted, portkey, product_of_odds, quotient,
    race, race_of, rational_function, share, to_the, to_the_coin, twice_over_one_plus_square,
};
use buffon::law::check_declaration;
use buffon::{
    Always, Beta, Bracket, Coin, Die, Explorer, External, Fair, Harmonic, Hypergeometric, KnownLaw,
    LawError, Machine, Never, OneOver, ParameterError, Rational, Script, Tail, integrate,
    parity_of_run,
};
use num_rational::BigRational;
use support::{has_decimals, has_law, q, trees_agree, two_to_minus};

fn rational(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

fn exact(num: i64, den: i64) -> Bracket {
    Bracket::exact(q(num, den))
}

/// The law and the cost are exactly these, and the tree lies around them.
fn is_exactly<C: KnownLaw<Output = bool>>(coin: &C, heads: (i64, i64), bits: (i64, i64)) {
    assert_eq!(coin.probability(1), exact(heads.0, heads.1));
    assert_eq!(coin.expected_bits(1), exact(bits.0, bits.1));
    trees_agree(coin, 12, 10);
}

/// num/den is proved for all probabilities of the letters, and what is open where all are 1/2 is below 2^-`places`.
fn proved<const N: usize>(found: &Lettered<bool, N>, num: &Poly<N>, den: &Poly<N>, places: u32) {
    let proof = found.proves(&true, num, den).unwrap_or_else(|error| panic!("{error}"));
    assert!(proof.width().at(&std::array::from_fn(|_| q(1, 2))) <= two_to_minus(places), "{proof}");
    let wrong = num + Poly::from(q(1, 50)) * den;
    assert!(found.proves(&true, &wrong, den).is_err());
}

fn by_weights<M: Machine<Output = bool>, const N: usize>(
    build: impl FnOnce([Letter; N]) -> M,
    depth: u32,
) -> Lettered<bool, N> {
    Explorer::new(depth).letters_weighted(build)
}

#[test]
fn the_test_vectors() {
    let (third, quarter) = (rational(1, 3), rational(1, 4));
    is_exactly(&Fair.parity_of_run(), (2, 3), (2, 1));
    is_exactly(&one_over_one_plus(third), (3, 4), (3, 1));
    is_exactly(&logistic(2, 1, quarter).expect("C"), (1, 3), (6, 1));
    is_exactly(&race(Fair, third, quarter), (4, 7), (66, 7));
    let coefficients = [rational(0, 2), rational(1, 2), rational(2, 2)];
    is_exactly(&bernstein(third, coefficients), (1, 3), (40, 9));
    // Even parity against two coins: cheaper below p = 1/(1 + c) only.
    let three_quarters = rational(3, 4);
    is_exactly(&quarter.parity_of_run(), (4, 5), (2, 1));
    is_exactly(&one_over_one_plus(quarter), (4, 5), (14, 5));
    is_exactly(&three_quarters.parity_of_run(), (4, 7), (6, 1));
    is_exactly(&one_over_one_plus(three_quarters), (4, 7), (2, 1));
    // Two coins end at p = 1 as well.
    is_exactly(&one_over_one_plus(Always), (1, 2), (1, 1));
    is_exactly(&one_over_one_plus(Never), (1, 1), (2, 1));
}

#[test]
fn exp_of_ln_2_is_one_half() {
    // Li₁(1/2), the coin ln 2 at 2.7178 bits; none of the brackets ever closes, and all hold 1/2.
    let half = exp_minus_of(polylog::<1, _>(Fair));
    let law = half.probability(64);
    assert!(law.contains(&q(1, 2)) && law.width() <= two_to_minus(64));
    assert!(half.probability(300).contains(&q(1, 2)));
    assert!(has_decimals(&half.expected_bits(34), "5.2000124607"));
    trees_agree(&half, 12, 10);
    // ln 2 as the integral of 1/(1 + u), by an urn, at 2.2515 bits.
    let ln_2 = integrate(Beta::UNIFORM, |u, bits| one_over_one_plus(u).try_flip(bits));
    let tree = buffon::explore_weighted(&exp_minus_of(ln_2), 12);
    assert!(tree.mass(&true) <= q(1, 2) && tree.mass(&true) + tree.open() >= q(1, 2));
    // Its own bits are Σ (ln 2)^(k − 1)/(k − 1)!·κ(1/k), and it flips the coin (e^p − 1)/p = 1/ln 2 times: 4.52729038.
    let free = exp_minus_of(Priceless(polylog::<1, _>(Fair)));
    assert!(has_decimals(&free.expected_bits(34), "1.2790969519"));
    let flips = half.expected_bits(40).low() - free.expected_bits(40).low();
    let flips = flips / polylog::<1, _>(Fair).expected_bits(40).low();
    let urn = q(22_514_761_167_352_152u64, 10_000_000_000_000_000u64);
    let bits = free.expected_bits(40).low() + flips * urn;
    assert!(has_decimals(&Bracket::exact(bits), "4.52729038"));
}

/// A coin of known law that is flipped for nothing: what a factory costs by itself.
#[derive(Clone, Copy)]
struct Priceless<C>(C);

impl<C: Coin> Machine for Priceless<C> {
    type Output = bool;
    fn try_sample<B: buffon::BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        self.0.try_flip(bits)
    }
}

impl<C: KnownLaw<Output = bool>> KnownLaw for Priceless<C> {
    fn law_at(&self, places: u32) -> Result<buffon::Law<bool>, LawError> {
        self.0.law_at(places)
    }
    fn cost_at(&self, _: u32) -> Result<buffon::Cost, LawError> {
        Ok(buffon::Cost::bits(0))
    }
    fn tail(&self) -> Tail {
        self.0.tail()
    }
}

/// The same coin at a price of one bit a flip: so expected bits less those of `Priceless` are flips.
#[derive(Clone, Copy)]
struct OneBit<C>(C);

impl<C: Coin> Machine for OneBit<C> {
    type Output = bool;
    fn try_sample<B: buffon::BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        self.0.try_flip(bits)
    }
}

impl<C: KnownLaw<Output = bool>> KnownLaw for OneBit<C> {
    fn law_at(&self, places: u32) -> Result<buffon::Law<bool>, LawError> {
        self.0.law_at(places)
    }
    fn cost_at(&self, _: u32) -> Result<buffon::Cost, LawError> {
        Ok(buffon::Cost::bits(1))
    }
    fn tail(&self) -> Tail {
        self.0.tail()
    }
}

#[test]
fn quotients_are_proved_for_all_probabilities() {
    let [p] = Poly::letters();
    let one = Poly::from(1);
    proved(&explore_letters(|[p]| one_over_one_plus(p), 24), &one, &(1 + &p), 8);
    let build = |[p]: [Letter; 1]| one_minus_over_one_plus(p);
    proved(&explore_letters(build, 20), &(1 - &p), &(1 + &p), 8);
    let build = |[p]: [Letter; 1]| quotient(Fair, p.clone(), p.not());
    proved(&explore_letters(build, 20), &p, &(2 - &p), 8);
    let build = |[p]: [Letter; 1]| one_over_one_plus(p.not());
    proved(&explore_letters(build, 24), &one, &(2 - &p), 8);
    let build = |[p]: [Letter; 1]| twice_over_one_plus_square(p);
    proved(&explore_letters(build, 14), &(2 * &p), &(1 + &p * &p), 4);
    for (c, d) in [(1u64, 2u64), (2, 1), (3, 7), (10, 1)] {
        let law = |c: u64, d: u64| Poly::from(q(c, 1)) * &p + Poly::from(q(d, 1));
        let build = |[p]: [Letter; 1]| logistic(c, d, p).expect("C");
        proved(&by_weights(build, 18), &(Poly::from(q(c, 1)) * &p), &law(c, d), 1);
    }
    // 3/(4 + p) and (1 + q)/(3 + p).
    let four = NonZeroU64::new(4).expect("4");
    let build = |[p]: [Letter; 1]| over_shifted(four, rational(3, 4), p);
    proved(&by_weights(build, 12), &Poly::from(3), &(4 + &p), 8);
    let [p, r] = Poly::letters();
    let three = NonZeroU64::new(3).expect("3");
    let build = |[p, r]: [Letter; 2]| over_shifted(three, affine(1, r, 3).expect("1 < 3"), p);
    proved(&by_weights(build, 10), &(1 + &r), &(3 + &p), 5);
    // A power of one of them.
    let [p] = Poly::letters();
    let build = |[p]: [Letter; 1]| one_over_one_plus(p).power(2);
    proved(&explore_letters(build, 16), &one, &((1 + &p) * (1 + &p)), 3);
}

#[test]
fn races_are_proved_for_all_probabilities() {
    let [p, r] = Poly::letters();
    proved(&explore_letters(|[p, r]| race(Fair, p, r), 20), &p, &(&p + &r), 7);
    let two_to_three = |[p, r]: [Letter; 2]| race(share(2, 3).expect("runners"), p, r);
    proved(&by_weights(two_to_three, 16), &(2 * &p), &(2 * &p + 3 * &r), 5);
    let build = |[p, r]: [Letter; 2]| product_of_odds(p, r);
    let (both, neither) = (&p * &r, (1 - &p) * (1 - &r));
    proved(&explore_letters(build, 16), &both, &(&both + &neither), 7);
    // β = 3/4, weights 2 and 3: p·cβ/(β(cp + dr) + (1 − β)(c + d)).
    let build = |[p, r]: [Letter; 2]| portkey(rational(3, 4), share(2, 3).expect("runners"), p, r);
    let den = 3 * (2 * &p + 3 * &r) + Poly::from(5);
    proved(&by_weights(build, 15), &(3 * 2 * &p), &den, 5);
    // A race of three, with weights 1/3.
    let [p, r, s] = Poly::letters();
    let build = |coins: [Letter; 3]| {
        race_of(Die::new(3).expect("sides").map(|side| side as usize), coins).map(|i| i == 1)
    };
    proved(&by_weights(build, 12), &r, &(&p + &r + &s), 5);
    // Exact figures of the races with known coins: rounds Σw/Σwp.
    let race = race_of(Fair.map(usize::from), [rational(1, 4), rational(1, 3)]);
    assert_eq!(race.law(1).expect("a law").mass(&1), exact(4, 7));
    assert_eq!(race.expected_bits(1), exact(66, 7));
    // Nobody can win: known where the coins are.
    let hopeless = buffon::factories::race(Fair, Never, Never);
    assert_eq!(hopeless.try_probability(9), Err(LawError::Impossible));
    assert_eq!(hopeless.tail(), Tail::MayNeverEnd);
    assert_eq!(share(0, 0).err(), Some(ParameterError::NeverEnds));
    // By the portkey it ends, as tails.
    is_exactly(&portkey(Fair, Fair, Never, Never), (0, 1), (3, 1));
}

#[test]
fn logistic_coins_at_the_ends() {
    // Bounded for every p: 0 and 1 too. Rounds (1 + C)/(1 + Cp), flips C/(1 + Cp).
    is_exactly(&logistic(3, 1, Never).expect("C"), (0, 1), (6, 1));
    is_exactly(&logistic(3, 1, Always).expect("C"), (3, 4), (3, 2));
    is_exactly(&logistic(0, 1, Fair).expect("C"), (0, 1), (0, 1));
    assert_eq!(logistic(1, 0, Fair).err(), Some(ParameterError::ZeroDenominator));
    let flips = |p: Rational<u64>| {
        let (dear, free) = (logistic(5, 2, OneBit(p)), logistic(5, 2, Priceless(p)));
        dear.expect("C").expected_bits(1).low() - free.expect("C").expected_bits(1).low()
    };
    assert_eq!(flips(rational(1, 3)), q(5, 2) / (q(1, 1) + q(5, 6)));
    // The greatest C: the sum 1 + C does not fit 64 bits.
    let great = logistic(u64::MAX, u64::MAX, Fair).expect("C");
    assert_eq!(great.probability(1), exact(1, 3));
    let great = logistic(u64::MAX, 1, Fair).expect("C").probability(80);
    assert!(great.is_exact() && *great.high() < q(1, 1));
}

#[test]
fn polynomials_are_proved_for_all_probabilities() {
    let [p] = Poly::letters();
    // 1/4, 1, 0, 1/2 in degree three.
    let parts = [rational(1, 4), rational(1, 1), rational(0, 1), rational(1, 2)];
    let law = Poly::from(q(1, 4)) * (1 - &p).pow(3)
        + 3 * &p * (1 - &p).pow(2)
        + Poly::from(q(1, 2)) * p.pow(3);
    let found = by_weights(|[p]: [Letter; 1]| bernstein(p, parts), 4);
    assert!(found.is_finite() && found.proves(&true, &law, &Poly::from(1)).is_ok());
    assert_eq!(found.expected_flips(0), Poly::from(3));
    // Coins as coefficients, in a Vec.
    let found =
        explore_letters(|[p, r]: [Letter; 2]| bernstein(p.clone(), vec![r.clone(), p, r]), 4);
    let [p, r] = Poly::letters();
    let middle = 2 * &p * (1 - &p);
    let law = (1 - &middle) * &r + &middle * &p;
    assert!(found.is_finite() && found.proves(&true, &law, &Poly::from(1)).is_ok());
    // (d + p)/c, and a mean of monomials.
    let [p] = Poly::letters();
    for (d, c) in [(0, 1), (0, 2), (1, 2), (2, 5), (6, 7)] {
        let found = by_weights(|[p]: [Letter; 1]| affine(d, p, c).expect("d < c"), 3);
        let law = (Poly::from(q(d, 1)) + &p) * Poly::from(q(1, c));
        assert!(found.is_finite() && found.proves(&true, &law, &Poly::from(1)).is_ok());
        assert!(found.expected_flips(0).at(&[q(1, 2)]) == q(1, c));
    }
    assert_eq!(affine(1, Fair, 1).err(), Some(ParameterError::TooLarge));
    assert_eq!(affine(0, Fair, 0).err(), Some(ParameterError::ZeroDenominator));
    let monomials = |[p]: [Letter; 1]| {
        let square = p.clone().power(2).then(p.clone().not()).erased();
        convex(Fair.map(usize::from), [square, p.power(3).erased()])
    };
    let law = Poly::from(q(1, 2)) * (p.pow(2) * (1 - &p) + p.pow(3));
    let found = explore_letters(monomials, 5);
    assert!(found.is_finite() && found.proves(&true, &law, &Poly::from(1)).is_ok());
}

#[test]
fn binomials_and_choices_have_their_laws() {
    let heads = Heads::new(rational(1, 3), 4).law(1).expect("a law");
    for (j, mass) in [(0, 16), (1, 32), (2, 24), (3, 8), (4, 1)] {
        assert_eq!(heads.mass(&j), exact(mass, 81));
    }
    assert_eq!(Heads::new(rational(1, 3), 4).expected_bits(1), exact(8, 1));
    // Of a coin that no rational is.
    let two = Heads::new(inverse_e(), 2).law(64).expect("a law");
    assert!(has_decimals(&two.mass(&1), "0.465088315869659259"));
    assert_eq!(Heads::new(Fair, 1 << 20).law(1).err(), Some(LawError::TooManyOutcomes));
    assert_eq!(Heads::new(Fair, 9).max_bits(), Some(9));
    // A place past the end is tails; weights without end are a choice too.
    let endless = convex(Fair.run().map(|n| n as usize), [rational(1, 1), rational(1, 2)]);
    let law = endless.probability(40);
    assert!(law.contains(&q(5, 8)) && endless.expected_bits(30).contains(&q(9, 4)));
    let empty: [Rational<u64>; 0] = [];
    assert_eq!(
        bernstein(Fair, empty).try_flip(&mut Script::from_str("").expect("empty")),
        Ok(false)
    );
    let pick = Choose::new(Die::new(3).expect("sides").map(|side| side as usize), [Fair, Fair]);
    assert_eq!(pick.law(1).expect("a law").mass(&(2, false)), exact(1, 3));
    assert_eq!(pick.expected_bits(1), exact(10, 3));
}

#[test]
fn rational_functions_are_proved_for_all_probabilities() {
    let [p] = Poly::letters();
    let q_ = || 1 - &p;
    // p²/(p² + (1 − p)²), by von Neumann's way with the flips that agree.
    let parts = [odds(0, 1, 0), odds(0, 0, 1), odds(1, 0, 0)].map(|odds| odds.expect("weights"));
    let build = |[p]: [Letter; 1]| rational_function(p, parts).expect("some end");
    proved(&by_weights(build, 18), &p.pow(2), &(p.pow(2) + q_().pow(2)), 5);
    // p³/(p³ + (1 − p)³)
    let parts = [odds(0, 1, 0), odds(0, 0, 3), odds(0, 0, 3), odds(1, 0, 0)];
    let parts = parts.map(|odds| odds.expect("weights"));
    let build = |[p]: [Letter; 1]| rational_function(p, parts).expect("some end");
    proved(&by_weights(build, 18), &p.pow(3), &(p.pow(3) + q_().pow(3)), 1);
    // (1/5·q + 1/2·p)/(3/5·q + 3/4·p), with all three ways in each place.
    let parts = [odds(1, 2, 2), odds(2, 1, 1)].map(|odds| odds.expect("weights"));
    let build = |[p]: [Letter; 1]| rational_function(p, parts).expect("some end");
    let num = Poly::from(4) * q_() + 10 * &p;
    let den = Poly::from(12) * q_() + 15 * &p;
    proved(&by_weights(build, 16), &num, &den, 5);
    let known = rational_function(rational(1, 3), parts).expect("some end");
    assert_eq!(known.probability(1), exact(18, 39));
    trees_agree(&known, 12, 9);
    // What is refused.
    assert_eq!(odds(0, 0, 0).err(), Some(ParameterError::NeverEnds));
    let again = [odds(0, 0, 1).expect("weights"); 3];
    assert_eq!(rational_function(Fair, again).err(), Some(ParameterError::NeverEnds));
    // At p = 0 with another round in the first place it is known too.
    let parts = [odds(0, 0, 1), odds(1, 1, 0)].map(|odds| odds.expect("weights"));
    let vain = rational_function(Never, parts).expect("some end");
    assert_eq!(vain.try_probability(9), Err(LawError::Impossible));
    let great = odds(u64::MAX, u64::MAX, u64::MAX).expect("weights");
    assert_eq!(great.law(1).expect("a law").mass(&Some(true)), exact(1, 3));
}

#[test]
fn exponentials_of_coins() {
    // Flips (e^p − 1)/p: e − 1 at p = 1, where the schema of von Neumann would not end.
    let flips = |p: Rational<u64>| {
        let (dear, free) = (exp_minus_of(OneBit(p)), exp_minus_of(Priceless(p)));
        Bracket::exact(dear.expected_bits(50).low() - free.expected_bits(50).low())
    };
    assert!(has_decimals(&flips(rational(1, 1)), "1.7182818284"));
    assert!(has_decimals(&flips(rational(1, 2)), "1.2974425414"));
    has_law(&exp_minus_of(Always), "0.36787944117144232159", 40, "2.353180720410");
    let own = exp_minus_of(Priceless(rational(1, 1))).expected_bits(40);
    assert!(has_decimals(&own, "2.35318072041"));
    assert_eq!(exp_minus_of(Never).probability(64), exact(1, 1));
    // exp(−cp), exp(−(m + p)), exp(−p²), exp(−(1 + p)²).
    let p = rational(1, 3);
    let law = |coin: Bracket, decimals| assert!(has_decimals(&coin, decimals), "{coin}");
    law(exp_minus_of(p).power(5).probability(64), "0.18887560283756183846");
    law(inverse_e().power(2).then(exp_minus_of(p)).probability(64), "0.096971967864405062810");
    law(exp_minus_of(p.power(2)).probability(64), "0.89483931681436977");
    let square = inverse_e().then(exp_minus_of(p).power(2)).then(exp_minus_of(p.power(2)));
    law(square.probability(64), "0.16901331540606607");
    law(exp_minus_of(p.not()).probability(64), "0.51341711903259203");
    trees_agree(&exp_minus_of(p), 12, 12);
    trees_agree(&square, 12, 12);
    // For every p at once: 1 − p + p²/2 − … lies between its partial sums.
    let [p] = Poly::letters();
    let found = by_weights(|[p]: [Letter; 1]| exp_minus_of(p), 17);
    let (mut sum, mut term) = (Poly::from(1), Poly::from(1));
    for k in 1..=8i64 {
        term = term * &p * Poly::from(q(-1, k));
        sum = sum + &term;
    }
    // The tree to 17 questions holds the runs of up to 8 rounds; an even partial sum lies above, an odd one below.
    let least = found.polynomial(&true);
    assert_eq!((&sum - &least).sign(), buffon::explore::Sign::NeverNegative);
    let most = &least + found.open();
    let below = &sum - &term;
    assert_eq!((&most - &below).sign(), buffon::explore::Sign::NeverNegative);
}

#[test]
fn alternating_series_of_an_unknown_coin() {
    let ratios = Hypergeometric::new([((1, 1), (1, 2))]).expect("ratios");
    // ln(1 + p)/p, as with p known.
    let coin = parity_of_run(Scaled::new(ratios, rational(1, 2)));
    let known = ln_one_plus_over(1, 2).expect("below 1").probability(64);
    assert!(has_decimals(&coin.probability(64), "0.81093021621632876396"), "{known}");
    assert_eq!(check_declaration(&Scaled::new(ratios, rational(1, 2)), 100), Ok(()));
    assert_eq!(
        check_declaration(&Scaled::new(ratios, Always), 100).err(),
        Some(LawError::UnboundedCost { at_least: q(0, 1) })
    );
    // A family that declares its cost: 1/k, so exp(−p) once more, in another way than Harmonic.
    let scaled = Scaled::new(buffon::Reciprocals, rational(1, 3));
    assert_eq!(check_declaration(&scaled, 200), Ok(()));
    let (one, other) = (parity_of_run(scaled), parity_of_run(Harmonic::new(rational(1, 3))));
    let (tree, harmonic) = (buffon::explore(&one, 14), buffon::explore(&other, 14));
    assert_eq!((tree.mass(&true), tree.open()), (harmonic.mass(&true), harmonic.open()));
    assert!(has_decimals(&one.expected_bits(40), "2.828479624921"));
    // cos √p from 1/((2k − 1)2k): ratios known, p unknown; the flips of p are counted.
    let cosine = Hypergeometric::new([((0, 1), (2, 1)), ((0, 1), (2, 2))]).expect("ratios");
    let quarter = parity_of_run(Scaled::new(cosine, rational(1, 4)));
    assert!(has_decimals(&quarter.probability(64), "0.87758256189037271612"));
    trees_agree(&quarter, 12, 12);
}

#[test]
fn a_series_that_diverges_at_one_has_a_cost_below() {
    // ln(1 + p)/p: the ratios 1/2, 2/3, … alone have no finite mean, with a coin below 1 they have, and an exponential tail.
    let ratios = Hypergeometric::new([((1, 1), (1, 2))]).expect("ratios");
    let coin = parity_of_run(Scaled::new(ratios, rational(3, 10)));
    has_law(&coin, "0.87454754822497017345", 30, "2.6222");
    assert_eq!(coin.tail(), Tail::Exponential);
    assert_eq!(check_declaration(&Scaled::new(ratios, rational(3, 10)), 50), Ok(()));
    let at_one = parity_of_run(Scaled::new(ratios, Always));
    assert!(matches!(at_one.try_expected_bits(4), Err(LawError::UnboundedCost { .. })));
    let message = at_one.try_expected_bits(4).expect_err("unbounded").to_string();
    assert!(message.contains("at least ") && message.len() < 90, "{message}");
}

#[test]
fn powers_of_a_coin() {
    let root = |p: Rational<u64>| to_the(p, 1, 2).expect("an exponent");
    // √¼ is one half; no bracket closes on it, and all hold it.
    let half = root(rational(1, 4));
    assert!(half.probability(64).contains(&q(1, 2)) && half.probability(300).contains(&q(1, 2)));
    has_law(&half, "0.5", 40, "5.0819435858");
    has_law(&root(rational(1, 2)), "0.70710678118654752440", 40, "2.2609418929");
    has_law(&root(rational(3, 4)), "0.86602540378443864676", 40, "2.0434705014");
    let third = |num, den| to_the(rational(1, 3), num, den).expect("an exponent");
    has_law(&third(1, 3), "0.69336127435063470484", 40, "6.9336127435");
    assert!(has_decimals(&third(2, 3).probability(64), "0.48074985676913612744"));
    assert!(has_decimals(&third(7, 3).probability(64), "0.077040141594514967"));
    // An exponent above one: 3/2 splits into p and √p.
    let power = to_the(rational(1, 4), 3, 2).expect("an exponent");
    assert!(power.probability(64).contains(&q(1, 8)));
    trees_agree(&half, 12, 14);
    trees_agree(&third(2, 3), 12, 14);
    // Whole exponents, 0⁰ = 1 among them, flip no hazard.
    assert_eq!(third(3, 1).probability(1), exact(1, 27));
    assert_eq!(third(0, 5).probability(1), exact(1, 1));
    assert_eq!(third(0, 5).max_bits(), Some(0));
    assert_eq!(to_the(Never, 0, 1).expect("0").probability(1), exact(1, 1));
    assert_eq!(to_the(Never, 2, 1).expect("2").probability(1), exact(0, 1));
    assert_eq!(to_the(Always, 1, 2).expect("1/2").probability(1), exact(1, 1));
    assert_eq!(to_the(Fair, 1, 0).err(), Some(ParameterError::ZeroDenominator));
    assert!(
        to_the(Fair, u64::MAX - 1, u64::MAX).expect("an exponent").probability(20).width()
            < q(1, 1)
    );
    // Flips are p^(a − 1) = f/p: 1/√p for the root.
    let flips = to_the(OneBit(rational(1, 4)), 1, 2).expect("1/2").expected_bits(40).low()
        - to_the(Priceless(rational(1, 4)), 1, 2).expect("1/2").expected_bits(40).low();
    assert!(has_decimals(&Bracket::exact(flips), "2.0000000000"));
    // At p = 0 there is no law to tell at once, but no answer that is wrong either.
    assert_eq!(to_the(Never, 1, 2).expect("1/2").try_probability(9), Err(LawError::Undecided));
}

#[test]
fn the_square_root_is_proved_by_its_square() {
    // L ≤ √p ≤ L + R for all p: shown by L² ≤ p ≤ (L + R)².
    let found = by_weights(|[p]: [Letter; 1]| to_the(p, 1, 2).expect("1/2"), 12);
    let [p] = Poly::letters();
    let least = found.polynomial(&true);
    let most = &least + found.open();
    assert_eq!((&p - least.pow(2)).sign(), buffon::explore::Sign::NeverNegative);
    assert_eq!((most.pow(2) - &p).sign(), buffon::explore::Sign::NeverNegative);
}

#[test]
fn powers_by_coins_and_other_hazards() {
    let coin = to_the_coin(rational(1, 3), rational(1, 3));
    assert!(has_decimals(&coin.probability(64), "0.69336127435063470484"));
    let coin = to_the_coin(rational(1, 2), inverse_e());
    assert!(has_decimals(&coin.probability(64), "0.77492068450995072"));
    trees_agree(&coin, 12, 14);
    // The identity: hazards a/k are an urn of prior Beta(a, 1 − a), E[p/(p + (1 − p)U)]. With a = 1 it is p itself.
    assert!(to_the_coin(rational(2, 7), Always).probability(64).contains(&q(2, 7)));
    // Equal hazards d: 1 − dq/(1 − (1 − d)q) = p/(p + dq).
    let [p] = Poly::letters();
    let build = |[p]: [Letter; 1]| Hazard::new(p, |_: NonZeroU64| rational(1, 3));
    proved(&by_weights(build, 24), &(3 * &p), &(1 + 2 * &p), 10);
    let hazard = Hazard::new(rational(1, 4), |_: NonZeroU64| rational(1, 3));
    assert!(hazard.probability(64).contains(&q(1, 2)));
    // 1/2 rounds go on: Σ 2^-k·(2 + 3/4·2).
    assert!(hazard.expected_bits(40).contains(&q(6, 1)));
    assert_eq!(hazard.tail(), Tail::Exponential);
}

#[test]
fn generating_functions() {
    // Of the geometric law: (1 − λ)/(1 − λp).
    let [p, r] = Poly::letters();
    let build = |[p, r]: [Letter; 2]| Pgf::new(p.run(), r);
    proved(&explore_letters(build, 18), &(1 - &p), &(1 - &p * &r), 7);
    let coin = Pgf::new(rational(1, 3).run(), rational(1, 2));
    assert!(coin.probability(64).contains(&q(4, 5)));
    // 3 bits for N, and (1 − 4/5)/(1 − 1/2) flips.
    assert!(coin.expected_bits(40).contains(&q(17, 5)));
    trees_agree(&coin, 12, 12);
    // Of a die: (1 + p + p²)/3.
    let [p] = Poly::letters();
    let build = |[p]: [Letter; 1]| Pgf::new(Die::new(3).expect("sides"), p);
    let found = by_weights(build, 4);
    let law = (1 + &p + p.pow(2)) * Poly::from(q(1, 3));
    assert!(found.is_finite() && found.proves(&true, &law, &Poly::from(1)).is_ok());
    assert_eq!(found.expected_flips(0), Poly::from(q(2, 3)) + Poly::from(q(1, 3)) * &p);
    // Poisson: exp(−λ(1 − p)); for λ = 1 exp(−p) of tails, with fewer flips than exp_minus_of and more bits.
    let poisson = buffon::catalogue::Poisson::new(1, 1).expect("a mean");
    let coin = Pgf::new(poisson, rational(2, 3));
    assert!(has_decimals(&coin.probability(64), "0.71653131057378925043"));
    // (1 − e^(−1/3))/(1/3) flips of two bits, and 5.7620.
    assert!(has_decimals(&coin.expected_bits(34), "7.4628534038"));
    // At p = 1 the mean of N decides: known of a die, not of an endless law.
    assert_eq!(Pgf::new(Die::new(3).expect("sides"), Always).probability(1), exact(1, 1));
    let always = Pgf::new(Fair.run(), OneBit(Always));
    assert!(matches!(always.try_expected_bits(9), Err(LawError::UnboundedCost { .. })));
}

#[test]
fn conditioning_is_not_division() {
    // P(both)/P(given) of a joint experiment: here they are independent, and nothing is divided.
    let (p, r) = (rational(1, 4), rational(1, 2));
    let given = p.zip(r).condition(|&(_, given)| given).map(|(answer, _)| answer);
    assert_eq!(given.probability(1), exact(1, 4));
    // One flip that counts for both: 1/4 of 1/2.
    let joint = r.zip(r).map(|(a, b)| (a && b, a)).condition(|&(_, given)| given);
    assert_eq!(joint.map(|(both, _)| both).probability(1), exact(1, 2));
}

#[test]
fn physical_coins_will_do() {
    let mut flips = [true, true, false].into_iter().cycle();
    let coin = External::new(move || flips.next().unwrap_or(false));
    let mut bits = Script::from_str("TTTH").expect("flips");
    // A fair tails and heads of the coin: tails.
    assert_eq!(one_over_one_plus(&coin).try_flip(&mut bits), Ok(false));
    // Again; then tails of the coin, and a fair tails; then heads, which is tails.
    assert_eq!(one_over_one_plus(&coin).try_flip(&mut bits), Ok(false));
}

#[test]
fn exponentials_as_odds() {
    // Tilted by e^z: pe^z/(pe^z + 1 − p), with z = 1.
    let tilt = product_of_odds(rational(1, 4), randomized_response(1, 1).expect("z"));
    assert!(has_decimals(&tilt.probability(64), "0.47536688641867"));
    // The exponential mechanism: weights exp(−γ).
    let scores = [exp_minus(0, 1), exp_minus(1, 2), exp_minus(2, 1)].map(|coin| coin.expect("γ"));
    let pick = race_of(Die::new(3).expect("sides").map(|side| side as usize), scores);
    let law = pick.law(64).expect("a law");
    assert!(has_decimals(&law.mass(&0), "0.57409699"));
    assert!(*law.mass(&2).high() < *law.mass(&1).low());
    // (8/3 + costs/3)·3/Σ e^(−γ)
    assert!(pick.expected_bits(30).width() <= two_to_minus(30));
    let once = BigRational::from_integer(1.into());
    let sum = law.outcomes().iter().map(|(_, weight)| weight.low()).sum::<BigRational>();
    assert!(sum <= once && sum > once - two_to_minus(60));
    assert_eq!(OneOver::try_from(1).expect("1").power(9).probability(1), exact(1, 1));
}
