//! The laws and costs of the catalogue's own machines.

use alloc::vec::Vec;
use core::num::NonZeroU64;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::classes::{Class, OneOverFactorial};
use super::continued::ContinuedFraction;
use super::exponentials::exp_minus;
use super::numbers::{Poisson, ThinnedPoisson};
use super::von_neumann::OneRound;
use super::zigzag::{LAST, TABLE, Zigzag};
use crate::coin::Coin;
use crate::coins::law::{cost_of_all, law_of_all, tail_of_all};
use crate::dice::Die;
use crate::factories::exp_minus_of;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail, coin_cost};

impl<L: KnownLaw + Coin, K: Class<Coin: KnownLaw>> KnownLaw for OneRound<L, K> {
    fn law_at(&self, places: u32) -> Result<Law<Option<u64>>, LawError> {
        self.graph().law_at(places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        self.graph().cost_at(places)
    }

    fn tail(&self) -> Tail {
        self.graph().tail()
    }
}

impl KnownLaw for OneOverFactorial {
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
        // A second coin is flipped with probability 1/34!.
        Some(3)
    }
}

/// Eₖ and k! for k = 0, 1, …: the last entries of the rows of Entringer's triangle.
fn shares() -> impl Iterator<Item = (BigInt, BigInt)> {
    let first = (Vec::from([BigInt::one()]), BigInt::one());
    let rows = core::iter::successors(Some(first), |(row, factorial)| {
        let mut next = Vec::from([BigInt::zero()]);
        for entry in row.iter().rev() {
            let sum = next.last().map_or_else(BigInt::zero, |last| last + entry);
            next.push(sum);
        }
        Some((next, factorial * row.len()))
    });
    rows.map(|(row, factorial)| (row.last().cloned().unwrap_or_default(), factorial))
}

impl Zigzag {
    /// Beyond so many things 2^-places bounds the share: of each two neighbours the second must be the greater one.
    fn negligible(places: u32) -> u64 {
        2 * u64::from(places)
    }
}

impl KnownLaw for Zigzag {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        if self.n() >= Self::negligible(places) && self.fraction().is_none() {
            let bound = BigRational::new(BigInt::one(), BigInt::one() << places);
            return Ok(Law::coin(Bracket::new(BigRational::zero(), bound)));
        }
        let n = usize::try_from(self.n()).map_err(|_| LawError::Undecided)?;
        let (zigzag, orders) = shares().nth(n).ok_or(LawError::Undecided)?;
        Ok(Law::coin(Bracket::ratio(zigzag, orders)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let decided = self.n().min(TABLE as u64);
        let finer = places.saturating_add(24);
        let Some(first) = Self::new(decided).fraction() else { return Err(LawError::Undecided) };
        let mut sum = cost_of_all(core::iter::once(first));
        if self.n() == decided {
            return Ok(sum);
        }
        // The coins for the rank of the last one: each is flipped where the ways before it were not taken.
        let (mut rest, orders) = first;
        for ways in LAST {
            let flipped = Bracket::ratio(rest, orders).shortened(finer);
            let coin = cost_of_all(core::iter::once((ways, rest)));
            sum = sum.plus(&coin.times(&flipped)).rounded(finer);
            rest -= ways;
            if rest == 0 {
                break;
            }
        }
        // The k-th die, of k sides, is rolled if the k − 1 things before it alternate. Two things more halve that chance, and
        // no die has more than 2^64 sides: all that come after are expected to cost at most 2·2·66 bits times it.
        for (k, (zigzag, orders)) in (1..=self.n()).zip(shares()).skip(TABLE) {
            let share = Bracket::ratio(zigzag, orders).shortened(finer);
            if share.is_below(places.saturating_add(16)) {
                let rest = share.times(&Bracket::ratio(2 * 2 * 66, 1));
                let rest = Bracket::new(BigRational::zero(), rest.high().clone());
                return Ok(sum.plus(&Cost::within(&rest)));
            }
            let die = Die::new(k).map_err(|_| LawError::Undecided)?.cost_at(places)?;
            sum = sum.plus(&die.times(&share)).rounded(finer);
        }
        Ok(sum)
    }

    fn tail(&self) -> Tail {
        match self.fraction() {
            Some(coin) => tail_of_all(core::iter::once(coin)),
            None => Tail::Exponential,
        }
    }

    fn ceiling() -> Option<u64> {
        // What comes after the first coin is begun with probability E₃₄/34!, below 2^-21.
        Some(3)
    }
}

/// The greatest mean whose law is listed.
const MOST_MEAN: u64 = 1 << 12;

/// The Poisson law of a mean below `whole` + 1, P(0) being known at any precision.
fn poisson(
    mean: &Bracket,
    whole: u64,
    places: u32,
    none: impl FnOnce(u32) -> Result<Law<bool>, LawError>,
) -> Result<Law<u64>, LawError> {
    if whole > MOST_MEAN {
        return Err(LawError::TooManyOutcomes);
    }
    // λⁿ/n! < e^λ < 2^(2λ), and by so much it widens the bracket of e^(−λ).
    let finer = u32::try_from(2 * whole + 2).ok().and_then(|more| places.checked_add(more));
    let finer = finer.ok_or(LawError::TooManyOutcomes)?;
    let mut weight = none(finer)?.heads().rounded(finer);
    let mut outcomes = Vec::new();
    for n in 0u64.. {
        outcomes.push((n, weight.rounded(places)));
        weight = weight.times(mean).times(&Bracket::ratio(1, n + 1)).rounded(finer);
        // From twice the mean on each weight is less than half of the one before it.
        if n > 2 * whole + 2 && weight.is_below(places.saturating_add(1)) {
            break;
        }
    }
    let rest = weight.high() * BigRational::from_integer(2.into());
    Ok(Law::new(outcomes, rest))
}

impl<L: KnownLaw + Coin> KnownLaw for ThinnedPoisson<L> {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        let mean = self.lambda.law_at(places.saturating_add(4))?.heads();
        poisson(&mean, 1, places, |finer| exp_minus_of(&self.lambda).law_at(finer))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        Ok(self.one.cost_at(places)?.plus(&self.lambda.cost_at(places)?))
    }

    fn tail(&self) -> Tail {
        self.one.tail().max(self.lambda.tail())
    }
}

impl KnownLaw for Poisson {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        let none = exp_minus(self.num, self.den).map_err(|_| LawError::Undecided)?;
        let mean = Bracket::ratio(self.num, self.den);
        poisson(&mean, self.num / self.den, places, |finer| none.law_at(finer))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let parts = Bracket::exact(BigRational::from_integer(self.parts.into()));
        Ok(if self.parts == 0 { Cost::bits(0) } else { self.part.cost_at(places)?.times(&parts) })
    }

    fn tail(&self) -> Tail {
        if self.parts == 0 { Tail::Bounded(0) } else { self.part.tail() }
    }
}

impl<F: Fn(NonZeroU64) -> NonZeroU64> ContinuedFraction<F> {
    fn quotient(&self, n: u32) -> BigInt {
        let number = NonZeroU64::MIN.saturating_add(u64::from(n).saturating_sub(1));
        (self.quotients)(number).get().into()
    }
}

impl<F: Fn(NonZeroU64) -> NonZeroU64> KnownLaw for ContinuedFraction<F> {
    /// Two convergents in turn lie on both sides, and the product of their denominators is what they are apart.
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let (mut last, mut next) =
            ((BigInt::zero(), BigInt::one()), (BigInt::one(), self.quotient(1)));
        for n in 2.. {
            if (&last.1 * &next.1).bits() > u64::from(places) {
                break;
            }
            let k = self.quotient(n);
            (last, next) = (next.clone(), (&next.0 * &k + last.0, &next.1 * &k + last.1));
        }
        let convergent = |(num, den)| BigRational::new(num, den);
        let between = Bracket::new(convergent(last), convergent(next));
        Ok(Law::coin(between.rounded(places.saturating_add(1))))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let finer = places.saturating_add(16);
        let whole = |k: &BigInt| Bracket::ratio(k.clone(), 1);
        // Every level is expected to cost at most 32 bits: where k ≥ 2, (4(k + 1) + 32)/k at most; where k = 1 and the next is
        // 1 too, x' ≥ 1/2 and (8 + 32)/(3/2); where k = 1 and the next is not, 8 + 22.
        let mut cost =
            Cost::within(&Bracket::new(BigRational::zero(), whole(&32.into()).low().clone()));
        let mut x = Bracket::unit();
        // The factors 1/(k + x') of two levels halve what is not known.
        let levels = finer.checked_mul(2).and_then(|levels| levels.checked_add(12));
        for n in (1..=levels.ok_or(LawError::Undecided)?).rev() {
            let k = self.quotient(n);
            let next = &k + 1u8;
            let below = whole(&k).plus(&x);
            let side = coin_cost(&BigRational::new(k.clone(), next.clone())).times(&whole(&next));
            let own = coin_cost(&BigRational::new(BigInt::one(), k.clone())).times(&whole(&k));
            cost = side.plus(&own).plus(&cost).over(&below).rounded(finer);
            x = Bracket::one().over(&below).ok_or(LawError::Undecided)?.shortened(finer);
        }
        Ok(cost.rounded(places))
    }

    fn tail(&self) -> Tail {
        Tail::Exponential
    }
}
