//! Coins: ours and what a Rust user would take instead, side by side.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

mod common;

use std::num::NonZeroU64;

use bernoulli::BernoulliExact;
use buffon::combinators::Erased;
use buffon::law::Compiled;
use buffon::{Coin, Dyadic, Fair, Fraction, KnownLaw, Machine, OneOver, Rational, parity_of_run};
use common::{Row, sum};
use criterion::{Criterion, criterion_group, criterion_main};
use rand::distr::{Bernoulli, StandardUniform};
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, SeedableRng};
use rand_08::distributions::Distribution as _;
use typenum::{U1, U3};

/// A generator of today for the crates of rand 0.8.
struct Old<R>(R);

impl<R: Rng> rand_08::RngCore for Old<R> {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_08::Error> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// The optimal machine of the same law, kept for good so that it can be copied.
fn compiled<C: KnownLaw<Output = bool> + 'static>(coin: C) -> &'static Compiled<C, bool> {
    Box::leak(Box::new(coin.compile().unwrap()))
}

/// The same machine behind a pointer.
fn erased<C: Machine<Output = bool> + Send + Sync + 'static>(coin: C) -> &'static Erased<bool> {
    Box::leak(Box::new(coin.erased()))
}

fn rows<R: Rng + SeedableRng + 'static>(c: &mut Criterion, rng: &str) {
    let exact = BernoulliExact::from_ratio(1u32, 3).unwrap();
    let mut old = Old(R::seed_from_u64(2));
    Row::new("lone rational coin 1/3", rng)
        .ours::<_, R>("Rational", Rational::<u64>::new(1, 3).unwrap())
        .ours::<_, R>(
            "Rational, by reference",
            &*Box::leak(Box::new(Rational::<u64>::new(1, 3).unwrap())),
        )
        .ours::<_, R>("OneOver", OneOver::try_from(3).unwrap())
        .ours::<_, R>("Fraction", Fraction::<U1, U3>::new())
        .ours::<_, R>("compile(), by reference", compiled(Rational::<u64>::new(1, 3).unwrap()))
        .peer::<_, _, R>("rand Bernoulli (inexact)", Bernoulli::from_ratio(1, 3).unwrap())
        .add("bernoulli BernoulliExact", 32.0, move |n| sum(n, || exact.sample(&mut old)))
        .finish(c);

    Row::new("rational coin of a wide denominator", rng)
        .ours::<_, R>("Rational<u64>", Rational::<u64>::new(1 << 62, u64::MAX).unwrap())
        .ours::<_, R>("Rational<u128>", Rational::<u128>::new(1 << 126, u128::MAX).unwrap())
        .peer::<_, _, R>("rand Bernoulli (inexact)", Bernoulli::new(0.25).unwrap())
        .finish(c);

    Row::new("dyadic coin 3/8", rng)
        .ours::<_, R>("Dyadic", Dyadic::new(3, 3).unwrap())
        .ours::<_, R>("Rational", Rational::<u64>::new(3, 8).unwrap())
        .peer::<_, _, R>("rand Bernoulli", Bernoulli::from_ratio(3, 8).unwrap())
        .finish(c);

    Row::new("fair coin", rng)
        .ours::<_, R>("Fair", Fair)
        .ours::<_, R>("Rational 1/2", Rational::<u64>::new(1, 2).unwrap())
        .peer::<bool, _, R>("rand random::<bool>", StandardUniform)
        .finish(c);

    let inverse_e = |n: NonZeroU64| Rational::<u64>::new(1, n.get()).unwrap();
    Row::new("the price of erased()", rng)
        .ours::<_, R>("1/3", Rational::<u64>::new(1, 3).unwrap())
        .ours::<_, R>("1/3, erased", erased(Rational::<u64>::new(1, 3).unwrap()))
        .ours::<_, R>("1/e", parity_of_run(OneOver::new))
        .ours::<_, R>("1/e, erased", erased(parity_of_run(OneOver::new)))
        .finish(c);

    Row::new("1/e as composed", rng)
        .ours::<_, R>("parity_of_run(OneOver::new)", parity_of_run(OneOver::new))
        .ours::<_, R>("parity_of_run(Rational 1/n)", parity_of_run(inverse_e))
        .ours::<_, R>("the same, negated", parity_of_run(OneOver::new).not())
        .ours::<_, R>("the same, compiled", compiled(parity_of_run(OneOver::new)))
        .peer::<_, _, R>("rand Bernoulli (inexact)", Bernoulli::new((-1f64).exp()).unwrap())
        .finish(c);
}

fn benches(c: &mut Criterion) {
    rows::<SmallRng>(c, "SmallRng");
    rows::<StdRng>(c, "StdRng");
}

criterion_group!(coins, benches);
criterion_main!(coins);
