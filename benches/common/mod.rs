//! What the benches share: a row of contestants, timed side by side, with their bits counted.

#![allow(
    dead_code,
    missing_debug_implementations,
    unreachable_pub,
    reason = "each bench takes what it needs"
)]
#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "times and rates only"
)]

use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

use buffon::{BitBuffer, Counted, Lanes, Machine};
use criterion::{BenchmarkId, Criterion, Throughput};
use fast_loaded_dice_roller::rand::RngCoin;
use fast_loaded_dice_roller::{FairCoin, Generator};
use rand::distr::Distribution;
use rand::{Rng, SeedableRng, TryRng};

/// Samples in one timed call: a multiple of `BULK`.
const BATCH: u64 = 10_240;
/// Samples that are taken together where they are taken in bulk.
const BULK: u64 = 1024;
/// Interleaved calls of each contestant, of which the fastest counts.
const ROUNDS: u32 = 300;
/// Samples over which bits are counted.
const COUNTED: u64 = 1_000_000;

/// A row of the table: our machines first, then their peers, in one criterion group.
pub struct Row {
    name: String,
    contestants: Vec<Contestant>,
}

/// One way to do a row's work.
struct Contestant {
    name: &'static str,
    bits: f64,
    run: Box<dyn FnMut(u64) -> u64>,
}

impl Row {
    pub fn new(work: &str, generator: &str) -> Self {
        Self { name: format!("{work}, {generator}"), contestants: Vec::new() }
    }

    /// A machine over a buffer of a generator. The compiler knows its type, and not its parameters.
    pub fn ours<M, R>(self, name: &'static str, machine: M) -> Self
    where
        M: Machine<Output: Word> + Copy + 'static,
        R: Rng + SeedableRng + 'static,
    {
        let mut bits = Counted::new(BitBuffer::new(R::seed_from_u64(1)));
        black_box(sum(COUNTED, || machine.sample(&mut bits)));
        let mut source = BitBuffer::new(R::seed_from_u64(2));
        self.add(name, bits.count() as f64 / COUNTED as f64, move |n| {
            let machine = black_box(machine);
            sum(n, || machine.sample(&mut source))
        })
    }

    /// A coin in lanes, into words; the bits that the lanes do not use are counted with the others.
    pub fn bulk<C, R>(self, name: &'static str, coin: C) -> Self
    where
        C: Lanes + Copy + 'static,
        R: Rng + SeedableRng + 'static,
    {
        let mut words = vec![0; BULK as usize / 64];
        let mut bits = BitBuffer::new(Metered { rng: R::seed_from_u64(1), bits: 0 });
        (0..COUNTED / BULK).for_each(|_| coin.fill(&mut words, &mut bits));
        let counted = COUNTED / BULK * BULK;
        let mut source = BitBuffer::new(R::seed_from_u64(2));
        self.add(name, bits.into_inner().bits as f64 / counted as f64, move |n| {
            let coin = black_box(coin);
            sum(n / BULK, || {
                coin.fill(&mut words, &mut source);
                black_box(&words)[0]
            })
        })
    }

    /// The same into places of one flip each.
    pub fn bulk_bools<C, R>(self, name: &'static str, coin: C) -> Self
    where
        C: Lanes + Copy + 'static,
        R: Rng + SeedableRng + 'static,
    {
        let mut flips = vec![false; BULK as usize];
        let mut bits = BitBuffer::new(Metered { rng: R::seed_from_u64(1), bits: 0 });
        (0..COUNTED / BULK).for_each(|_| coin.fill_bools(&mut flips, &mut bits));
        let counted = COUNTED / BULK * BULK;
        let mut source = BitBuffer::new(R::seed_from_u64(2));
        self.add(name, bits.into_inner().bits as f64 / counted as f64, move |n| {
            let coin = black_box(coin);
            sum(n / BULK, || {
                coin.fill_bools(&mut flips, &mut source);
                black_box(&flips)[0]
            })
        })
    }

    /// A distribution of rand or in its manner.
    pub fn peer<T, D, R>(self, name: &'static str, distribution: D) -> Self
    where
        T: Word,
        D: Distribution<T> + Copy + 'static,
        R: Rng + SeedableRng + 'static,
    {
        let mut metered = Metered { rng: R::seed_from_u64(1), bits: 0 };
        black_box(sum(COUNTED, || distribution.sample(&mut metered)));
        let mut rng = R::seed_from_u64(2);
        self.add(name, metered.bits as f64 / COUNTED as f64, move |n| {
            let distribution = black_box(distribution);
            sum(n, || distribution.sample(&mut rng))
        })
    }

    /// The chooser of the `fast_loaded_dice_roller` crate.
    pub fn loaded<R: Rng + SeedableRng + 'static>(self, weights: &[usize]) -> Self {
        let loaded = Generator::new(weights);
        let mut coin = CountedCoin { coin: RngCoin::new(R::seed_from_u64(1)), count: 0 };
        black_box(sum(COUNTED, || loaded.sample(&mut coin)));
        let bits = coin.count as f64 / COUNTED as f64;
        let mut coin = RngCoin::new(R::seed_from_u64(2));
        self.add("fast_loaded_dice_roller", bits, move |n| sum(n, || loaded.sample(&mut coin)))
    }

    /// Anything that takes `n` samples and answers a number which depends on them all; its bits a sample are given.
    pub fn add(
        mut self,
        name: &'static str,
        bits: f64,
        run: impl FnMut(u64) -> u64 + 'static,
    ) -> Self {
        self.contestants.push(Contestant { name, bits, run: Box::new(run) });
        self
    }

    fn criterion(&mut self, criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(&self.name);
        group.throughput(Throughput::Elements(BATCH));
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
        for one in &mut self.contestants {
            group.bench_function(BenchmarkId::from_parameter(one.name), |b| {
                b.iter(|| (one.run)(black_box(BATCH)));
            });
        }
        group.finish();
    }

    /// Lets criterion time every contestant unless `ROWS_ONLY` is set, then prints the row by the fastest of interleaved rounds: on a shared
    /// machine the least of many is steady, and the mean is not.
    pub fn finish(mut self, criterion: &mut Criterion) {
        if std::env::var_os("ROWS_ONLY").is_none() {
            self.criterion(criterion);
        }
        let mut best = vec![Duration::MAX; self.contestants.len()];
        for _ in 0..ROUNDS {
            for (one, best) in self.contestants.iter_mut().zip(&mut best) {
                let start = Instant::now();
                black_box((one.run)(black_box(BATCH)));
                *best = start.elapsed().min(*best);
            }
        }
        println!("row: {}", self.name);
        for (one, time) in self.contestants.iter().zip(&best) {
            let nanoseconds = time.as_secs_f64() * 1e9 / BATCH as f64;
            let ratio = best[0].as_secs_f64() / time.as_secs_f64();
            println!("| {} | {nanoseconds:.2} ns | {:.3} bits | {ratio:.2} |", one.name, one.bits);
        }
    }
}

/// An answer that can be added up.
pub trait Word {
    fn word(self) -> u64;
}

macro_rules! words {
    ($($answer:ty: |$x:ident| $word:expr;)+) => {$(
        impl Word for $answer {
            #[inline]
            fn word(self) -> u64 {
                let $x = self;
                $word
            }
        }
    )+};
}

words! {
    bool: |x| u64::from(x);
    u32: |x| u64::from(x);
    u64: |x| x;
    usize: |x| x as u64;
}

/// The sum of `n` samples.
#[inline]
pub fn sum<T: Word>(n: u64, mut sample: impl FnMut() -> T) -> u64 {
    (0..n).fold(0, |sum: u64, _| sum.wrapping_add(sample().word()))
}

/// Counts the flips of a coin of the `fast_loaded_dice_roller` crate.
struct CountedCoin<C> {
    coin: C,
    count: u64,
}

impl<C: FairCoin> FairCoin for CountedCoin<C> {
    fn flip(&mut self) -> bool {
        self.count += 1;
        self.coin.flip()
    }
}

/// A generator that counts the bits taken from it.
struct Metered<R> {
    rng: R,
    bits: u64,
}

impl<R: Rng> TryRng for Metered<R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.bits += 32;
        Ok(self.rng.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.bits += 64;
        Ok(self.rng.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.bits += 8 * bytes.len() as u64;
        self.rng.fill_bytes(bytes);
        Ok(())
    }
}
