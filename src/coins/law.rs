//! The laws and costs of the coins: p as it stands, and the cost of the first-heads rule.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use typenum::Unsigned;

use super::{Always, Dyadic, Fair, Fraction, Never, OneOver, Rational, Ratios};
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail, coin_cost, exponent};

/// The tail of the first-heads rule for p.
fn tail(p: &BigRational) -> Tail {
    exponent(p).map_or(Tail::Exponential, Tail::Bounded)
}

/// The law of a coin that answers by the first-heads rule, from its probability.
macro_rules! first_heads {
    ($([$($generics:tt)*] $coin:ty, at most $ceiling:literal, |$self:ident| $p:expr;)+) => {$(
        impl<$($generics)*> KnownLaw for $coin {
            fn law_at(&self, _: u32) -> Result<Law<bool>, LawError> {
                let $self = self;
                Ok(Law::coin(Bracket::exact($p)))
            }

            fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
                let $self = self;
                Ok(coin_cost(&$p))
            }

            fn tail(&self) -> Tail {
                let $self = self;
                tail(&$p)
            }

            fn ceiling() -> Option<u64> {
                Some($ceiling)
            }
        }
    )+};
}

first_heads! {
    [] Fair, at most 1, |_coin| BigRational::new(1.into(), 2.into());
    [] Always, at most 0, |_coin| BigRational::one();
    [] Never, at most 0, |_coin| BigRational::zero();
    [] OneOver, at most 2, |coin| BigRational::new(1.into(), coin.n().get().into());
    [] Dyadic, at most 2, |coin| BigRational::new(coin.numer().into(), BigInt::one() << coin.exponent());
    [N: Unsigned, D: Unsigned] Fraction<N, D>, at most 2,
        |_coin| BigRational::new(N::U64.into(), D::U64.into());
    [T: Integer + Clone + ToPrimitive + Into<BigInt>] Rational<T>, at most 2,
        |coin| BigRational::new(coin.numer().clone().into(), coin.denom().clone().into());
}

/// The law of coins of which each is flipped after heads of the one before it.
pub(crate) fn law_of_all(coins: impl Iterator<Item = (u128, u128)>) -> Law<bool> {
    let p = coins.map(probability).reduce(|product, p| product * p);
    Law::coin(Bracket::exact(p.unwrap_or_else(BigRational::one)))
}

/// Their expected fair bits.
pub(crate) fn cost_of_all(mut coins: impl Iterator<Item = (u128, u128)>) -> Cost {
    let Some(mut before) = coins.next().map(probability) else { return Cost::bits(0) };
    let mut sum = coin_cost(&before);
    for p in coins.map(probability) {
        sum = sum.plus(&coin_cost(&p).times(&Bracket::exact(before.clone())));
        before *= p;
    }
    sum
}

/// Their tail.
pub(crate) fn tail_of_all(coins: impl Iterator<Item = (u128, u128)>) -> Tail {
    coins.map(probability).fold(Tail::Bounded(0), |sum, p| sum.then(tail(&p)))
}

fn probability((num, den): (u128, u128)) -> BigRational {
    // Lowest terms are found faster in machine words.
    let common = num.gcd(&den);
    BigRational::new_raw((num / common).into(), (den / common).into())
}

impl<T: Into<u128> + Copy, const N: usize> KnownLaw for Ratios<T, N> {
    fn law_at(&self, _: u32) -> Result<Law<bool>, LawError> {
        Ok(law_of_all(self.coins()))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(cost_of_all(self.coins()))
    }

    fn tail(&self) -> Tail {
        tail_of_all(self.coins())
    }

    fn ceiling() -> Option<u64> {
        u64::try_from(N).ok()?.checked_mul(2)
    }
}
