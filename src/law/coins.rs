//! The laws of the combinators that answer heads or tails.

use super::bracket::Bracket;
use super::cost::Cost;
use super::error::LawError;
use super::known::KnownLaw;
use super::outcomes::Law;
use super::tail::Tail;
use crate::coin::Coin;
use crate::combinators::{Not, OrElse, Power, Then, Xor};

/// P(heads) of a part, at a working precision.
pub(super) fn heads<C: KnownLaw + Coin>(coin: &C, places: u32) -> Result<Bracket, LawError> {
    Ok(coin.law_at(places)?.heads().rounded(places))
}

impl<C: KnownLaw + Coin> KnownLaw for Not<C> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        Ok(Law::coin(heads(&self.coin, places)?.complement()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        self.coin.cost_at(places)
    }

    fn tail(&self) -> Tail {
        self.coin.tail()
    }

    fn ceiling() -> Option<u64> {
        C::ceiling()
    }
}

/// Two coins of which the second is flipped after one answer of the first: the law and cost of heads.
macro_rules! short_circuit {
    ($name:ident, |$p:ident, $q:ident| $law:expr, after $after:expr) => {
        impl<P: KnownLaw + Coin, Q: KnownLaw + Coin> KnownLaw for $name<P, Q> {
            fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
                let $p = heads(&self.first, places)?;
                // A second coin that is never flipped need not have a law.
                let $q =
                    if $after.is_zero() { Bracket::zero() } else { heads(&self.second, places)? };
                Ok(Law::coin($law.rounded(places)))
            }

            fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
                let first = self.first.cost_at(places)?;
                let $p = heads(&self.first, places)?;
                if $after.is_zero() {
                    return Ok(first);
                }
                let second = self.second.cost_at(places)?.times(&$after);
                Ok(first.plus(&second).rounded(places))
            }

            fn tail(&self) -> Tail {
                match heads(&self.first, 64) {
                    Ok($p) if $after.is_zero() => self.first.tail(),
                    _ => self.first.tail().then(self.second.tail()),
                }
            }

            fn ceiling() -> Option<u64> {
                P::ceiling()?.checked_add(Q::ceiling()?)
            }
        }
    };
}

short_circuit!(Then, |p, q| p.times(&q), after p);
short_circuit!(OrElse, |p, q| p.complement().times(&q.complement()).complement(), after p.complement());

impl<P: KnownLaw + Coin, Q: KnownLaw + Coin> KnownLaw for Xor<P, Q> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let (p, q) = (heads(&self.first, places)?, heads(&self.second, places)?);
        // p(1 − q) + (1 − p)q is linear in each of p and q, so its extremes are at the corners.
        let at = |p: &Bracket, q: &Bracket| p.times(&q.complement()).plus(&p.complement().times(q));
        let corner = |p, q| at(&Bracket::exact(p), &Bracket::exact(q));
        let corners =
            [(p.low(), q.low()), (p.low(), q.high()), (p.high(), q.low()), (p.high(), q.high())];
        let [a, b, c, d] = corners.map(|(p, q)| corner(p.clone(), q.clone()));
        Ok(Law::coin(a.join(&b).join(&c).join(&d).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        Ok(self.first.cost_at(places)?.plus(&self.second.cost_at(places)?))
    }

    fn tail(&self) -> Tail {
        self.first.tail().then(self.second.tail())
    }

    fn ceiling() -> Option<u64> {
        P::ceiling()?.checked_add(Q::ceiling()?)
    }
}

impl<C: KnownLaw + Coin> KnownLaw for Power<C> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let p = heads(&self.coin, places)?;
        Ok(Law::coin(p.power_and_sum(self.n, places).0))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let flips = heads(&self.coin, places)?.power_and_sum(self.n, places).1;
        Ok(self.coin.cost_at(places)?.times(&flips).rounded(places))
    }

    fn tail(&self) -> Tail {
        self.coin.tail().times(self.n)
    }
}
