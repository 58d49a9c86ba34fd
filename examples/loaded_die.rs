//! A loaded die by weights, three ways: the optimal tree, a coin a face in order, and a coin a face from the heaviest down.
//!
//!     cargo run --release --example loaded_die

use buffon::{Machine, Sequential, Tree, Weighted, explore};
use num_rational::BigRational;

const WEIGHTS: [u32; 6] = [1, 1, 2, 3, 2, 6];
const DEPTH: u32 = 40;

fn show<M: Machine<Output = usize>>(name: &str, machine: &M) {
    let tree = explore(machine, DEPTH);
    println!("{name}");
    for (face, weight) in WEIGHTS.into_iter().enumerate() {
        println!("  face {}: {}", face + 1, bounds(&tree, face, weight));
    }
    println!("  {} fair bits on average, or a little more\n", short(&tree.expected_bits()));
}

/// The mass found for a face, beside the probability that its weight asks for.
fn bounds(tree: &Tree<usize>, face: usize, weight: u32) -> String {
    let wanted = BigRational::new(weight.into(), WEIGHTS.iter().sum::<u32>().into());
    let (low, high) = (tree.mass(&face), tree.mass(&face) + tree.open());
    let verdict = if low <= wanted && wanted <= high { "holds" } else { "is WRONG" };
    // The open mass is below 2^-bits.
    let bits = tree.open().denom().bits() - tree.open().numer().bits();
    format!("{wanted:>5}  {verdict}, to within 2^-{bits}")
}

fn short(number: &BigRational) -> String {
    let scaled = (number * BigRational::from_integer(10_000.into())).round().to_integer();
    let text = scaled.to_string();
    let (whole, decimals) = text.split_at(text.len() - 4);
    format!("{whole}.{decimals}")
}

fn main() -> Result<(), buffon::WeightError> {
    println!(
        "A die whose faces have the weights {WEIGHTS:?}, three ways, each run on every string of {DEPTH} flips.\n"
    );
    show("Weighted: the Knuth–Yao tree, no chooser draws fewer bits", &Weighted::new(WEIGHTS)?);
    show("Sequential: one coin a face, in order", &Sequential::new(WEIGHTS)?);
    let mut descending: Vec<(u32, usize)> = WEIGHTS.into_iter().zip(0..).collect();
    descending.sort_by(|a, b| b.cmp(a));
    let sorted = Sequential::new(descending.iter().map(|&(weight, _)| weight))?;
    show(
        "Sequential, heaviest first: order matters",
        &sorted.map(move |place| descending[place].1),
    );
    Ok(())
}
