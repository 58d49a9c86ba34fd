//! Choosers among weights: ours and what a Rust user would take instead, side by side.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

mod common;

use std::hint::black_box;

use buffon::{Alias, Weighted};
use common::Row;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, RngExt, SeedableRng};
use rand_distr::weighted::{WeightedAliasIndex, WeightedIndex};

/// Weights from 1 to 1000, the same in every run.
fn weights(n: usize) -> Vec<u64> {
    let mut rng = SmallRng::seed_from_u64(9);
    (0..n).map(|_| rng.random_range(1..=1000)).collect()
}

/// A contestant that lives as long as the bench, so that a row can copy it.
fn keep<T>(machine: T) -> &'static T {
    Box::leak(Box::new(machine))
}

fn rows<R: Rng + SeedableRng + 'static>(c: &mut Criterion, rng: &str) {
    for n in [3, 100, 1000, 1_000_000] {
        let weights = weights(n);
        let index = keep(WeightedIndex::new(&weights).unwrap());
        Row::new(&format!("chooser, speed, {n} weights"), rng)
            .ours::<_, R>("Alias", keep(Alias::new(&weights).unwrap()))
            .peer::<_, _, R>(
                "rand_distr WeightedAliasIndex",
                keep(WeightedAliasIndex::new(weights.clone()).unwrap()),
            )
            .peer::<_, _, R>("rand WeightedIndex", index)
            .finish(c);
        let row = Row::new(&format!("chooser, H+2 bits, {n} weights"), rng)
            .ours::<_, R>("Weighted", keep(Weighted::new(&weights).unwrap()));
        // The table of the crate grows too large for the largest list.
        let row = if n <= 1000 {
            let weights: Vec<usize> = weights.iter().map(|&weight| weight as usize).collect();
            row.loaded::<R>(&weights)
        } else {
            row
        };
        row.peer::<_, _, R>("rand WeightedIndex", index).finish(c);
    }
}

/// Time to build each chooser.
fn building(c: &mut Criterion) {
    if std::env::var_os("ROWS_ONLY").is_some() {
        return;
    }
    let mut group = c.benchmark_group("building");
    group.sample_size(10);
    for n in [3, 1000, 1_000_000] {
        let weights = weights(n);
        group.bench_function(BenchmarkId::new("Alias", n), |b| {
            b.iter(|| Alias::new(black_box(&weights)).unwrap());
        });
        group.bench_function(BenchmarkId::new("Weighted", n), |b| {
            b.iter(|| Weighted::new(black_box(&weights)).unwrap());
        });
        group.bench_function(BenchmarkId::new("rand_distr WeightedAliasIndex", n), |b| {
            b.iter_batched(
                || weights.clone(),
                |weights| WeightedAliasIndex::new(weights).unwrap(),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn benches(c: &mut Criterion) {
    rows::<SmallRng>(c, "SmallRng");
    rows::<StdRng>(c, "StdRng");
    building(c);
}

criterion_group!(choosers, benches);
criterion_main!(choosers);
