//! A coin of one's own, proved exact: implement `Machine`, then let `explore` run the code on every string of bits.
//!
//!     cargo run --release --example own_coin

use buffon::{BitSource, Coin, Fair, Machine, Tree, explore};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Heads with probability 1/3: the first heads comes on an even flip.
#[derive(Clone, Copy, Debug)]
struct EvenHeads;

impl Machine for EvenHeads {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        Ok(bits.try_tails()? % 2 == 1)
    }
}

/// The same with a mistake: it gives up after six flips, and says tails.
#[derive(Clone, Copy, Debug)]
struct Impatient;

impl Machine for Impatient {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        for flip in 1..=6 {
            if bits.try_bit()? {
                return Ok(flip % 2 == 0);
            }
        }
        Ok(false)
    }
}

/// What the tree says of the claim that heads has probability `p`.
fn verdict(tree: &Tree<bool>, p: &BigRational) -> String {
    let (low, high) = (tree.mass(&true), tree.mass(&true) + tree.open());
    if low <= *p && *p <= high {
        format!("{low} <= {p} <= {high}: within {} of it", tree.open())
    } else {
        format!("P(heads) is between {low} and {high}, so it is not {p}: refused")
    }
}

fn main() {
    let third = BigRational::new(BigInt::from(1), BigInt::from(3));
    println!(
        "EvenHeads is heads if the first heads comes on an even flip; Impatient gives up after six.\n"
    );
    println!("EvenHeads to 20 bits:  {}", verdict(&explore(&EvenHeads, 20), &third));
    println!("Impatient to 20 bits:  {}", verdict(&explore(&Impatient, 20), &third));

    // A coin of one's own composes like any other.
    let sixth = BigRational::new(BigInt::from(1), BigInt::from(6));
    println!("EvenHeads.then(Fair):  {}", verdict(&explore(&EvenHeads.then(Fair), 20), &sixth));
    let bits = explore(&EvenHeads, 64).expected_bits();
    let short = BigRational::from_integer(2.into()) - bits;
    // Beyond 64 bits the tree says nothing; there the two bits' last 2^-63 are.
    let places = short.denom().bits() - short.numer().bits();
    println!(
        "EvenHeads costs two fair bits on average, less 2^-{places} for what is beyond 64 bits"
    );
}
