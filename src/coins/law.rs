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

impl<T: Into<u128>, I: IntoIterator<Item = (T, T)> + Clone> Ratios<I> {
    /// The probabilities of the coins that are flipped.
    fn probabilities(&self) -> impl Iterator<Item = BigRational> {
        self.coins().map(|(num, den)| BigRational::new(num.into(), den.into()))
    }
}

impl<T: Into<u128>, I: IntoIterator<Item = (T, T)> + Clone> KnownLaw for Ratios<I> {
    fn law_at(&self, _: u32) -> Result<Law<bool>, LawError> {
        Ok(Law::coin(Bracket::exact(self.probabilities().product())))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        let add = |(sum, before): (Cost, BigRational), p| {
            let sum = sum.plus(&coin_cost(&p).times(&Bracket::exact(before.clone())));
            (sum, before * p)
        };
        Ok(self.probabilities().fold((Cost::bits(0), BigRational::one()), add).0)
    }

    fn tail(&self) -> Tail {
        self.probabilities().fold(Tail::Bounded(0), |sum, p| sum.then(tail(&p)))
    }
}
