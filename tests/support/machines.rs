//! Every public machine once, for the tests that hold for all of them. A new machine is one line in `every_machine`.
#![allow(dead_code, reason = "each test file uses its part")]

use std::convert::Infallible;
use std::fmt::Debug;

use buffon::catalogue as known;
use buffon::factories::{self, Choose, Hazard, Heads, Pgf};
use buffon::ladder::{PowerPair, Rolls};
use buffon::viglietta::{PowerCoin, PowerDie};
use buffon::walks::{Balanced, TwoSteps, ballot, first_return, grammar, inverse_pi};
use buffon::*;
use rand_core::TryRng;
use typenum::consts::{U3, U8};

/// Sebastiano Vigna's SplitMix64: a generator of a few lines, so that a seed means the same everywhere and for ever.
pub(crate) struct SplitMix64(pub(crate) u64);

impl TryRng for SplitMix64 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(word ^ (word >> 31))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// The answer on these flips, and how many of them were taken.
#[cfg(feature = "alloc")]
pub(crate) fn on<M: Machine>(machine: &M, flips: &str) -> (Option<M::Output>, usize) {
    let mut bits = Script::from_str(flips).unwrap();
    (machine.try_sample(&mut bits).ok(), bits.position())
}

/// An answer as words, whatever the machine's word size and byte order.
pub(crate) trait Answer: Clone + PartialEq + Debug {
    fn words(&self) -> Vec<u64>;
}

impl Answer for bool {
    fn words(&self) -> Vec<u64> {
        vec![u64::from(*self)]
    }
}

impl Answer for u64 {
    fn words(&self) -> Vec<u64> {
        vec![*self]
    }
}

impl Answer for i64 {
    fn words(&self) -> Vec<u64> {
        vec![u64::from_le_bytes(self.to_le_bytes())]
    }
}

impl Answer for usize {
    fn words(&self) -> Vec<u64> {
        vec![*self as u64]
    }
}

impl Answer for Rolls {
    fn words(&self) -> Vec<u64> {
        self.collect()
    }
}

impl<T: Answer, U: Answer> Answer for (T, U) {
    fn words(&self) -> Vec<u64> {
        [self.0.words(), self.1.words()].concat()
    }
}

impl<T: Answer, const N: usize> Answer for [T; N] {
    fn words(&self) -> Vec<u64> {
        self.iter().flat_map(Answer::words).collect()
    }
}

impl<T: Answer> Answer for Vec<T> {
    fn words(&self) -> Vec<u64> {
        self.iter().flat_map(Answer::words).collect()
    }
}

/// A machine that states its law, where there are rationals to state it in.
#[cfg(feature = "exact")]
pub(crate) trait Stated: KnownLaw {}
#[cfg(feature = "exact")]
impl<M: KnownLaw> Stated for M {}
#[cfg(not(feature = "exact"))]
pub(crate) trait Stated: Machine {}
#[cfg(not(feature = "exact"))]
impl<M: Machine> Stated for M {}

/// The law of a machine over its answers in words: so all machines have one type of law.
#[cfg(feature = "exact")]
pub(crate) fn law_in_words<M>(machine: &M, precision: u32) -> Result<Law<Vec<u64>>, LawError>
where
    M: KnownLaw<Output: Answer>,
{
    let law = machine.law(precision)?;
    let rest = law.rest().clone();
    let words = law.into_outcomes().into_iter().map(|(answer, p)| (answer.words(), p));
    Ok(Law::new(words.collect(), rest))
}

/// What is done with each machine. `legal` says whether an answer lies in the support of the law.
pub(crate) trait Visit {
    /// Visits a machine that states its law.
    fn machine<M>(&mut self, name: &'static str, machine: M, legal: fn(&M::Output) -> bool)
    where
        M: Stated<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        self.opaque(name, machine, legal);
    }

    /// Visits a machine that cannot state its law.
    fn opaque<M>(&mut self, name: &'static str, machine: M, legal: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static;
}

fn any<T>(_: &T) -> bool {
    true
}

pub(crate) fn every_machine(visit: &mut impl Visit) {
    coins(visit);
    dice(visit);
    combinators(visit);
    walks(visit);
    catalogue(visit);
    integrals(visit);
    of_unknown_coins(visit);
    #[cfg(feature = "alloc")]
    with_tables(visit);
    #[cfg(feature = "exact")]
    with_big_rationals(visit);
}

fn bit(n: u8) -> Rational<u8> {
    Rational::<u8>::new(n, 1).unwrap()
}

fn one_over(n: u64) -> OneOver {
    OneOver::try_from(n).unwrap()
}

fn coins(visit: &mut impl Visit) {
    visit.machine("Fair", Fair, any);
    visit.machine("Always", Always, |&heads| heads);
    visit.machine("Never", Never, |&heads| !heads);
    visit.machine("Dyadic 3/8", Dyadic::new(3, 3).unwrap(), any);
    visit.machine("Dyadic 2^-64", Dyadic::new(1, 64).unwrap(), any);
    visit.machine("Dyadic 0.1", Dyadic::from_f64(0.1).unwrap(), any);
    visit.machine("OneOver 7", one_over(7), any);
    visit.machine("OneOver 2^64-1", one_over(u64::MAX), any);
    visit.machine("Fraction 3/8", Fraction::<U3, U8>::new(), any);
    visit.machine("Rational<u8> 1/3", Rational::<u8>::new(1, 3).unwrap(), any);
    visit.machine("Rational<u8> 254/255", Rational::<u8>::new(254, 255).unwrap(), any);
    visit.machine("Rational<i16> 2/5", Rational::<i16>::new(2, 5).unwrap(), any);
    visit.machine("Rational<u32> 5/7", Rational::<u32>::new(5, 7).unwrap(), any);
    visit.machine("Rational<u64> 5/12", Rational::<u64>::new(5, 12).unwrap(), any);
    visit.machine("Ratios", Ratios::new([(1, 2), (3, u64::MAX), (3, 4)]).unwrap(), any);
    let wide = Rational::<u128>::new(1 << 100, u128::MAX).unwrap();
    visit.machine("Rational<u128> 2^100/(2^128-1)", wide, any);
}

fn dice(visit: &mut impl Visit) {
    visit.machine("Die 1", Die::new(1).unwrap(), |&side| side == 0);
    visit.machine("FastDie", FastDie::new(6).unwrap(), |&side| side < 6);
    visit.machine("Die 6", Die::new(6).unwrap(), |&side| side < 6);
    visit.machine("Die 100", Die::new(100).unwrap(), |&side| side < 100);
    visit.machine("Die 2^63", Die::new(1 << 63).unwrap(), |&side| side < 1 << 63);
    visit.machine("Die 2^64-1", Die::new(u64::MAX).unwrap(), |&side| side < u64::MAX);
    visit.machine("ThreeWay", ThreeWay, |&person| person < 3);
    visit.machine("Roulette 6", Roulette::new(6, one_over(3)).unwrap(), |&side| side < 6);
    visit.machine("OneHead 3", OneHead::new(3, one_over(3)).unwrap(), |&side| side < 3);
    visit.machine("PowerCoin 6", PowerCoin::new(6, one_over(6)).unwrap(), any);
    let coin = Rational::<u64>::new(4, 6).unwrap();
    visit.machine("PowerDie 6", PowerDie::new(6, coin).unwrap(), |&side| side < 6);
    visit.machine("Viglietta 6", Viglietta::new(6, one_over(6)).unwrap(), |&side| side < 6);
    let huge = Viglietta::new(u64::MAX, one_over(u64::MAX)).unwrap();
    visit.machine("Viglietta 2^64-1", huge, |&side| side < u64::MAX);
    let thirds = |&(mut rolls): &Rolls| rolls.all(|side| side < 3);
    let flips = PowerPair::new(3, 3, Fair, 5).unwrap();
    visit.machine("PowerPair 3^3 of 2^5", flips, thirds);
    let dice = PowerPair::new(3, 9, Die::new(10).unwrap(), 5).unwrap();
    visit.machine("PowerPair 3^9 of 10^5", dice, thirds);
}

fn combinators(visit: &mut impl Visit) {
    let (third, eighths) = (one_over(3), Dyadic::new(3, 3).unwrap());
    let die = Die::new(6).unwrap();
    visit.machine("not", third.not(), any);
    visit.machine("then", third.then(eighths), any);
    visit.machine("or_else", third.or_else(eighths), any);
    visit.machine("xor", third.xor(eighths), any);
    visit.machine("power", eighths.not().power(3), any);
    visit.machine("mix", third.mix(die, Die::new(4).unwrap()), |&side| side < 6);
    visit.machine("Coin::run", third.run(), any);
    visit.machine("Coin::parity_of_run", third.parity_of_run(), any);
    visit.machine("run", run(OneOver::new), any);
    visit.machine("parity_of_run", parity_of_run(OneOver::new), any);
    visit.machine("Reciprocals", parity_of_run(Reciprocals), any);
    visit.machine("Harmonic", parity_of_run(Harmonic::new(eighths)), any);
    visit.machine("Certain", Certain::new(7u64), |&side| side == 7);
    visit.machine("map", die.map(|side| side + 1), |side| (1..=6).contains(side));
    let again = die.and_then(move |side| die.map(move |other| side + other));
    visit.machine("and_then", again, |&sum| sum <= 10);
    visit.machine("zip", die.zip(third), |of| of.0 < 6);
    visit.machine("array", die.array::<3>(), |sides| sides.iter().all(|&side| side < 6));
    let even = die.condition(|&side| side % 2 == 0);
    visit.machine("condition", even, |side| [0, 2, 4].contains(side));
    let retried = die.map(|side| (side > 1).then_some(side)).retry();
    visit.machine("retry", retried, |side| (2..6).contains(side));
    let function = from_fn(|bits| Ok(bits.try_tails()? % 2 == 1));
    visit.opaque("from_fn", function, any);
    let squared = integrate(Beta::UNIFORM, |u, bits| u.then(u).try_flip(bits));
    visit.opaque("integrate", squared, any);
}

fn walks(visit: &mut impl Visit) {
    visit.machine("first_return", first_return(Fair), any);
    visit.machine("grammar", grammar(Fair, 3), any);
    visit.machine("ballot", ballot(Fair), any);
    visit.machine("Balanced", Balanced::new(4), any);
    visit.machine("TwoSteps", TwoSteps, |step| (-1..=1).contains(step));
    visit.machine("inverse_pi", inverse_pi(), any);
}

fn catalogue(visit: &mut impl Visit) {
    visit.machine("inverse_e", known::inverse_e(), any);
    visit.machine("exp_minus", known::exp_minus(5, 2).unwrap(), any);
    visit.machine("randomized_response", known::randomized_response(1, 1).unwrap(), any);
    visit.machine("tanh_of_half", known::tanh_of_half(1, 1).unwrap(), any);
    visit.machine("inverse_cosh", known::inverse_cosh(1, 1).unwrap(), any);
    visit.machine("cos", known::cos(1, 1).unwrap(), any);
    visit.machine("sinc", known::sinc(1, 1).unwrap(), any);
    visit.machine("bessel_j0", known::bessel_j0(1, 1).unwrap(), any);
    visit.machine("gauss_integral", known::gauss_integral(1, 1).unwrap(), any);
    visit.machine("arctan_over", known::arctan_over(1, 2).unwrap(), any);
    visit.machine("ln_one_plus_over", known::ln_one_plus_over(1, 2).unwrap(), any);
    visit.machine("inverse_sqrt_one_plus", known::inverse_sqrt_one_plus(1, 4).unwrap(), any);
    visit.machine("eta 2", known::eta::<2>(), any);
    visit.machine("beta 2", known::beta::<2>(), any);
    let phi = known::continued_fraction(|_| std::num::NonZeroU64::MIN);
    visit.machine("continued_fraction 1/φ", phi, any);
    visit.machine("quarter_pi", known::quarter_pi(), any);
    visit.machine("eighth_pi", known::eighth_pi(), any);
    visit.machine("OneOverFactorial 4", known::OneOverFactorial::new(4), any);
    visit.machine("Zigzag 3", known::Zigzag::new(3), any);
    visit.machine("von_neumann", known::von_neumann(Fair, known::Sorted), any);
    visit.machine("Poisson", known::Poisson::new(7, 2).unwrap(), any);
    visit.machine("logarithmic", known::logarithmic(1, 2).unwrap(), |&n| n > 0);
    visit.machine("polylogarithmic", known::polylogarithmic::<2>(1, 2).unwrap(), |&n| n > 0);
    visit.machine("polylog", known::polylog::<1, _>(Fair), any);
}

fn integrals(visit: &mut impl Visit) {
    use known::integrals as of;
    visit.machine("ln_2 by an urn", of::ln_2(), any);
    visit.machine("quarter_pi by an urn", of::quarter_pi(), any);
    visit.machine("eta 3 by urns", of::eta::<3>(), any);
    visit.machine("gauss_integral by an urn", of::gauss_integral(1, 1).unwrap(), any);
    visit.machine("half_arcsine", of::half_arcsine(1, 2).unwrap(), any);
    visit.machine("elliptic", of::elliptic(1, 2).unwrap(), any);
    visit.machine("inverse_agm", of::inverse_agm(1, 1).unwrap(), any);
}

fn of_unknown_coins(visit: &mut impl Visit) {
    let (third, eighths) = (one_over(3), Dyadic::new(3, 3).unwrap());
    visit.machine("race", factories::race(Fair, third, eighths), any);
    visit.machine("logistic", factories::logistic(3, 2, third).unwrap(), any);
    visit.machine("one_over_one_plus", factories::one_over_one_plus(third), any);
    let heads = Heads::new(third, 4);
    visit.machine("Heads", heads, |&heads| heads <= 4);
    visit.machine("Choose", Choose::new(Heads::new(third, 1), [Fair, Fair]), |of| of.0 < 2);
    visit.machine("bernstein", factories::bernstein(third, [third, third, one_over(5)]), any);
    visit.machine("Hazard", Hazard::new(third, Harmonic::new(Fair)), any);
    visit.machine("to_the", factories::to_the(third, 5, 2).unwrap(), any);
    visit.machine("Pgf", Pgf::new(third.run(), eighths), any);
    let majority = factories::EarlyBernstein::new(third, [0u8, 0, 1, 1].map(bit));
    visit.machine("EarlyBernstein", majority, any);
    visit.machine("ExpOverFour", factories::ExpOverFour::new(third), any);
    visit.machine("exp_minus_exp", known::exp_minus_exp(0, third).unwrap(), any);
    visit.machine("exp_minus_power", factories::exp_minus_power(1, third, 2).unwrap(), any);
    visit.machine("ThinnedPoisson", known::ThinnedPoisson::new(third), |&n| n < 40);
    let gap = factories::Gap::new(1, 5).unwrap();
    visit.machine("linear", factories::linear(2, 1, one_over(3), gap).unwrap(), any);
    visit.machine("difference", factories::difference(one_over(2), one_over(4), gap), any);
    visit.machine("known_over", factories::known_over(1, 4, Fair, gap).unwrap(), any);
    visit.machine("division", factories::division(one_over(4), one_over(2), gap), any);
}

#[cfg(feature = "alloc")]
fn with_tables(visit: &mut impl Visit) {
    let die = Die::new(6).unwrap();
    visit.machine("Weighted", Weighted::new([5u32, 0, 3, 1]).unwrap(), |&of| of != 1 && of < 4);
    visit.machine("Sequential", Sequential::new([5u32, 0, 3]).unwrap(), |&of| of != 1 && of < 3);
    visit.machine("Alias", Alias::new([5u32, 0, 3, 1]).unwrap(), |&of| of != 1 && of < 4);
    let squared = integrate_bag(|u, bits| u.then(u).try_flip(bits));
    visit.opaque("integrate_bag", squared, any);
    use uniform::Integrand;
    let ln_2 = known::integrals::ln_2().integrand().bags::<1>();
    visit.machine("ln_2 by a bag", ln_2, any);
    visit.machine("repeat", die.repeat(3), |sides| sides.iter().all(|&side| side < 6));
    visit.opaque("erased", die.erased(), |&side| side < 6);
}

#[cfg(feature = "exact")]
fn with_big_rationals(visit: &mut impl Visit) {
    use num_bigint::BigUint;
    use num_rational::Ratio;
    let big = Rational::<BigUint>::new(BigUint::from(1u8), BigUint::from(3u8).pow(100)).unwrap();
    visit.machine("Rational<BigUint> 3^-100", big, any);
    let pair = Batch::new(&Rational::<u64>::new(1, 3).unwrap(), 5).unwrap();
    visit.machine("Batch", pair, |flips| flips.len() == 5);
    visit.machine("compile", parity_of_run(Reciprocals).compile().unwrap(), any);
    visit.machine("inverse_pi_by_digits", walks::inverse_pi_by_digits(), any);
    let slices = Slices::new([Ratio::new(1, 3), Ratio::new(1, 2)]).unwrap();
    visit.machine("Slices", slices, |&slice| slice < 3);
    let thirds = Slices::new([Ratio::new(1, 3), Ratio::new(2, 3)]).unwrap();
    let narrowed = thirds.by_coin(Rational::<u64>::new(3, 4).unwrap(), 3, 4).unwrap();
    visit.machine("BiasedSlices", narrowed, |&slice| slice < 3);
    let coin = Cut::of(parity_of_run(Reciprocals)).unwrap();
    visit.machine("Slices 1/e", Slices::new([coin]).unwrap(), |&slice| slice < 2);
}
