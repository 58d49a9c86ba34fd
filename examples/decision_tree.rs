//! Draws decision trees: `cargo run --features svg --example decision_tree -- NUM DEN DEPTH > coin.svg`, or SIDES DEPTH.

use buffon::{Die, Rational, explore};

const USAGE: &str =
    "usage: decision_tree NUM DEN DEPTH, or decision_tree SIDES DEPTH, in whole numbers";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse())
        .collect::<Result<_, _>>()
        .map_err(|_| USAGE)?;
    let picture = match *numbers.as_slice() {
        [] => explore(&Die::new(6)?, 6).to_svg(),
        [sides, depth] => explore(&Die::new(sides)?, u32::try_from(depth)?).to_svg(),
        [num, den, depth] => {
            explore(&Rational::<u64>::new(num, den)?, u32::try_from(depth)?).to_svg()
        }
        _ => return Err(USAGE.into()),
    };
    println!("{picture}");
    Ok(())
}
