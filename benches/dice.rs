//! Dice: ours and what a Rust user would take instead, side by side.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]
#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "rates only")]

mod common;

use std::hint::black_box;

use buffon::Die;
use common::{Row, sum};
use criterion::{Criterion, criterion_group, criterion_main};
use fast_loaded_dice_roller::rand::RngCoin;
use fast_loaded_dice_roller::{FairCoin, Generator};
use rand::distr::Uniform;
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, RngExt, SeedableRng};

/// Counts the flips of a coin of the `fast_loaded_dice_roller` crate.
struct CountedCoin<C> {
    coin: C,
    count: u32,
}

impl<C: FairCoin> FairCoin for CountedCoin<C> {
    fn flip(&mut self) -> bool {
        self.count += 1;
        self.coin.flip()
    }
}

fn rows<R: Rng + SeedableRng + 'static>(c: &mut Criterion, rng: &str) {
    const COUNTED: u32 = 1_000_000;
    for (n, work) in [(6u32, "die 6"), (1_000_003, "die 10^6+3")] {
        let mut single = R::seed_from_u64(2);
        let mut fast = fastrand::Rng::with_seed(2);
        let row = Row::new(work, rng)
            .ours::<_, R>("Die", Die::new(n.into()).unwrap())
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
        let row = if n == 6 {
            let loaded = Generator::new(&[1; 6]);
            let mut coin = CountedCoin { coin: RngCoin::new(R::seed_from_u64(1)), count: 0 };
            black_box(sum(COUNTED.into(), || loaded.sample(&mut coin)));
            let bits = f64::from(coin.count) / f64::from(COUNTED);
            let mut coin = RngCoin::new(R::seed_from_u64(2));
            row.add("fast_loaded_dice_roller", bits, move |count| {
                sum(count, || loaded.sample(&mut coin))
            })
        } else {
            row
        };
        row.finish(c);
    }
}

fn benches(c: &mut Criterion) {
    rows::<SmallRng>(c, "SmallRng");
    rows::<StdRng>(c, "StdRng");
}

criterion_group!(dice, benches);
criterion_main!(dice);
