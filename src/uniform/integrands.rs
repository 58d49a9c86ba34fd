use core::ops::ControlFlow::{self, Break, Continue};

use super::integral::Integrand;
use crate::bits::{BitSource, try_wide};
use crate::coin::Coin;
use crate::error::ParameterError;

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
    type State = ();

    fn start(&self) {}

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        (): (),
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, ()>, B::Error> {
        // Of a coin that is known no flip is wasted on a number.
        if !(&self.coin).power(self.n.into()).try_flip(bits)? {
            return Ok(Break(false));
        }
        for _ in 0..self.n {
            for u in numbers {
                if !u.try_flip(bits)? {
                    return Ok(Break(false));
                }
            }
        }
        Ok(Break(true))
    }
}

/// Created by [`Integrand::complement`]: 1 − f.
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

/// Created by [`Integrand::and`]: the product fg.
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
            InTurn::First(state) => match self.0.try_step(state, numbers, bits)? {
                Break(true) => Continue(InTurn::Second(self.1.start())),
                Break(false) => Break(false),
                Continue(next) => Continue(InTurn::First(next)),
            },
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

impl<F: Integrand> Integrand for Reciprocal<F> {
    /// In f, or before a round.
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
        let state = match state {
            Some(state) => state,
            None if bits.try_bit()? => return Ok(Break(true)),
            None => self.0.start(),
        };
        Ok(match self.0.try_step(state, numbers, bits)? {
            Break(true) => Break(false),
            Break(false) => Continue(None),
            Continue(next) => Continue(Some(next)),
        })
    }
}

/// Created by [`Integrand::exp_minus`]: exp(−f).
///
/// Heads if an even number of rounds k = 1, 2, … are heads, in which 1/k and then f are: 1 − f + f²/2! − ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an integrand does nothing until it is integrated"]
pub struct Exponential<F>(pub(super) F);

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
        let even = k % 2 == 1;
        let state = match state {
            Some(state) => state,
            None if bits.try_ratio(1, k)? => self.0.start(),
            None => return Ok(Break(even)),
        };
        Ok(match self.0.try_step(state, numbers, bits)? {
            Break(true) => Continue((k.saturating_add(1), None)), // 2^64 rounds never come
            Break(false) => Break(even),
            Continue(next) => Continue((k, Some(next))),
        })
    }
}

/// Created by [`Integrand::to_the`]: f^a for a rational a with 0 < a ≤ 1.
///
/// Heads of f is heads; after its k-th tails, heads of a/k is tails. See [`to_the`](crate::factories::to_the).
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
        } else if num == 0 {
            Err(ParameterError::NeverEnds)
        } else {
            Ok(Self { base, num, den })
        }
    }
}

impl<F: Integrand> Integrand for Root<F> {
    /// The number of the flip, and in f.
    type State = (u64, F::State);

    fn start(&self) -> Self::State {
        (1, self.base.start())
    }

    #[inline]
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        (k, state): Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error> {
        Ok(match self.base.try_step(state, numbers, bits)? {
            Break(true) => Break(true),
            Break(false)
                if try_wide(&self.num.into(), &(u128::from(self.den) * u128::from(k)), bits)? =>
            {
                Break(false)
            }
            Break(false) => Continue((k.saturating_add(1), self.base.start())),
            Continue(next) => Continue((k, next)),
        })
    }
}
