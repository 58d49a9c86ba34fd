use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

use super::blocks::Blocks;
use crate::bits::BitSource;
use crate::error::{BlockError, FlipsEnded};

/// Fair bits from blocks of flips of an unfair coin, by the number of the block among all with as many heads.
///
/// The C(n, k) blocks of n flips with k heads are equally likely, whatever p is. They are numbered, and the numbers are cut
/// into pieces of 2^e, one for each binary digit of C(n, k), the longest first: the place of a number in its piece is e fair
/// bits.
///
/// - Bits a flip: see [`rate`](Self::rate). It is less than the entropy H(p), by at most (log2(n + 1) + 2)/n: the number of
///   heads is not used, and which piece it was loses less than 2 bits. For p = 1/2 a block of 2 gives 1/4, of 64 0.91,
///   of 1024 0.99.
/// - Never ends for p = 0 and p = 1; the end of the iterator is then the only way out.
/// - Refuses: see [`new`](Self::new).
/// - Source: Elias 1972. Of all ways to use blocks of n flips this one gives the most bits (Pae and Loui 2005).
///
/// A block takes n multiplications and divisions of numbers of n bits.
///
/// # Errors
///
/// [`FlipsEnded`] where the iterator has no flip; the block begun waits for the rest, and gives no bit before.
///
/// ```
/// use buffon::{BitSource, Elias, FlipsEnded};
///
/// let flips = "THHT HHHH HTTT".chars().filter(|c| c.is_alphabetic()).map(|c| c == 'H');
/// let mut bits = Elias::new(flips, 4)?;
/// // THHT is number 2 of the six with two heads: of the piece 0, 1, 2, 3, so two bits. HHHH is the only one of its kind.
/// assert_eq!(bits.try_bits(2), Ok(2));
/// assert_eq!(bits.try_bits(2), Ok(0)); // HTTT is number 0 of four
/// assert_eq!(bits.try_bit(), Err(FlipsEnded));
/// # Ok::<(), buffon::BlockError>(())
/// ```
pub struct Elias<I> {
    blocks: Blocks<I>,
}

impl<I> Elias<I> {
    /// Over these flips, `block` at a time.
    ///
    /// # Errors
    ///
    /// [`TooShort`](BlockError::TooShort) for a block of less than two flips, which would give no bit.
    pub fn new(flips: I, block: usize) -> Result<Self, BlockError> {
        Ok(Self { blocks: Blocks::new(flips, block)? })
    }

    /// The flips that are left; bits of the last block that have not been served are gone.
    #[must_use]
    pub fn into_inner(self) -> I {
        self.blocks.into_inner()
    }

    /// The expected bits a flip for a coin of probability `p`, exactly: Σ_k p^k·q^(n−k)·Σ_e e·2^e, over n, where e runs over
    /// the binary digits of C(n, k).
    #[must_use]
    pub fn rate(&self, p: &BigRational) -> BigRational {
        let n = self.blocks.length();
        let q = BigRational::one() - p;
        let mut choices = BigUint::one();
        let mut sum = BigRational::zero();
        for k in 0..=n {
            let bits: BigUint = pieces(&choices).map(|e| BigUint::from(e) << e).sum();
            let each = Pow::pow(p, k) * Pow::pow(&q, n - k);
            sum += each * BigRational::from_integer(bits.into());
            choices = choices * (n - k) / (k + 1);
        }
        sum / BigRational::from_integer(n.into())
    }
}

impl<I: Iterator<Item = bool>> BitSource for Elias<I> {
    type Error = FlipsEnded;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, FlipsEnded> {
        self.blocks.try_bit(extract)
    }
}

/// The binary digits of a number that are one, the highest first.
fn pieces(number: &BigUint) -> impl Iterator<Item = u64> + '_ {
    (0..number.bits()).rev().filter(|&e| number.bit(e))
}

/// Appends the bits of a block, the lowest digit of its place first.
fn extract(block: &[bool], bits: &mut Vec<bool>) {
    let (mut place, among) = number(block);
    for e in pieces(&among) {
        let piece = BigUint::one() << e;
        if place < piece {
            bits.extend((0..e).map(|digit| place.bit(digit)));
            return;
        }
        place -= piece;
    }
}

/// The number of a block among the C(n, k) with as many heads, and that C(n, k).
///
/// Heads at places a₁ < … < a_k make the number Σ C(a_j, j), and every number below C(n, k) once (Lehmer's combinatorial
/// numbers).
fn number(block: &[bool]) -> (BigUint, BigUint) {
    let (mut number, mut heads) = (BigUint::zero(), 0);
    // C(place, heads + 1), which is 0 up to the first tails.
    let mut next = BigUint::zero();
    for (place, &flip) in block.iter().enumerate() {
        if flip {
            number += &next;
            heads += 1;
            next = next * (place + 1) / (heads + 1);
        } else if place == heads {
            next = BigUint::one();
        } else {
            next = next * (place + 1) / (place - heads);
        }
    }
    let tails = block.len() - heads;
    let among = if tails == 0 { BigUint::one() } else { next * (heads + 1) / tails };
    (number, among)
}

impl<I> Debug for Elias<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elias").field("block", &self.blocks.length()).finish_non_exhaustive()
    }
}
