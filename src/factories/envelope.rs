use crate::bits::BitSource;
use crate::coin::Coin;
use crate::machine::Machine;

/// The coin e^p/4 of an unknown coin p; of a certain one it is e/4.
///
/// - Answers: n is the number of tails before the first heads of a fair coin. For n = 0 a fair flip is the answer; else heads if the coins 2/3, 2/4, …, 2/n and
///   then n flips of `p` are heads, up to the first tails.
/// - Law: Σ 2^-(n+1)·(2^(n−1)/n!)·pⁿ = e^p/4. No coin has the probability e^p, which is above 1.
/// - Expected fair bits: 2.5 and those of the coins: 2.8174 in all for e/4; less than one flip of p.
/// - Tail: exponential if the coin's is.
/// - Refuses: nothing.
/// - Proof: a series of positive terms aₙ is made by a number n of law w(n) ≥ aₙ, and a coin aₙ/w(n); here 2^(n−1) ≤ n! for n ≥ 1.
/// - Source: Occil, "Bernoulli Factory Algorithms".
///
/// ```
/// use buffon::{Always, KnownLaw, factories::ExpOverFour};
/// assert_eq!(format!("{:.12}", ExpOverFour::new(Always).probability(60)), "0.679570457114…"); // e/4
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct ExpOverFour<P> {
    pub(super) p: P,
}

impl<P: Coin> ExpOverFour<P> {
    /// The coin e^p/4.
    #[inline]
    pub const fn new(p: P) -> Self {
        Self { p }
    }
}

impl<P: Coin> Machine for ExpOverFour<P> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let n = bits.try_tails()?;
        if n == 0 {
            return bits.try_bit();
        }
        for k in 3..=n {
            if !bits.try_ratio(2, k)? {
                return Ok(false);
            }
        }
        (&self.p).power(n).try_flip(bits)
    }
}
