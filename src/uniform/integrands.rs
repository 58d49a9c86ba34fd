use core::ops::ControlFlow::{self, Break, Continue};

use super::integral::Integrand;
use crate::bits::{BitSource, try_wide};
use crate::coin::Coin;
use crate::error::ParameterError;

/// What a step comes to.
type End<F> = ControlFlow<bool, <F as Integrand>::State>;

/// The function w = (c·u₁u₂…)ⁿ of all numbers at once: n times a coin, then n times each number in turn, up
/// to the first tails.
///
/// ```
/// use buffon::uniform::{Integrand, Monomial};
/// use buffon::{Always, Beta, Fair, KnownLaw};
/// let mean = Monomial::new(Always, 3).urns([Beta::UNIFORM; 2]); // E U³·E V³
/// assert_eq!(mean.probability(10).to_string(), "1/16");
/// assert_eq!(Monomial::new(Fair, 2).urns([Beta::UNIFORM]).probability(10).to_string(), "1/12"); // (U/2)²
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Monomial<C> {
    pub(super) coin: C,
    pub(super) n: u32,
}

impl<C: Coin> Monomial<C> {
    /// (c·u₁u₂…)ⁿ with c = P(heads) of `coin`; [`Always`](crate::Always) for c = 1.
    pub const fn new(coin: C, n: u32) -> Self {
        Self { coin, n }
    }
}

impl<C: Coin> Integrand for Monomial<C> {
    /// How many flips of numbers were made, all heads; before those of the coin there is none.
    type State = Option<u64>;

    fn start(&self) -> Self::State {
        None
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        state: Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error> {
        let count = numbers.len() as u64;
        let (heads, flips) = match state {
            // Of a coin that is known no flip is wasted on a number.
            None => ((&self.coin).power(self.n.into()).try_flip(bits)?, 0),
            Some(flips) => {
                match flips.checked_rem(count).and_then(|i| numbers.get(usize::try_from(i).ok()?)) {
                    Some(u) => (u.try_flip(bits)?, flips.saturating_add(1)),
                    None => return Ok(Break(true)),
                }
            }
        };
        Ok(if !heads {
            Break(false)
        } else if flips < count.saturating_mul(self.n.into()) {
            Continue(Some(flips))
        } else {
            Break(true)
        })
    }
}

/// Created by [`Integrand::not`]: 1 − f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Complement<F>(pub(super) F);

impl<F: Integrand> Integrand for Complement<F> {
    type State = F::State;

    fn start(&self) -> F::State {
        self.0.start()
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        state: F::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, F::State>, B::Error> {
        Ok(self.0.try_step(state, numbers, bits)?.map_break(|heads| !heads))
    }
}

/// Created by [`Integrand::then`]: the product fg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Both<F, G>(pub(super) F, pub(super) G);

/// In the first of two, or in the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InTurn<S, T> {
    /// In the first.
    First(S),
    /// In the second, the first being heads.
    Second(T),
}

impl<F: Integrand, G: Integrand> Both<F, G> {
    #[inline]
    pub(super) fn after_first(&self, end: End<F>) -> End<Self> {
        match end {
            Break(true) => Continue(InTurn::Second(self.1.start())),
            Break(false) => Break(false),
            Continue(next) => Continue(InTurn::First(next)),
        }
    }
}

impl<F: Integrand, G: Integrand> Integrand for Both<F, G> {
    type State = InTurn<F::State, G::State>;

    fn start(&self) -> Self::State {
        InTurn::First(self.0.start())
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        state: Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error> {
        Ok(match state {
            InTurn::First(state) => self.after_first(self.0.try_step(state, numbers, bits)?),
            InTurn::Second(state) => {
                self.1.try_step(state, numbers, bits)?.map_continue(InTurn::Second)
            }
        })
    }
}

/// Created by [`Integrand::one_over_one_plus`]: 1/(1 + f).
///
/// In each round a fair heads is heads, or else heads of f is tails: 1/2 and f/2 of what ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Reciprocal<F>(pub(super) F);

impl<F: Integrand> Reciprocal<F> {
    #[inline]
    pub(super) fn after(&self, end: End<F>) -> End<Self> {
        match end {
            Break(true) => Break(false),
            Break(false) => Continue(None),
            Continue(next) => Continue(Some(next)),
        }
    }
}

impl<F: Integrand> Integrand for Reciprocal<F> {
    /// In f, or before the flip of a round.
    type State = Option<F::State>;

    fn start(&self) -> Self::State {
        None
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        state: Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error> {
        let Some(state) = state else {
            return Ok(if bits.try_bit()? { Break(true) } else { Continue(Some(self.0.start())) });
        };
        Ok(self.after(self.0.try_step(state, numbers, bits)?))
    }
}

/// Created by [`Integrand::exp_minus`]: exp(−f).
///
/// Heads if an even number of rounds k = 1, 2, … are heads, in which 1/k and then f are: 1 − f + f²/2! − ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Exponential<F>(pub(super) F);

/// Whether the number of rounds before the k-th is even.
const fn is_even(k: u64) -> bool {
    k % 2 == 1
}

impl<F: Integrand> Exponential<F> {
    #[inline]
    pub(super) fn after(&self, k: u64, end: End<F>) -> End<Self> {
        match end {
            Break(true) => Continue((k.saturating_add(1), None)), // 2^64 rounds never come
            Break(false) => Break(is_even(k)),
            Continue(next) => Continue((k, Some(next))),
        }
    }
}

impl<F: Integrand> Integrand for Exponential<F> {
    /// The number of the round, and in f or before it.
    type State = (u64, Option<F::State>);

    fn start(&self) -> Self::State {
        (1, None)
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        (k, state): Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error> {
        let Some(state) = state else {
            let goes_on = bits.try_ratio(1, k)?;
            return Ok(if goes_on {
                Continue((k, Some(self.0.start())))
            } else {
                Break(is_even(k))
            });
        };
        Ok(self.after(k, self.0.try_step(state, numbers, bits)?))
    }
}

/// Created by [`Integrand::to_the`]: f^a for a rational a with 0 ≤ a ≤ 1.
///
/// Heads of f is heads; after its k-th tails, heads of a/k is tails. For a = 0 it is heads without a
/// flip. See [`to_the`](crate::factories::to_the).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Root<F> {
    pub(super) base: F,
    num: u32,
    den: u32,
}

impl<F> Root<F> {
    pub(super) fn new(base: F, num: u32, den: u32) -> Result<Self, ParameterError> {
        if den == 0 {
            Err(ParameterError::ZeroDenominator)
        } else if num > den {
            Err(ParameterError::TooLarge)
        } else {
            Ok(Self { base, num, den })
        }
    }

    /// f⁰ = 1.
    pub(super) const fn is_certain(&self) -> bool {
        self.num == 0
    }
}

impl<F: Integrand> Root<F> {
    #[inline]
    pub(super) fn after(&self, k: u64, end: End<F>) -> End<Self> {
        match end {
            Break(true) => Break(true),
            Break(false) => Continue((k, None)),
            Continue(next) => Continue((k, Some(next))),
        }
    }
}

impl<F: Integrand> Integrand for Root<F> {
    /// The number of the flip, and in f or, after its tails, before the hazard.
    type State = (u64, Option<F::State>);

    fn start(&self) -> Self::State {
        (1, Some(self.base.start()))
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        (k, state): Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error> {
        if self.is_certain() {
            return Ok(Break(true));
        }
        let Some(state) = state else {
            let all = u128::from(self.den) * u128::from(k);
            let strikes = try_wide(&self.num.into(), &all, bits)?;
            let next = (k.saturating_add(1), Some(self.base.start()));
            return Ok(if strikes { Break(false) } else { Continue(next) });
        };
        Ok(self.after(k, self.base.try_step(state, numbers, bits)?))
    }
}
