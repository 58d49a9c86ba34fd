//! OpenDP's exact coins beside ours, in the manner of the other benches: `cargo run --release | ../table.sh -`.
//!
//! OpenDP draws from rand's thread generator, whose core is that of `StdRng`. Its coin of probability e^(−x) is not public.

use std::hint::black_box;
use std::time::{Duration, Instant};

use buffon::{BitBuffer, Coin, Dyadic, Rational};
use dashu::integer::UBig;
use dashu::rational::RBig;
use opendp::traits::samplers::{sample_bernoulli_float, sample_bernoulli_rational};
use rand::SeedableRng;
use rand::rngs::StdRng;

const BATCH: u32 = 10_000;
const ROUNDS: u32 = 100;

type Run = Box<dyn FnMut() -> bool>;

/// Interleaved rounds of each contestant, of which the fastest counts; ours is the first.
fn row(name: &str, mut contestants: Vec<(&str, f64, Run)>) {
    let mut best = vec![Duration::MAX; contestants.len()];
    for _ in 0..ROUNDS {
        for ((_, _, flip), best) in contestants.iter_mut().zip(&mut best) {
            let start = Instant::now();
            black_box((0..BATCH).filter(|_| flip()).count());
            *best = start.elapsed().min(*best);
        }
    }
    println!("row: {name}, StdRng");
    for ((name, bits, _), time) in contestants.iter().zip(&best) {
        let nanoseconds = time.as_secs_f64() * 1e9 / f64::from(BATCH);
        let ratio = best[0].as_secs_f64() / time.as_secs_f64();
        println!("| {name} | {nanoseconds:.2} ns | {bits:.3} bits | {ratio:.3} |");
    }
}

/// Both coins here take two bits, as the law says; less than 2^-50 less for the dyadic one.
fn ours<C: Coin + 'static>(coin: C) -> (&'static str, f64, Run) {
    let mut source = BitBuffer::new(StdRng::seed_from_u64(1));
    ("buffon", 2.0, Box::new(move || coin.flip(&mut source)))
}

fn main() {
    let third = RBig::from_parts(1.into(), UBig::from(3u8));
    row(
        "rational coin 1/3",
        vec![
            ours(Rational::<u64>::new(1, 3).expect("a probability")),
            (
                "OpenDP sample_bernoulli_rational",
                f64::NAN,
                Box::new(move || sample_bernoulli_rational(third.clone()).expect("randomness")),
            ),
        ],
    );
    row(
        "the value of the f64 0.1",
        vec![
            ours(Dyadic::from_f64(0.1).expect("a probability")),
            (
                "OpenDP sample_bernoulli_float",
                f64::NAN,
                Box::new(|| sample_bernoulli_float(0.1f64, false).expect("randomness")),
            ),
        ],
    );
}
