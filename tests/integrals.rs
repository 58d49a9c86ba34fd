//! Integrals over numbers known by their flips: laws to 2^-64, costs by algebra, urns against bags, and what has no finite mean.

#[path = "support/machines.rs"]
mod machines;
mod support;

use std::ops::ControlFlow::{self, Break, Continue};

use buffon::catalogue::integrals::{
    arctan_over, eighth_pi, elliptic, eta, gauss_integral, half_arcsine, inverse_agm,
    inverse_root_2, ln_2, ln_one_plus_over, machin, quarter_pi, twelfth_pi,
};
use buffon::catalogue::{self, inverse_sqrt_one_plus};
use buffon::factories::{exp_minus_of, to_the};
use buffon::law::{check_declaration, with_bits_after};
use buffon::uniform::{Bag, Integral, Integrand, KnownIntegrand, Monomial};
use buffon::{
    Always, Beta, BitBuffer, BitSource, Bracket, Coin, Counted, Fair, KnownLaw, LawError, Machine,
    OneOver, ParameterError, Rational, Script, Tail, explore, explore_weighted, integrate,
    parity_of_run, walks,
};
use machines::SplitMix64;
use num_bigint::BigInt;
use num_rational::BigRational;
use support::{has_decimals, has_law, q, trees_agree, two_to_minus};

fn rational(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::new(num, den).expect("a probability")
}

#[test]
fn the_constants_and_what_they_cost_by_urns() {
    has_law(&ln_2(), "0.69314718055994530942", 50, "2.2514761167352152");
    has_law(&quarter_pi(), "0.78539816339744830962", 50, "3.2137788985002265");
    has_law(&twelfth_pi(), "0.26179938779914943654", 40, "3.0712596328");
    has_law(&eta::<2>(), "0.82246703342411321824", 40, "3.1960764417");
    has_law(&inverse_root_2(), "0.70710678118654752440", 40, "2.2609418929");
    has_law(&gauss_integral(1, 1).expect("1"), "0.74682413281242702540", 40, "3.2271859326");
    has_law(&elliptic(1, 2).expect("½"), "0.85984660010223779135", 40, "2.1940791224");
    has_law(&inverse_agm(1, 1).expect("1"), "0.83462684167407318628", 40, "3.1562293953");
}

#[test]
fn three_numbers_make_three_quarters_of_zeta_of_three() {
    // Not ⅞, as the paper prints.
    has_law(&eta::<3>(), "0.90154267736969571405", 30, "3.8198701217");
    // By the parity of their run: the flips of the urns, one by one, are the coins of the ratios. After n heads 2·3 bits a round,
    // and 1/(n + 1)³ of the rounds.
    let ratio = |n: std::num::NonZeroU64| OneOver::new(n.saturating_add(1)).not();
    let family = with_bits_after(
        move |n| ratio(n).then(ratio(n)).then(ratio(n)),
        |n| Some(BigRational::from_integer((6 * (n + 2)).into())),
    );
    assert_eq!(check_declaration(&family, 300), Ok(()));
    let parity = parity_of_run(family);
    assert!(has_decimals(&parity.probability(8), "0.90154"));
    let cost = parity.expected_bits(12);
    assert!(has_decimals(&cost, "2.609"), "{cost:.9}");
}

#[test]
fn arcs_by_their_tangents_and_sines() {
    has_law(&eighth_pi(), "0.39269908169872415481", 36, "4.2159934048");
    has_law(&half_arcsine(1, 2).expect("½"), "0.26179938779914943654", 36, "3.6924858279");
    assert!(has_decimals(&machin().probability(30), "0.785398163"));
    assert!(has_decimals(&machin().expected_bits(30), "5.43198680"));
}

/// Two brackets of one number.
fn meet<C: KnownLaw<Output = bool>, D: KnownLaw<Output = bool>>(one: &C, other: &D) {
    let (a, b) = (one.probability(64), other.probability(64));
    assert!(a.low() <= b.high() && b.low() <= a.high(), "{a} {b}");
}

#[test]
fn integrals_are_the_runs_of_their_series() {
    for (num, den) in [(0, 1), (1, 3), (1, 4)] {
        meet(&arctan_over(num, den).expect("x"), &catalogue::arctan_over(num, den).expect("x"));
        meet(
            &gauss_integral(num, den).expect("x"),
            &catalogue::gauss_integral(num, den).expect("x"),
        );
        meet(
            &ln_one_plus_over(num, den).expect("x"),
            &catalogue::ln_one_plus_over(num, den).expect("x"),
        );
    }
    meet(&eta::<2>(), &catalogue::eta::<2>());
    // 1/√2 is 1/√(1 + 1) by the mean of 1/(1 + U), and √½ by hazards.
    meet(&inverse_root_2(), &to_the(Fair, 1, 2).expect("½"));
    // The mean of 1/(1 + xU) for the arcsine law is 1/√(1 + x).
    let mean = Monomial::new(rational(1, 4), 1).one_over_one_plus().urns([Beta::ARCSINE]);
    meet(&mean, &inverse_sqrt_one_plus(1, 4).expect("x"));
    // E U²(1 − U) for Beta(2, 3): B(4, 4)/B(2, 3) = 3/35.
    let law = Beta::new(2, 3, 1).expect("positive");
    let moment = Monomial::new(Always, 2).then(Monomial::new(Always, 1).not());
    assert_eq!(moment.urns([law]).probability(1), Bracket::exact(q(3, 35)));
}

#[test]
fn one_half_comes_out_of_ln_2() {
    let half = exp_minus_of(ln_2());
    let law = half.probability(64);
    assert!(law.contains(&q(1, 2)) && law.width() <= two_to_minus(64));
    assert!(half.probability(200).contains(&q(1, 2)));
    assert!(has_decimals(&half.expected_bits(40), "4.52729038"));
    trees_agree(&half, 14, 14);
}

/// The same integrand by urns and by bags: one law, and trees around it; the costs as measured.
fn by_bags<F, const K: usize>(integrand: F, bits: f64)
where
    F: KnownIntegrand + Copy + Send + Sync,
{
    let (urns, bags) = (integrand.urns([Beta::UNIFORM; K]), integrand.bags::<K>());
    trees_agree(&urns, 14, 10);
    assert_eq!(urns.probability(40), bags.probability(40));
    let (law, tree) = (urns.probability(40), explore(&bags, 17));
    assert!(tree.mass(&true) <= *law.high() && *law.low() <= tree.mass(&true) + tree.open());
    let Err(LawError::UnboundedCost { at_least }) = bags.try_expected_bits(20) else {
        panic!("no upper bound of what a bag costs is proved");
    };
    assert!(at_least > urns.expected_bits(30).low() - two_to_minus(20));
    let mut source = Counted::new(BitBuffer::new(SplitMix64(19)));
    const SAMPLES: u32 = 200_000;
    for _ in 0..SAMPLES {
        bags.sample(&mut source);
    }
    let mean = source.count() as f64 / f64::from(SAMPLES);
    assert!((mean - bits).abs() < 0.04, "{mean} for {bits}"); // a standard error is below 0.016
}

#[test]
fn bags_have_the_laws_of_urns_at_a_greater_cost() {
    by_bags::<_, 1>(ln_2().integrand(), 3.38629);
    by_bags::<_, 1>(quarter_pi().integrand(), 4.680);
    by_bags::<_, 1>(gauss_integral(1, 1).expect("1").integrand(), 5.801);
    by_bags::<_, 2>(eta::<2>().integrand(), 5.100);
    let x = rational(1, 2);
    by_bags::<_, 1>(Monomial::new(x, 1).not().to_the(1, 2).expect("½"), 3.231);
}

#[test]
fn ln_2_by_a_bag_costs_two_and_two_ln_2() {
    // The exact tree's sum is a lower bound, and each open path is expected to take 2 rounds of at most 4 bits more.
    let bag = ln_2().integrand().bags::<1>();
    let tree = explore(&bag, 24);
    let wanted = ln_2().probability(40);
    let (low, high) = (q(2, 1) + wanted.low() * q(2, 1), q(2, 1) + wanted.high() * q(2, 1));
    let least = tree.expected_bits();
    let most = &least + tree.open() * q(12, 1);
    assert!(least <= low && high <= most, "{least} {most}");
    assert!(&most - &least < q(1, 10));
}

#[test]
fn closures_and_steps_are_the_same_machine() {
    let steps = ln_2();
    let closure =
        integrate(Beta::UNIFORM, |u, bits| buffon::factories::one_over_one_plus(u).try_flip(bits));
    assert!(explore(&steps, 16).leaves().eq(explore(&closure, 16).leaves()));
}

#[test]
fn numbers_are_distinct_and_each_sample_has_its_own() {
    let product = Monomial::new(Always, 1).urns([Beta::UNIFORM; 2]);
    assert_eq!(product.probability(1), Bracket::exact(q(1, 4)));
    // Nested closures: u and v are two numbers, each with its own urn, and u is the same within.
    let nested = integrate(Beta::UNIFORM, |u, bits| {
        let inner = integrate(Beta::UNIFORM, |v, bits| u.then(v).then(u).then(v).try_flip(bits));
        inner.try_flip(bits)
    });
    let found = explore_weighted(&nested, 4);
    assert_eq!((found.mass(&true), found.open().clone()), (q(1, 9), q(0, 1))); // E U²·E V², not E U⁴
    let twice = Monomial::new(Always, 1).urns([Beta::UNIFORM]).power(2);
    assert_eq!(twice.probability(1), Bracket::exact(q(1, 4))); // not 1/3
}

/// The parity of the run of u: 1/(1 + u), and no bound of the cost that holds for every u.
#[derive(Clone, Copy, Debug)]
struct Parity;

impl Integrand for Parity {
    type State = bool;

    fn start(&self) -> bool {
        true
    }

    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        even: bool,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, bool>, B::Error> {
        for u in numbers {
            if !u.try_flip(bits)? {
                return Ok(Break(even));
            }
        }
        Ok(Continue(!even))
    }
}

impl KnownIntegrand for Parity {}

#[test]
fn an_infinite_mean_is_not_told_as_a_number() {
    // ln 2, after a mean of Σ 1/n flips: the mass that goes on falls like 1/n, so the law is told to few places only.
    let parity = Parity.urns([Beta::UNIFORM]);
    assert_eq!(parity.tail(), Tail::MayNeverEnd);
    assert_eq!(parity.ln_2_at(8), Some(true));
    assert!(parity.try_expected_bits(4).is_err());
}

trait Told {
    fn ln_2_at(&self, places: u32) -> Option<bool>;
}

impl<F: KnownIntegrand> Told for Integral<F, buffon::Urn, 1> {
    fn ln_2_at(&self, places: u32) -> Option<bool> {
        let law = self.law_at(places).ok()?.heads();
        Some(has_decimals(&law, "0.6931471805"))
    }
}

#[test]
fn parameters_are_checked() {
    use ParameterError::{InfiniteMean, TooLarge, TooSmall, ZeroDenominator};
    assert_eq!(arctan_over(1, 0).unwrap_err(), ZeroDenominator);
    assert_eq!(gauss_integral(2, 1).unwrap_err(), TooLarge);
    assert_eq!(half_arcsine(1, 1).unwrap_err(), InfiniteMean);
    assert_eq!(elliptic(1, 1).unwrap_err(), InfiniteMean);
    assert_eq!(inverse_agm(3, 2).unwrap_err(), TooLarge);
    let w = || Monomial::new(Always, 1);
    assert_eq!(w().to_the(1, 0).unwrap_err(), ZeroDenominator);
    assert_eq!(w().to_the(3, 2).unwrap_err(), TooLarge);
    assert_eq!(Beta::new(0, 1, 1), Err(TooSmall));
    assert_eq!(Beta::new(1, 0, 1), Err(TooSmall));
    assert_eq!(Beta::new(1, 1, 0), Err(ZeroDenominator));
}

#[test]
fn at_the_ends_of_the_range() {
    // x = 0 is certain; the root of w itself may take any time, as w may be 0, but its law is told.
    assert_eq!(arctan_over(0, 1).expect("0").probability(64).high(), &q(1, 1));
    let root = Monomial::new(Always, 1).to_the(1, 2).expect("½").urns([Beta::UNIFORM]);
    assert_eq!(root.tail(), Tail::MayNeverEnd);
    let none = Monomial::new(Always, 1).urns([]);
    assert_eq!(none.probability(1), Bracket::exact(q(1, 1)));
    let bags: Integral<_, Bag, 0> = Monomial::new(Fair, 2).bags();
    assert_eq!(bags.probability(1), Bracket::exact(q(1, 4)));
    let one = BigInt::from(1);
    assert_eq!(Monomial::new(Always, 0).urns([Beta::UNIFORM]).probability(1).low().numer(), &one);
}

#[test]
fn a_coin_within_a_step_has_its_own_tail() {
    // Few bits are expected yet after each step, but within one there is a coin whose tail falls like n⁻⁸.
    let coin = || catalogue::eta::<8>();
    assert_eq!(coin().tail(), Tail::FiniteMean);
    let w = || Monomial::new(coin(), 1);
    assert_eq!(w().urns([Beta::UNIFORM]).tail(), Tail::FiniteMean);
    assert_eq!(w().one_over_one_plus().urns([Beta::UNIFORM]).tail(), Tail::FiniteMean);
    assert_eq!(w().not().to_the(0, 1).expect("0").urns([Beta::UNIFORM]).tail(), Tail::Exponential);
    let both = Monomial::new(Fair, 1).then(w()).exp_minus();
    assert_eq!(both.urns([Beta::UNIFORM]).tail(), Tail::FiniteMean);
    assert_eq!(both.bags::<1>().tail(), Tail::FiniteMean);
    assert_eq!(ln_2().tail(), Tail::Exponential);
}

#[test]
fn coins_of_known_law_are_not_run() {
    let half = |law: Bracket, of: &Bracket| {
        let of = Bracket::new(of.low() * q(1, 2), of.high() * q(1, 2));
        assert!(law.low() <= of.high() && of.low() <= law.high(), "{law} {of}");
    };
    let returns = walks::first_return(Fair);
    half(
        Monomial::new(&returns, 1).urns([Beta::UNIFORM]).probability(10),
        &returns.probability(20),
    );
    let ballot = walks::ballot(Fair);
    half(Monomial::new(&ballot, 1).urns([Beta::UNIFORM]).probability(10), &ballot.probability(20));
    let balanced = walks::Balanced::new(12);
    half(
        Monomial::new(&balanced, 1).urns([Beta::UNIFORM]).probability(10),
        &balanced.probability(20),
    );
    // Its cost is that of the coin, and a flip of U after heads.
    let e = catalogue::inverse_e();
    let (cost, law) = (e.expected_bits(60), e.probability(60));
    let cost = Bracket::new(cost.low() + law.low(), cost.high() + law.high());
    let told = Monomial::new(&e, 1).urns([Beta::UNIFORM]).expected_bits(50);
    assert!(told.low() <= cost.high() && cost.low() <= told.high(), "{told} {cost}");
    // E exp(−(UV/e)³) = Σ (−1)ⁿ·e^(−3n)/(n!·(3n + 1)²)
    let cube = Monomial::new(&e, 3).exp_minus().urns([Beta::UNIFORM; 2]);
    assert!(has_decimals(&cube.probability(40), "0.99691339743"), "{:.12}", cube.probability(40));
}

#[test]
fn long_monomials_are_told() {
    for n in [1, 64, 65, 100] {
        let mean = Monomial::new(Always, n).urns([Beta::UNIFORM]);
        assert_eq!(mean.probability(64), Bracket::exact(q(1, i64::from(n) + 1)));
    }
    let cost = |n| Monomial::new(Always, n).urns([Beta::UNIFORM]).expected_bits(30);
    assert!(cost(100).low() > cost(65).high() && cost(100).is_exact());
}

/// As [`Monomial`], all in one step.
struct AtOnce(u32);

impl Integrand for AtOnce {
    type State = ();

    fn start(&self) {}

    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        (): (),
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, ()>, B::Error> {
        let u = &numbers[0];
        Ok(Break(u.mix(walks::ballot(Fair), u).power(self.0.into()).try_flip(bits)?))
    }
}

impl KnownIntegrand for AtOnce {}

#[test]
fn a_step_that_branches_is_cut_off() {
    // Each of the walk's flips doubles the runs; what is cut off is told as a wide bracket, at once.
    let law = AtOnce(3).urns([Beta::UNIFORM]).law_at(10).expect("a law").heads();
    assert!(!law.is_exact() && law.width() < q(1, 1));
}

#[test]
fn the_exponent_0_is_certain() {
    let one = Monomial::new(Fair, 2).to_the(0, 2).expect("0").urns([Beta::UNIFORM]);
    assert_eq!(one.probability(64), Bracket::exact(q(1, 1)));
    assert_eq!(one.expected_bits(64), Bracket::exact(q(0, 1)));
    assert_eq!(one.try_flip(&mut Script::from_str("").expect("no flip")), Ok(true));
}
