//! Recycled coins and dice, one at a time and in bulk, beside what they replace.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]
#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "rates only")]

mod common;

use std::hint::black_box;

use buffon::{BitBuffer, BitSource, Counted, Die, Machine, Rational, Recycler};
use common::{Row, Word, sum};
use criterion::{Criterion, criterion_group, criterion_main};
use rand::distr::{Bernoulli, Uniform};
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, SeedableRng};

/// A machine over a recycler, with the bits that it draws counted beneath.
fn recycled<M, R>(row: Row, name: &'static str, machine: M) -> Row
where
    M: Machine<Output: Word> + Copy + 'static,
    R: Rng + SeedableRng + 'static,
{
    const COUNTED: u64 = 1_000_000;
    let mut bits = Recycler::new(Counted::new(BitBuffer::new(R::seed_from_u64(1))));
    black_box(sum(COUNTED, || machine.sample(&mut bits)));
    let mut source = Recycler::new(BitBuffer::new(R::seed_from_u64(2)));
    row.add(name, bits.source().count() as f64 / COUNTED as f64, move |n| {
        let machine = black_box(machine);
        sum(n, || machine.sample(&mut source))
    })
}

fn rows<R: Rng + SeedableRng + 'static>(c: &mut Criterion, rng: &str) {
    let third = Rational::<u64>::new(1, 3).unwrap();
    recycled::<_, R>(Row::new("recycled coin 1/3", rng), "recycled", third)
        .ours::<_, R>("alone", third)
        .peer::<_, _, R>("rand Bernoulli (inexact)", Bernoulli::from_ratio(1, 3).unwrap())
        .finish(c);

    let mut bits = Recycler::new(BitBuffer::new(R::seed_from_u64(2)));
    let entropy = (2..10)
        .map(|n| f64::from(n).log2() - (1.0 - f64::from(n).recip()) * f64::from(n - 1).log2());
    Row::new("recycled coins 1/2 to 1/9 in turn", rng)
        .add("recycled", entropy.sum::<f64>() / 8.0, move |n| {
            let mut turn = 0;
            sum(n, || {
                turn += 1;
                let Ok(heads) = bits.try_ratio(1, 2 + turn % 8);
                heads
            })
        })
        .finish(c);

    for (n, work) in [
        (6, "recycled die 6"),
        (1_000_003, "recycled die 10^6+3"),
        (u64::MAX, "recycled die 2^64-1"),
    ] {
        let die = Die::new(n).unwrap();
        let row = recycled::<_, R>(Row::new(work, rng), "recycled", die);
        let row = if n == 6 {
            let mut bits = Recycler::new(BitBuffer::new(R::seed_from_u64(2)));
            let mut rolls = [0; 1200];
            row.add("recycled, in bulk", 6f64.log2(), move |count| {
                let mut left = usize::try_from(count).unwrap();
                let mut total = 0u64;
                while left > 0 {
                    let some = &mut rolls[..left.min(1200)];
                    bits.fill_below(black_box(n), some);
                    left -= some.len();
                    total = total.wrapping_add(some.iter().sum());
                }
                total
            })
        } else {
            row
        };
        row.ours::<_, R>("alone", die)
            .peer::<_, _, R>("rand Uniform<u64>", Uniform::new(0, n).unwrap())
            .finish(c);
    }
}

fn benches(c: &mut Criterion) {
    rows::<SmallRng>(c, "SmallRng");
    rows::<StdRng>(c, "StdRng");
}

criterion_group!(recycler, benches);
criterion_main!(recycler);
