//! The transmuter: ten thousand rolls, a hundred thousand and a million, to see how the time grows.
//!
//! A million rolls take seconds for some pairs, so each time here is that of one run, or the fastest of three where they are short, without criterion.

#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a bench")]
#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "times only")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use buffon::{BitBuffer, Die, Machine, Transmuter};
use rand::SeedableRng;
use rand::rngs::StdRng;

const COUNTS: [usize; 3] = [10_000, 100_000, 1_000_000];

fn rolls(n: u64) -> Vec<u32> {
    let bits = BitBuffer::new(StdRng::seed_from_u64(1));
    Die::new(n).unwrap().samples(bits).map(|roll| roll as u32).take(COUNTS[2]).collect()
}

fn fastest<T>(mut run: impl FnMut() -> T) -> Duration {
    let mut time = || {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    };
    let first = time();
    if first > Duration::from_secs(1) { first } else { first.min(time()).min(time()) }
}

/// Prints a row in the manner of the other benches; the ratio says how much less a roll of the first count takes.
fn row(way: &str, n: u64, m: u64, mut time: impl FnMut(usize) -> Duration) {
    println!("row: transmuter {way}, {n} to {m} sides");
    let mut first = None;
    // A million rolls of 2^32 sides are 32 million digits of big numbers: half a minute, and left out.
    for count in COUNTS.into_iter().filter(|&count| count as f64 * (n as f64).log2() < 4e6) {
        let time = time(count).as_secs_f64();
        let each = time * 1e9 / count as f64;
        let ratio = *first.get_or_insert(each) / each;
        let bits = (n as f64).log2();
        println!("| {count} rolls, {time:.4} s | {each:.2} ns | {bits:.3} bits | {ratio:.2} |");
    }
}

fn main() {
    for (n, m) in [(2, 6), (3, 7), (10, 7), ((1 << 32) - 5, 10)] {
        let rolls = rolls(n);
        let (there, back) = (Transmuter::new(n, m).unwrap(), Transmuter::new(m, n).unwrap());
        row("convert", n, m, |count| fastest(|| there.convert(&rolls[..count]).unwrap()));
        row("convert there and back", n, m, |count| {
            fastest(|| {
                let made = there.convert(&rolls[..count]).unwrap();
                let again = back.convert(&made).unwrap();
                assert_eq!(again, rolls[..again.len()]);
                again
            })
        });
        row("lossless", n, m, |count| {
            fastest(|| there.lossless(rolls[..count].iter().copied()).count())
        });
        row("bounded", n, m, |count| {
            fastest(|| there.bounded(rolls[..count].iter().copied()).count())
        });
    }
}
