//! Writes the certificate of a rational coin, and of a die, for `recheck`:
//!
//! `cargo run --example certificate -- 1 3 40 > third.txt` is the coin 1/3 to 40 flips; `... -- 6 40` is the die of six sides.

use buffon::{Die, Rational, explore};

const USAGE: &str =
    "usage: certificate NUM DEN DEPTH, or certificate SIDES DEPTH, in whole numbers";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse())
        .collect::<Result<_, _>>()
        .map_err(|_| USAGE)?;
    let text = match *numbers.as_slice() {
        [] => explore(&Rational::<u64>::new(1, 3)?, 12).certificate("the coin 1/3"),
        [sides, depth] => explore(&Die::new(sides)?, u32::try_from(depth)?)
            .certificate(&format!("the die of {sides} sides")),
        [num, den, depth] => {
            let coin = Rational::<u64>::new(num, den)?;
            explore(&coin, u32::try_from(depth)?).certificate(&format!("the coin {num}/{den}"))
        }
        _ => return Err(USAGE.into()),
    };
    print!("{text}");
    Ok(())
}
