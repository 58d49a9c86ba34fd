//! Recycled coins and dice, one at a time and in bulk, beside what they replace.

use std::hint::black_box;

use buffon::{BitBuffer, BitSource, Coin, Die, Machine, Rational, Recycler};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rand::distr::{Bernoulli, Distribution, Uniform};
use rand::rngs::{SmallRng, StdRng};
use rand::{Rng, SeedableRng};

const SAMPLES: u64 = 1000;

/// Times so many samples, added up so that each of them counts.
fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: String, mut sample: impl FnMut() -> u64) {
    group.bench_function(name, |bencher| {
        bencher.iter(|| (0..SAMPLES).fold(0u64, |sum, _| sum.wrapping_add(sample())));
    });
}

fn with<R: Rng + SeedableRng>(criterion: &mut Criterion, rng: &str) {
    let mut group = criterion.benchmark_group(format!("recycler/{rng}"));
    group.throughput(Throughput::Elements(SAMPLES));
    let seed = || R::seed_from_u64(1);
    let (one, three, six, million) = black_box((1, 3, 6, 1_000_003));

    let third = Rational::<u64>::new(one, three).expect("a probability");
    let mut bits = Recycler::new(BitBuffer::new(seed()));
    time(&mut group, "coin 1/3, recycled".into(), || third.flip(&mut bits).into());
    let mut bits = BitBuffer::new(seed());
    time(&mut group, "coin 1/3, alone".into(), || third.flip(&mut bits).into());
    let bernoulli = Bernoulli::new(1.0 / 3.0).expect("a probability");
    let mut source = seed();
    time(&mut group, "coin 1/3, rand Bernoulli".into(), || bernoulli.sample(&mut source).into());

    let mut bits = Recycler::new(BitBuffer::new(seed()));
    let mut n = 0;
    time(&mut group, "coins 1/2 to 1/9 in turn, recycled".into(), || {
        n += 1;
        let Ok(heads) = bits.try_ratio(1, 2 + n % 8);
        heads.into()
    });

    for n in [six, million, u64::MAX] {
        let die = Die::new(n).expect("a die");
        let mut bits = Recycler::new(BitBuffer::new(seed()));
        time(&mut group, format!("die {n}, recycled"), || die.sample(&mut bits));
        let mut bits = BitBuffer::new(seed());
        time(&mut group, format!("die {n}, alone"), || die.sample(&mut bits));
        let uniform = Uniform::new(0, n).expect("a range");
        let mut source = seed();
        time(&mut group, format!("die {n}, rand Uniform"), || uniform.sample(&mut source));
    }

    let mut bits = Recycler::new(BitBuffer::new(seed()));
    let mut rolls = [0; SAMPLES as usize];
    group.bench_function("die 6, recycled in bulk", |bencher| {
        bencher.iter(|| {
            bits.fill_below(six, &mut rolls);
            rolls[7]
        });
    });
    group.finish();
}

fn recycler(criterion: &mut Criterion) {
    with::<SmallRng>(criterion, "small");
    with::<StdRng>(criterion, "std");
}

criterion_group!(benches, recycler);
criterion_main!(benches);
