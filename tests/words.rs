//! Machines that read whole words: samplers of another library, wrapped over the explorer's source.
#![cfg(feature = "exact")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use buffon::explore::{Fault, Side};
use buffon::{BitSource, Coin, Die, Explorer, Machine, Rational, explore_weighted, from_fn};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::distr::{Bernoulli, Distribution};
use rand::{RngExt, TryRng};

fn q(num: impl Into<BigInt>, den: impl Into<BigInt>) -> BigRational {
    BigRational::new(num.into(), den.into())
}

fn power(k: u32) -> BigRational {
    q(1, BigInt::one() << k)
}

/// A random number generator over a source of bits. It cannot fail: after an error it answers zeros, and tells in the end.
struct Generator<'a, B: BitSource + ?Sized> {
    bits: &'a mut B,
    error: Option<B::Error>,
}

impl<B: BitSource + ?Sized> TryRng for Generator<'_, B> {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(u32::try_from(self.word(32)).unwrap())
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.word(64))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill_with(|| u8::try_from(self.word(8)).unwrap());
        Ok(())
    }
}

impl<B: BitSource + ?Sized> Generator<'_, B> {
    fn word(&mut self, n: u32) -> u64 {
        if self.error.is_some() {
            return 0;
        }
        self.bits.try_bits(n).unwrap_or_else(|error| {
            self.error = Some(error);
            0
        })
    }
}

/// A function of a random number generator as a machine.
struct Foreign<F>(F);

impl<T, F: Fn(&mut dyn rand::Rng) -> T> Machine for Foreign<F> {
    type Output = T;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        let mut generator = Generator { bits, error: None };
        let answer = (self.0)(&mut generator);
        generator.error.map_or(Ok(answer), Err)
    }
}

#[test]
fn the_bernoulli_of_rand_is_told_from_a_third() {
    let third = Bernoulli::from_ratio(1, 3).unwrap();
    let found = Explorer::new(4).words(&Foreign(|rng: &mut dyn rand::Rng| third.sample(rng)));
    assert!(found.is_reproducible() && found.open().is_zero());
    // A threshold, rounded from a float: its law is a multiple of 2^-64, and known exactly.
    let heads = found.mass(&true);
    assert!(heads != q(1, 3) && (&heads - q(1, 3)) < power(53) && (&heads - q(1, 3)) > -power(53));
    assert!((&heads * (BigInt::one() << 64u32)).is_integer());
    let refusal = found.against(&q(1, 3), 80).unwrap_err();
    assert!(refusal.contradiction().is_some(), "{refusal}");
    assert!(found.against(&heads, 80).unwrap().places().is_none());
    assert!(found.runs() < 2000, "{}", found.runs());
}

#[test]
fn a_threshold_is_found_wherever_it_lies() {
    for threshold in [0, 1, 2, 3, 1 << 20, u64::MAX / 3, u64::MAX - 1, u64::MAX] {
        let coin = from_fn(move |bits| Ok(bits.try_bits(64)? < threshold));
        let found = Explorer::new(1).words(&coin);
        assert_eq!(found.mass(&true), q(threshold, BigInt::one() << 64));
        assert_eq!(found.expected_bits(8).bracket().unwrap().low(), &q(64, 1));
    }
    let short = from_fn(|bits| Ok((bits.try_bits(16)? * 6) >> 16));
    let found = Explorer::new(1).words(&short);
    let sides: Vec<BigRational> = (0..6).map(|side| found.mass(&side)).collect();
    let counts =
        (0..6u32).map(|side| q((0..1u32 << 16).filter(|v| (v * 6) >> 16 == side).count(), 1 << 16));
    assert!(counts.eq(sides));
}

#[test]
fn multiply_and_shift_without_rejection_is_told_from_a_die() {
    let die = from_fn(|bits| Ok((u128::from(bits.try_bits(32)?) * 6) >> 32));
    let found = Explorer::new(1).words(&die);
    let law = |_: &u128, _: u32| buffon::Bracket::exact(q(1, 6));
    let refusal = found.against(&law, 80).unwrap_err();
    let side = refusal.contradiction().unwrap().side();
    assert!(side == Side::AtLeast || side == Side::AtMost);
    // With Lemire's rejection it is right.
    let die = from_fn(|bits| {
        loop {
            let product = bits.try_bits(32)? * 6;
            if product & 0xffff_ffff >= (1u64 << 32) % 6 {
                return Ok(product >> 32);
            }
        }
    });
    let found = Explorer::new(2).max_runs(1 << 16).words(&die);
    let law = |_: &u64, _: u32| buffon::Bracket::exact(q(1, 6));
    let agreement = found.against(&law, 80).unwrap();
    assert!(agreement.places() >= Some(55), "{agreement} in {} runs", found.runs());
}

#[test]
fn the_ranges_of_rand_have_the_law_that_is_found() {
    // Whatever the method of `random_range`, the exact law of what it does is within 2^-32 of 1/6 and adds up to one.
    let roll = Foreign(|rng: &mut dyn rand::Rng| rng.random_range(0..6u32));
    let found = Explorer::new(3).max_runs(1 << 15).words(&roll);
    assert!(found.is_reproducible() && found.masses().len() == 6);
    let sum = found.masses().iter().fold(found.open().clone(), |sum, (_, mass)| sum + mass);
    assert_eq!(sum, q(1, 1));
    assert!(
        found
            .masses()
            .iter()
            .all(|(_, mass)| (mass - q(1, 6)) < power(30) && (mass - q(1, 6)) > -power(30))
    );
}

#[test]
fn machines_without_words_are_found_as_by_weights() {
    let machine = Die::new(6).unwrap().zip(Rational::<u64>::new(2, 7).unwrap());
    let (words, weights) = (Explorer::new(4).words(&machine), explore_weighted(&machine, 4));
    assert!(words.masses().iter().all(|(outcome, mass)| weights.mass(outcome) == *mass));
    assert_eq!(words.expected_bits(64), weights.expected_bits(64));
    // A loop is cut off at the depth, a budget where it stands, and a fault is found.
    let parity = Rational::<u64>::new(2, 7).unwrap().parity_of_run();
    assert_eq!(Explorer::new(6).words(&parity).open(), explore_weighted(&parity, 6).open());
    let poor = Explorer::new(9).max_runs(5).words(&parity);
    assert!(poor.runs() == 5 && !poor.open().is_zero());
    let known = std::cell::Cell::new(0);
    let counts = from_fn(|bits| {
        known.set(known.get() + 1);
        Ok(bits.try_bits(64)? < known.get())
    });
    assert_eq!(Explorer::new(9).words(&counts).fault(), Some(Fault::NotReproducible));
}
