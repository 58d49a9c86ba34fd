use alloc::vec::Vec;

use super::weights::Weight;
use super::whole::Whole;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::Rational;
use crate::error::WeightError;
use crate::machine::Machine;

/// A chooser among weights that offers each outcome in turn: outcome i is taken with its share of what is left.
///
/// - Answers: an index of the list of weights: the first i for which the coin w_i/(w_i + w_{i+1} + …) comes up heads.
/// - Law: P(i) = w_i/W exactly, where W = Σ w_j: (1 − w₀/W)·(1 − w₁/(W − w₀))·…·w_i/R_i telescopes, with R_i = w_i + w_{i+1} + ….
///   A weight of zero is never chosen.
/// - Expected fair bits: Σ_i (R_i/W)·c(w_i/R_i), where the coin's cost c is 2, or 2 − 2^(1−m) for a/2^m, or 0 if it is certain:
///   7/2 for 1, 1, 1, 1 and 11/3 for 1, 2, 3. It depends on the order; the largest first is best. A weight of zero costs
///   nothing, and the last positive one is certain.
/// - Tail: exponential; bounded if every coin is dyadic. Otherwise some infinite strings, as tails for ever, give no
///   answer.
/// - Refuses: see [`new`](Self::new).
/// - Source: the sequential method of conditional coins, as in Devroye 1986, chapter III; exact with exact coins.
///
/// [`Weighted`](crate::Weighted) costs fewer bits; this one needs no table, and its coins can be replaced by others.
///
/// ```
/// use buffon::{Machine, Script, Sequential};
/// let chooser = Sequential::new([3, 2, 1])?;
/// assert_eq!(chooser.try_sample(&mut Script::from_str("H")?), Ok(0)); // 3/6 comes up heads
/// assert_eq!(chooser.try_sample(&mut Script::from_str("TTH")?), Ok(2)); // 3/6 tails, 2/3 tails on flip 2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Sequential {
    /// The coins up to the last positive weight; that one is certain.
    coins: Vec<Rational<u128>>,
}

impl Sequential {
    /// The sequential chooser among `weights`, of the kinds that [`Weighted::new`](crate::Weighted::new) takes.
    ///
    /// # Errors
    ///
    /// As [`Weighted::new`](crate::Weighted::new).
    pub fn new<I>(weights: I) -> Result<Self, WeightError>
    where
        I: IntoIterator,
        I::Item: Weight,
    {
        let whole = Whole::new(weights)?;
        let mut left = whole.total();
        let mut coins = Vec::new();
        for weight in whole.weights() {
            // Nothing is left after the last positive weight: 0/0 is no coin.
            let Ok(coin) = Rational::<u128>::new(weight, left) else { break };
            coins.push(coin);
            left -= weight;
        }
        Ok(Self { coins })
    }
}

#[cfg(feature = "exact")]
impl Sequential {
    pub(super) fn coins(&self) -> &[Rational<u128>] {
        &self.coins
    }
}

impl Machine for Sequential {
    type Output = usize;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
        for (index, coin) in self.coins.iter().enumerate() {
            if coin.try_flip(bits)? {
                return Ok(index);
            }
        }
        Ok(0) // not reached: the last coin is certain
    }
}
