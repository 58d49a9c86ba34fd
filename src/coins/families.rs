use core::num::NonZeroU64;

use super::OneOver;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::combinators::Family;

/// The family 1/n: coins 1/1, 1/2, 1/3, ….
///
/// As the function `OneOver::new`, bit for bit, but its type says how it goes on: so the cost of a run of it is known to any
/// precision, where that of a closure is not.
///
/// | machine | law | expected fair bits |
/// |---|---|---|
/// | [`run(Reciprocals)`](crate::run()) | P(N = n) = n/(n + 1)! | Σ cₙ/(n − 1)! = 2.3531807204… |
/// | [`parity_of_run(Reciprocals)`](crate::parity_of_run()) | 1/e | the same |
///
/// Tail: exponential.
///
/// ```
/// use buffon::{Coin, Reciprocals, Script, parity_of_run};
/// let inverse_e = parity_of_run(Reciprocals);
/// assert_eq!(inverse_e.try_flip(&mut Script::from_str("HH")?), Ok(true)); // the free 1/1, then 1/2 on the first H
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reciprocals;

impl Family for Reciprocals {
    #[inline]
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error> {
        OneOver::new(n).try_flip(bits)
    }
}

/// The family γ/n for a coin of probability γ: the coin 1/n, and after heads the coin γ.
///
/// No number ever exceeds n, whatever γ is.
///
/// | machine | law | expected fair bits |
/// |---|---|---|
/// | [`run(Harmonic::new(coin))`](crate::run()) | P(N ≥ n) = γⁿ/n! | Σ γⁿ⁻¹/(n − 1)!·(κ(1/n) + c_γ/n) |
/// | [`parity_of_run(Harmonic::new(coin))`](crate::parity_of_run()) | exp(−γ) | the same |
///
/// where κ(1/n) is the cost of [`OneOver`] and c_γ that of the coin. Tail: exponential if the coin's is.
///
/// ```
/// use buffon::{Coin, Fair, Harmonic, Script, parity_of_run};
/// let coin = parity_of_run(Harmonic::new(Fair)); // exp(−1/2)
/// assert_eq!(coin.try_flip(&mut Script::from_str("T")?), Ok(true)); // 1/1 is free; the fair coin is tails: none
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Harmonic<C> {
    pub(crate) coin: C,
}

impl<C> Harmonic<C> {
    /// The family in which coin n has the n-th part of the probability of `coin`.
    #[inline]
    #[must_use]
    pub const fn new(coin: C) -> Self {
        Self { coin }
    }
}

impl<C: Coin> Family for Harmonic<C> {
    #[inline]
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error> {
        OneOver::new(n).then(&self.coin).try_flip(bits)
    }
}
