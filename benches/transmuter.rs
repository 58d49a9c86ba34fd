//! The transmuter: a million rolls, and half and a quarter of them, to see how the time grows.

#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a bench")]

use buffon::{BitBuffer, Die, Machine, Transmuter};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::rngs::StdRng;

const MOST: usize = 1_000_000;

fn rolls(n: u64) -> Vec<u32> {
    let bits = BitBuffer::new(StdRng::seed_from_u64(1));
    Die::new(n).unwrap().samples(bits).map(|roll| roll as u32).take(MOST).collect()
}

fn transmuter(c: &mut Criterion) {
    for (n, m) in [(2, 6), (6, 2), (10, 7)] {
        let rolls = rolls(n);
        let die = Transmuter::new(n, m).unwrap();
        let mut group = c.benchmark_group(format!("rolls of {n} sides to {m}"));
        group.sample_size(10);
        for count in [MOST / 4, MOST / 2, MOST] {
            let rolls = &rolls[..count];
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::new("convert", count), |b| {
                b.iter(|| die.convert(rolls).unwrap().len());
            });
            group.bench_function(BenchmarkId::new("lossless", count), |b| {
                b.iter(|| die.lossless(rolls.iter().copied()).count());
            });
            group.bench_function(BenchmarkId::new("bounded", count), |b| {
                b.iter(|| die.bounded(rolls.iter().copied()).count());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, transmuter);
criterion_main!(benches);
