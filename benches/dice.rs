//! Dice: ours and what a Rust user would take instead, side by side.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

mod common;

use std::hint::black_box;

use buffon::{Die, FastDie};
use common::{Row, sum};
use criterion::{Criterion, criterion_group, criterion_main};
use rand::distr::Uniform;
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, RngExt, SeedableRng};

fn rows<R: Rng + SeedableRng + 'static>(c: &mut Criterion, rng: &str) {
    for (n, work) in [(6u32, "die 6"), (1_000_003, "die 10^6+3")] {
        let mut single = R::seed_from_u64(2);
        let mut fast = fastrand::Rng::with_seed(2);
        let row = Row::new(work, rng)
            .ours::<_, R>("Die", Die::new(n.into()).unwrap())
            .ours::<_, R>("FastDie", FastDie::new(n.into()).unwrap())
            .peer::<_, _, R>("rand Uniform<u64>", Uniform::new(0, u64::from(n)).unwrap())
            .peer::<_, _, R>("rand Uniform<u32>", Uniform::new(0, n).unwrap())
            .add("rand random_range (inexact)", 64.0, move |count| {
                let n = black_box(u64::from(n));
                sum(count, || single.random_range(0..n))
            })
            .add("fastrand u64 (its own wyrand)", 64.0, move |count| {
                let n = black_box(u64::from(n));
                sum(count, || fast.u64(0..n))
            });
        let row = if n == 6 { row.loaded::<R>(&[1; 6]) } else { row };
        row.finish(c);
    }
}

fn benches(c: &mut Criterion) {
    rows::<SmallRng>(c, "SmallRng");
    rows::<StdRng>(c, "StdRng");
}

criterion_group!(dice, benches);
criterion_main!(dice);
