//! The explorer: what proofs take.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

use std::hint::black_box;

use buffon::explore::{Letter, Polynomial, Says, explore_letters};
use buffon::{Explorer, Machine, Rational, Reciprocals, explore_weighted, parity_of_run};
use criterion::{Criterion, criterion_group, criterion_main};
use num_rational::BigRational;

fn explore(c: &mut Criterion) {
    let mut group = c.benchmark_group("explore");
    group.sample_size(10);
    let third = Rational::<u64>::new(1, 3).unwrap();
    let inverse_e = parity_of_run(Reciprocals);
    group.bench_function("1000 digits of 1/3", |b| {
        b.iter(|| Explorer::new(1000).tally(black_box(&third)).digits(&true));
    });
    group.bench_function("1/3 to depth 10000", |b| {
        b.iter(|| Explorer::new(10_000).tally(black_box(&third)));
    });
    group.bench_function("1/e in bits to depth 48", |b| {
        b.iter(|| Explorer::new(48).tally(black_box(&inverse_e)));
    });
    group.bench_function("1/e by weights to 2^-60", |b| {
        b.iter(|| explore_weighted(&inverse_e, 20).against(&Says(inverse_e), 64).unwrap());
    });
    group.bench_function("all a/b up to 64, depth 12: law, bracket, speed", |b| {
        b.iter(|| {
            for den in 1..=64u64 {
                for num in 0..=den {
                    let coin = Rational::<u64>::new(num, den).unwrap();
                    let target = BigRational::new(num.into(), den.into());
                    let agreement = Explorer::new(12).tally(&coin).against(&target);
                    assert!(agreement.unwrap().is_optimal());
                }
            }
        });
    });
    group.bench_function("von Neumann's trick for every bias, 20 flips", |b| {
        let pair = |[p]: [Letter; 1]| p.clone().zip(p).map(|(a, b)| (a != b).then_some(a)).retry();
        let (num, den) = (Polynomial::from(1), Polynomial::from(2));
        b.iter(|| explore_letters(pair, 20).proves(&true, &num, &den).unwrap());
    });
    group.finish();
}

criterion_group!(benches, explore);
criterion_main!(benches);
