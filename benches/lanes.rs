//! Coins in bulk: 256 lanes at a time into slices of words and of `bool`, beside one flip at a time.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

mod common;

use buffon::{Coin, Dyadic, KnownLaw, OneOver, Rational, parity_of_run};
use common::Row;
use criterion::{Criterion, criterion_group, criterion_main};
use rand::distr::Bernoulli;
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, SeedableRng};

fn rows<R: Rng + SeedableRng + 'static>(c: &mut Criterion, rng: &str) {
    let coin = |num, den| Rational::<u64>::new(num, den).unwrap();
    Row::new("bulk coins 1/3", rng)
        .bulk::<_, R>("fill", coin(1, 3))
        .bulk_bools::<_, R>("fill_bools", coin(1, 3))
        .ours::<_, R>("one at a time", coin(1, 3))
        .peer::<_, _, R>("rand Bernoulli (inexact)", Bernoulli::from_ratio(1, 3).unwrap())
        .finish(c);
    Row::new("bulk coins 3/8", rng)
        .bulk::<_, R>("fill", Dyadic::new(3, 3).unwrap())
        .ours::<_, R>("one at a time", Dyadic::new(3, 3).unwrap())
        .peer::<_, _, R>("rand Bernoulli", Bernoulli::from_ratio(3, 8).unwrap())
        .finish(c);
    let mixture = coin(1, 3).mix(coin(2, 5), coin(3, 7));
    Row::new("bulk coins, a mixture", rng)
        .bulk::<_, R>("fill", mixture)
        .ours::<_, R>("one at a time", mixture)
        .finish(c);
    let inverse_e = parity_of_run(OneOver::new);
    let compiled = &*Box::leak(Box::new(inverse_e.compile().unwrap()));
    Row::new("bulk coins 1/e", rng)
        .bulk::<_, R>("compiled, fill", compiled)
        .bulk::<_, R>("composed, fill", inverse_e)
        .ours::<_, R>("composed, one at a time", inverse_e)
        .peer::<_, _, R>("rand Bernoulli (inexact)", Bernoulli::new((-1f64).exp()).unwrap())
        .finish(c);
}

fn benches(c: &mut Criterion) {
    rows::<SmallRng>(c, "SmallRng");
    rows::<StdRng>(c, "StdRng");
}

criterion_group!(lanes, benches);
criterion_main!(lanes);
