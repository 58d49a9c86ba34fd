//! What the named families declare.

use core::num::NonZeroU64;

use num_rational::BigRational;

use super::{Harmonic, OneOver, Reciprocals};
use crate::coin::Coin;
use crate::law::{Bracket, Cost, KnownFamily, KnownLaw, LawError, Tail, series};

fn one_over(n: NonZeroU64) -> BigRational {
    BigRational::new(1.into(), n.get().into())
}

/// With p ≤ 1/(n + 1) for all coins after n ≥ 1 heads, each costing `bits` at most: bits/(1 − 1/(n + 1)) = bits·(n + 1)/n.
fn bits_after(n: u64, bits: &BigRational) -> Option<BigRational> {
    (n > 0).then(|| bits * BigRational::new((u128::from(n) + 1).into(), n.into()))
}

impl KnownFamily for Reciprocals {
    fn heads_at(&self, n: NonZeroU64, _: u32) -> Result<Bracket, LawError> {
        Ok(Bracket::exact(one_over(n)))
    }

    fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        OneOver::new(n).cost_at(places)
    }

    fn tail_of(&self, n: NonZeroU64) -> Tail {
        OneOver::new(n).tail()
    }

    fn ceiling(&self) -> Option<BigRational> {
        Some(BigRational::from_integer(2.into()))
    }

    fn has_one_tail(&self) -> bool {
        true
    }

    fn bits_after(&self, n: u64, _: u32) -> Result<Option<BigRational>, LawError> {
        Ok(bits_after(n, &BigRational::from_integer(2.into())))
    }

    fn run_tail(&self) -> Tail {
        Tail::Exponential
    }

    fn run_ceiling() -> Option<u64> {
        Some(3)
    }
}

/// P(heads) and cost of the coin given, and those of its n-th part.
struct Parts {
    heads: Bracket,
    cost: Cost,
}

impl Parts {
    fn of<C: KnownLaw + Coin>(coin: &C, places: u32) -> Result<Self, LawError> {
        Ok(Self { heads: coin.law_at(places)?.heads(), cost: coin.cost_at(places)? })
    }

    fn heads(&self, n: NonZeroU64) -> Bracket {
        self.heads.times(&Bracket::exact(one_over(n)))
    }

    fn cost(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        let after_heads = self.cost.times(&Bracket::exact(one_over(n)));
        Ok(OneOver::new(n).cost_at(places)?.plus(&after_heads))
    }

    /// The bound of what a run costs after n heads; the coins cost 2 + c at most.
    fn bits_after(&self, n: u64) -> Option<BigRational> {
        bits_after(n, &(BigRational::from_integer(2.into()) + self.cost.high()?))
    }
}

impl<C: KnownLaw + Coin> KnownFamily for Harmonic<C> {
    fn heads_at(&self, n: NonZeroU64, places: u32) -> Result<Bracket, LawError> {
        Ok(Parts::of(&self.coin, places)?.heads(n))
    }

    fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        Parts::of(&self.coin, places)?.cost(n, places)
    }

    fn tail_of(&self, n: NonZeroU64) -> Tail {
        OneOver::new(n).then(&self.coin).tail()
    }

    fn ceiling(&self) -> Option<BigRational> {
        Some(BigRational::from_integer((C::ceiling()? + 2).into()))
    }

    fn has_one_tail(&self) -> bool {
        self.coin.tail() <= Tail::Exponential
    }

    fn bits_after(&self, n: u64, places: u32) -> Result<Option<BigRational>, LawError> {
        Ok(Parts::of(&self.coin, places)?.bits_after(n))
    }

    // The coin is asked once, not once for each term.
    fn parity_at(&self, places: u32) -> Result<Bracket, LawError> {
        let parts = Parts::of(&self.coin, places)?;
        series::parity(places, |n| Ok(parts.heads(n)))
    }

    fn run_bits_at(&self, places: u32) -> Result<Cost, LawError> {
        let parts = Parts::of(&self.coin, places)?;
        series::cost(
            places,
            |n| Ok((parts.heads(n), parts.cost(n, places)?)),
            |n| Ok(parts.bits_after(n)),
        )
    }

    fn run_tail(&self) -> Tail {
        match self.coin.law_at(64) {
            Ok(law) if law.heads() == Bracket::exact(BigRational::default()) => self.coin.tail(),
            Ok(_) => self.coin.tail().max(Tail::Exponential),
            Err(_) => Tail::MayNeverEnd,
        }
    }

    fn run_ceiling() -> Option<u64> {
        // Σ γⁿ⁻¹/(n − 1)!·(2 + c/n) <= 2e + c(e − 1).
        C::ceiling()?.checked_mul(2)?.checked_add(6)
    }
}
