use alloc::boxed::Box;
use core::fmt::{self, Debug, Formatter};
use core::ops::ControlFlow;

use crate::coin::Coin;
use crate::law::{Bracket, Cost, KnownLaw, LawError};

/// What is asked of a coin, be it of whatever type.
trait KnownCoin {
    fn heads(&self, places: u32) -> Result<Bracket, LawError>;
    fn cost(&self, places: u32) -> Result<Cost, LawError>;
}

impl<C: KnownLaw + Coin> KnownCoin for C {
    fn heads(&self, places: u32) -> Result<Bracket, LawError> {
        Ok(self.law_at(places)?.heads())
    }

    fn cost(&self, places: u32) -> Result<Cost, LawError> {
        self.cost_at(places)
    }
}

/// A step of an [`Integrand`](super::Integrand) that is one flip of a coin of known law, and of no number: see
/// [`KnownIntegrand::coin_step`](super::KnownIntegrand::coin_step).
///
/// ```
/// use buffon::catalogue::inverse_e;
/// use buffon::uniform::{CoinStep, Integrand, KnownIntegrand};
/// use buffon::{Beta, BitSource, Coin, KnownLaw};
/// use core::ops::ControlFlow::{self, Break, Continue};
///
/// /// u/e: the coin 1/e, and then the number.
/// struct OverE;
///
/// impl Integrand for OverE {
///     type State = bool; // whether the coin was flipped
///     fn start(&self) -> bool {
///         false
///     }
///     fn try_step<U: Coin, B: BitSource + ?Sized>(
///         &self, flipped: bool, u: &[U], bits: &mut B,
///     ) -> Result<ControlFlow<bool, bool>, B::Error> {
///         Ok(match u {
///             [u, ..] if flipped => Break(u.try_flip(bits)?),
///             _ if inverse_e().try_flip(bits)? => Continue(true),
///             _ => Break(false),
///         })
///     }
/// }
/// impl KnownIntegrand for OverE {
///     fn coin_step(&self, &flipped: &bool) -> Option<CoinStep<'_, bool>> {
///         (!flipped).then(|| CoinStep::new(inverse_e(), [Continue(true), Break(false)]))
///     }
/// }
///
/// let mean = OverE.urns([Beta::UNIFORM]).probability(40); // 1/(2e)
/// assert_eq!(format!("{mean:.9}"), "0.183939720…");
/// ```
#[must_use = "a step says nothing until it is followed"]
pub struct CoinStep<'a, S> {
    coin: Box<dyn KnownCoin + 'a>,
    ends: [ControlFlow<bool, S>; 2],
}

impl<'a, S> CoinStep<'a, S> {
    /// The coin that is flipped, and what the step comes to after heads and after tails.
    pub fn new(coin: impl KnownLaw + Coin + 'a, ends: [ControlFlow<bool, S>; 2]) -> Self {
        Self { coin: Box::new(coin), ends }
    }

    /// The same flip, seen from a step around it.
    pub fn map<T>(
        self,
        outside: impl FnMut(ControlFlow<bool, S>) -> ControlFlow<bool, T>,
    ) -> CoinStep<'a, T> {
        CoinStep { coin: self.coin, ends: self.ends.map(outside) }
    }

    /// Law and, if it is asked for, cost at a working precision.
    pub(super) fn told(self, places: u32, costs: bool) -> Result<Told<S>, LawError> {
        let heads = self.coin.heads(places)?.rounded(places);
        let [after_heads, after_tails] = self.ends;
        let cost = if costs { self.coin.cost(places)? } else { Cost::bits(0) };
        let tails = heads.complement();
        Ok(Told { ends: [(after_heads, heads), (after_tails, tails)], cost })
    }
}

/// Where a flip of a known coin leads, each with its probability, and what it costs.
pub(super) struct Told<S> {
    pub(super) ends: [(ControlFlow<bool, S>, Bracket); 2],
    pub(super) cost: Cost,
}

impl<S: Debug> Debug for CoinStep<'_, S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoinStep").field("ends", &self.ends).finish_non_exhaustive()
    }
}
