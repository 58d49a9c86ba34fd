//! The laws of balances of random length: sums over the length, and a bound for the lengths beyond.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::balanced::{Balanced, Ballot, InversePi, length, thrice};
use crate::coin::Coin;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};
use crate::machine::Machine;

impl<L: KnownLaw + Coin> KnownLaw for Ballot<L> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        (&self.lambda).run().and_then(Balanced::new).law_at(places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        // With r = 1 − λ and the law h = √r the flips are Σ rλⁿ·(2n + 2)(1 − C(2n, n)/4ⁿ) = (2 − (1 + r)·h)/r on average.
        let rest = self.lambda.law_at(places)?.heads().complement();
        let flipped = Bracket::one().plus(&rest).times(&self.law_at(places)?.heads());
        let two = BigRational::from_integer(2.into());
        let flips = Bracket::new(&two - flipped.high(), two - flipped.low());
        let flips = flips.over(&rest).ok_or(LawError::Undecided)?;
        Ok((&self.lambda).run().cost_at(places)?.plus(&Cost::within(&flips)).rounded(places))
    }

    fn tail(&self) -> Tail {
        (&self.lambda).run().tail()
    }
}

/// P(T = t) = (6t + 1)/4^(t + 1) for the first lengths, of which so many are told that the rest is below 2^-places.
fn lengths(places: u32) -> impl Iterator<Item = (u64, Bracket)> {
    let share = |t: u64| (t, Bracket::exact(over_power_of_4(6 * t + 1, t + 1)));
    (0..told(places)).map(share)
}

/// How many lengths are told: the mass beyond, Σ over t ≥ m of P(T = t) = (2m + 1)/4^m, is then below 2^-places.
fn told(places: u32) -> u64 {
    u64::from(places / 2 + 20) // 2m + 1 < 2^40
}

fn over_power_of_4(num: u64, power: u64) -> BigRational {
    BigRational::new(num.into(), BigInt::one() << (2 * power))
}

impl KnownLaw for InversePi {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let mut heads = Bracket::zero();
        for (t, share) in lengths(places) {
            heads = heads.plus(&thrice(Balanced::new(t)).law_at(places)?.heads().times(&share));
        }
        let m = told(places);
        let most = heads.high() + over_power_of_4(2 * m + 1, m);
        Ok(Law::coin(Bracket::new(heads.low().clone(), most).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let mut cost = length().cost_at(places)?;
        for (t, share) in lengths(places) {
            cost = cost.plus(&thrice(Balanced::new(t)).cost_at(places)?.times(&share));
        }
        // Length t costs at most 6t flips, and 6t·(6t + 1)/4^(t + 1) at least halves from t = 4 on.
        let m = told(places);
        let beyond = over_power_of_4(2 * 6 * m * (6 * m + 1), m + 1);
        let beyond = Cost::within(&Bracket::new(BigRational::zero(), beyond));
        Ok(cost.plus(&beyond).rounded(places))
    }

    fn tail(&self) -> Tail {
        Tail::Exponential
    }
}
