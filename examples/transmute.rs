//! Rolls of one die made into rolls of another, and back: nothing is lost, only late.
//!
//!     cargo run --release --example transmute                   flips from a seeded generator, to six sides and back
//!     cargo run --release --example transmute 6 10 314253013    the digits that you rolled, from six sides to ten

use std::cell::Cell;
use std::error::Error;

use buffon::{BitBuffer, Die, Machine, Transmuter};
use rand::{SeedableRng, rngs::StdRng};

/// One line: the rolls as they come, a dot where nothing is ready.
fn line(name: &str, columns: &[Vec<u32>]) {
    let width = columns.iter().flatten().max().map_or(1, |most| most.to_string().len());
    let text = |rolls: &Vec<u32>| match rolls.as_slice() {
        [] => "·".to_owned(),
        rolls => rolls.iter().map(|roll| format!("{roll:0width$}")).collect(),
    };
    println!("{name:>9}  {}", columns.iter().map(text).collect::<Vec<_>>().join(" "));
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let side = |place: usize, default: u64| {
        let given = arguments.get(place);
        given.map_or(Ok(default), |n| n.parse().map_err(|_| format!("{n:?} is no number of sides")))
    };
    let (n, m) = (side(0, 2)?, side(1, 6)?);
    let (there, back) = (Transmuter::new(n, m)?, Transmuter::new(m, n)?);
    let typed =
        arguments.get(2).map(|rolls| rolls.chars().map(|c| c.to_digit(10).unwrap_or(u32::MAX)));
    let rolls: Vec<u32> = match typed {
        Some(rolls) => rolls.collect(),
        None => {
            let bits = BitBuffer::new(StdRng::seed_from_u64(2013));
            Die::new(n)?.samples(bits).map(|roll| roll as u32).take(32).collect()
        }
    };

    // Each roll is pushed through both converters; what comes out of each before the next one stands below it.
    let taken = Cell::new(0);
    let [mut out, mut again] = [vec![Vec::new(); rolls.len()], vec![Vec::new(); rolls.len()]];
    let counted = rolls.iter().copied().inspect(|_| taken.set(taken.get() + 1));
    let middle = there.lossless(counted).inspect(|roll| {
        out[taken.get() - 1].extend(roll.as_ref().ok());
    });
    for roll in back.lossless(middle) {
        again[taken.get() - 1].push(roll?);
    }
    println!(
        "Rolls of {n} sides, what each brings forth of {m} sides, and of those {n} again; a dot is nothing yet.\n"
    );
    line(&format!("{n} sides"), &rolls.iter().map(|&roll| vec![roll]).collect::<Vec<_>>());
    line(&format!("{m} sides"), &out);
    line(&format!("{n} again"), &again);
    assert!(again.concat().iter().eq(&rolls[..again.concat().len()]));

    // How far the last line lags behind the first, on average over many more rolls.
    let mut many = Die::new(n)?.samples(BitBuffer::new(StdRng::seed_from_u64(4))).take(100_000);
    let taken = Cell::new(0u64);
    let counted = many.by_ref().inspect(|_| taken.set(taken.get() + 1));
    let (mut given, mut lag) = (0, 0);
    let mut last = 0;
    for roll in back.lossless(there.lossless(counted)) {
        roll?;
        lag += (last..taken.get()).map(|rolls| rolls - given).sum::<u64>();
        (last, given) = (taken.get(), given + 1);
    }
    println!(
        "\nOf {} rolls {given} are back in the end, and on average {:.2} are on the way.",
        taken.get(),
        lag as f64 / last as f64
    );
    Ok(())
}
