//! The laws and costs of the dice and choosers.

use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU64;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::slices::Cell;
use super::viglietta::{PowerCoin, PowerDie, Viglietta};
use super::{Alias, Cut, Die, FastDie, OneHead, Roulette, Sequential, Slices, ThreeWay, Weighted};
use crate::coin::Coin;
use crate::coins::Rational;
use crate::law::{Bracket, Cost, KnownLaw, Law, LawError, Tail, roll_cost, share};

/// The most sides whose law is listed side by side.
const MOST_SIDES: u64 = 1 << 16;

/// The law that gives each of `n` sides the weight of its kind.
fn sides(n: u64, weight: impl Fn(u64) -> Bracket) -> Result<Law<u64>, LawError> {
    if n > MOST_SIDES {
        return Err(LawError::TooManyOutcomes);
    }
    Ok(Law::new((0..n).map(|side| (side, weight(side))).collect(), BigRational::zero()))
}

impl KnownLaw for Die {
    fn law_at(&self, _: u32) -> Result<Law<u64>, LawError> {
        let n = self.sides().get();
        let side = Bracket::exact(BigRational::new(BigInt::one(), n.into()));
        sides(n, |_| side.clone())
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        Ok(roll_cost(self.sides().get(), places))
    }

    fn tail(&self) -> Tail {
        tail(self.sides().get())
    }

    fn mass_at(&self, side: &u64, _: u32) -> Result<Bracket, LawError> {
        let n = self.sides().get();
        Ok(Bracket::ratio(u64::from(*side < n), n))
    }
}

impl KnownLaw for FastDie {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        Die::from(self.sides()).law_at(places)
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        if self.sides().get() == 1 {
            return Ok(Cost::bits(0));
        }
        let words = BigInt::one() << self.width();
        let accepted = &words - self.refused();
        Ok(Cost::within(&Bracket::exact(BigRational::new(words * self.width(), accepted))))
    }

    fn tail(&self) -> Tail {
        match (self.sides().get(), self.refused()) {
            (1, _) => Tail::Bounded(0),
            (_, 0) => Tail::Bounded(self.width().into()),
            _ => Tail::Exponential,
        }
    }

    fn mass_at(&self, side: &u64, places: u32) -> Result<Bracket, LawError> {
        Die::from(self.sides()).mass_at(side, places)
    }
}

/// The tail of an optimal tree for weights that add up to `total` and have no common factor.
pub(super) fn tail(total: impl Into<BigUint>) -> Tail {
    let total = total.into();
    match total.trailing_zeros() {
        Some(zeros) if zeros + 1 == total.bits() => Tail::Bounded(zeros),
        _ => Tail::Exponential,
    }
}

/// The law of a chooser, its outcomes of positive weight listed.
fn chosen(weights: impl Iterator<Item = u128>, total: u128) -> Law<usize> {
    let weights = weights.enumerate().filter(|&(_, weight)| weight > 0);
    let outcomes = weights.map(|(index, weight)| (index, Bracket::ratio(weight, total)));
    Law::new(outcomes.collect(), BigRational::zero())
}

impl KnownLaw for Weighted {
    fn law_at(&self, _: u32) -> Result<Law<usize>, LawError> {
        Ok(chosen(self.weights(), self.total()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let places = places.saturating_add(self.weights().len().ilog2());
        let shares = self.weights().map(|weight| share(weight, self.total(), places));
        Ok(Cost::within(&shares.fold(Bracket::zero(), |sum, share| sum.plus(&share))))
    }

    fn tail(&self) -> Tail {
        tail(self.total())
    }
}

impl KnownLaw for Alias {
    fn law_at(&self, _: u32) -> Result<Law<usize>, LawError> {
        Ok(chosen(self.weights(), self.total()))
    }

    /// 64·Σ P(more than j words), where P(more than j words) = 2^-64j·Σ frac(2^64j·w/W) is at most n·2^-64j.
    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let (total, mut low) = (BigInt::from(self.total()), BigRational::zero());
        for bits in (0u64..).step_by(64) {
            let rests = self.weights().map(|weight| (BigInt::from(weight) << bits) % &total);
            let open: BigInt = rests.sum();
            let most = BigRational::new(self.weights().len().into(), BigInt::one() << bits);
            if open.is_zero() || bits > places.into() {
                // What is left is at most 64·most·(1 + 2^-64 + …), below 65·most, or nothing at all.
                let rest = if open.is_zero() { open } else { BigInt::from(65) };
                return Ok(Cost::within(&Bracket::new(low.clone(), low + most * rest)));
            }
            low += BigRational::new(open << 6, &total << bits);
        }
        Err(LawError::Undecided) // not reached: the words do not end
    }

    fn tail(&self) -> Tail {
        match tail(self.total()) {
            Tail::Bounded(bits) => Tail::Bounded(bits.next_multiple_of(64)),
            other => other,
        }
    }
}

impl KnownLaw for Sequential {
    fn law_at(&self, _: u32) -> Result<Law<usize>, LawError> {
        let mut left = Bracket::one();
        let mut outcomes = Vec::new();
        for (index, coin) in self.coins().iter().enumerate() {
            let p = Bracket::ratio(*coin.numer(), *coin.denom());
            outcomes.push((index, left.times(&p)));
            left = left.times(&p.complement());
        }
        Ok(Law::new(outcomes, BigRational::zero()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let mut left = Bracket::one();
        let mut cost = Cost::bits(0);
        for coin in self.coins() {
            cost = cost.plus(&coin.cost_at(places)?.times(&left));
            left = left.times(&Bracket::ratio(*coin.numer(), *coin.denom()).complement());
        }
        Ok(cost)
    }

    fn tail(&self) -> Tail {
        self.coins().iter().fold(Tail::Bounded(0), |tail, coin| tail.then(coin.tail()))
    }
}

impl KnownLaw for ThreeWay {
    fn law_at(&self, _: u32) -> Result<Law<usize>, LawError> {
        let third = |index| (index, Bracket::ratio(1, 3));
        Ok(Law::new((0..3).map(third).collect(), BigRational::zero()))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(Cost::bits(3))
    }

    fn tail(&self) -> Tail {
        Tail::Exponential
    }
}

impl KnownLaw for Slices {
    fn law_at(&self, places: u32) -> Result<Law<usize>, LawError> {
        let ends = self.cuts().iter().map(|cut| cut.bracket(places)).chain([Bracket::one()]);
        let mut start = Bracket::zero();
        let mut outcomes = Vec::new();
        for (index, end) in ends.enumerate() {
            let zero = BigRational::zero;
            let length =
                Bracket::new((end.low() - start.high()).max(zero()), end.high() - start.low());
            if !length.high().is_zero() {
                outcomes.push((index, length.meet(&Bracket::unit())));
            }
            start = end;
        }
        Ok(Law::new(outcomes, BigRational::zero()))
    }

    /// The tree itself, cell by cell, but for a cell with one exact end inside: from there on it is the end's coin.
    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let depth = u64::from(places) + u64::from(self.cuts().len().max(1).ilog2()) + 3;
        let mut cost = Cost::bits(0);
        let mut level = vec![self.whole()];
        for k in 0..depth {
            let share = Bracket::ratio(1, BigInt::one() << k);
            let mut next = Vec::new();
            for cell in level.into_iter().filter(Cell::is_open) {
                let end = self.only_end(&cell);
                let coin = end.and_then(|end| Rational::<BigInt>::try_from(end).ok());
                if let Some(coin) = coin {
                    cost = cost.plus(&coin.cost_at(places)?.times(&share));
                } else {
                    cost = cost.plus(&Cost::within(&share));
                    next.extend([false, true].map(|upper| self.half(&cell, upper)));
                }
            }
            level = next;
        }
        // Each end leaves at most two cells open at each level.
        let left = level.iter().fold(BigInt::zero(), |sum, cell| sum + cell.ends());
        let rest = BigRational::new(left << 2u32, BigInt::one() << depth);
        Ok(cost.plus(&Cost::within(&Bracket::new(BigRational::zero(), rest))))
    }

    fn tail(&self) -> Tail {
        let digits = |cut: &Cut| {
            let end = cut.bracket(64);
            let coin = Rational::<BigInt>::try_from(end.low().clone()).ok();
            coin.filter(|_| end.is_exact()).map_or(Tail::Exponential, |coin| coin.tail())
        };
        self.cuts().iter().map(digits).max().unwrap_or(Tail::Bounded(0))
    }
}

impl<C: KnownLaw + Coin> KnownLaw for PowerCoin<C> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        self.graph().law_at(places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        self.graph().cost_at(places)
    }

    fn tail(&self) -> Tail {
        self.graph().tail()
    }
}

impl<C: KnownLaw + Coin> PowerDie<C> {
    /// The probabilities of a side below 2^k, and of one from 2^k up.
    fn shares(&self, places: u32) -> Result<[Bracket; 2], LawError> {
        // With p of the coin: 2^-k·(1 − p) from d, p·2^-k·(1 − m/2^k) from d', and p·2^-k for a side from 2^k up.
        let (power, m) = (self.power(), self.extra());
        let p = self.coin().law_at(places)?.heads();
        let high = p.times(&Bracket::ratio(1, power));
        // 1 − p·m/2^k falls as p grows; its ends change places.
        let low = p.times(&Bracket::ratio(m, power)).complement().times(&Bracket::ratio(1, power));
        Ok([low, high])
    }
}

impl<C: KnownLaw + Coin> KnownLaw for PowerDie<C> {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        let [low, high] = self.shares(places)?;
        let n = self.power() + self.extra();
        sides(n, |side| if side < self.power() { low.clone() } else { high.clone() })
    }

    fn mass_at(&self, side: &u64, places: u32) -> Result<Bracket, LawError> {
        let [low, high] = self.shares(places)?;
        Ok(match *side {
            side if side < self.power() => low,
            side if side - self.power() < self.extra() => high,
            _ => Bracket::zero(),
        })
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let (power, m) = (self.power(), self.extra());
        let p = self.coin().law_at(places)?.heads();
        let roll = Cost::bits(power.ilog2().into());
        let again =
            if m == 0 { Bracket::zero() } else { p.times(&Bracket::ratio(power - m, power)) };
        Ok(self.coin().cost_at(places)?.plus(&roll).plus(&roll.times(&again)))
    }

    fn tail(&self) -> Tail {
        let k = u64::from(self.power().ilog2());
        let rolls = if self.extra() == 0 { k } else { 2 * k };
        self.coin().tail().then(Tail::Bounded(rolls))
    }
}

impl<C: KnownLaw + Coin> KnownLaw for Viglietta<C> {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        self.die().law_at(places)
    }

    fn mass_at(&self, side: &u64, places: u32) -> Result<Bracket, LawError> {
        self.die().mass_at(side, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        self.die().cost_at(places)
    }

    fn tail(&self) -> Tail {
        self.die().tail()
    }
}

/// P(heads) of a coin that decides a round, so that it must not be certain.
fn deciding<C: KnownLaw + Coin>(coin: &C, places: u32) -> Result<Bracket, LawError> {
    let heads = coin.law_at(places)?.heads();
    if heads.is_zero() || heads.complement().is_zero() {
        return Err(LawError::Impossible);
    }
    Ok(heads)
}

/// The cost of rounds of `n` flips, of which each is the last with the probability that `last` makes of p and 1 − p.
fn rounds_cost<C: KnownLaw + Coin>(
    coin: &C,
    n: u64,
    places: u32,
    last: impl Fn(&Bracket, &Bracket) -> Bracket,
) -> Result<Cost, LawError> {
    let heads = deciding(coin, places)?;
    let last = last(&heads, &heads.complement()).meet(&Bracket::unit());
    if last.low().is_zero() {
        return Err(LawError::Undecided);
    }
    Ok(coin.cost_at(places)?.times(&Bracket::ratio(n, 1)).over(&last).rounded(places))
}

/// The tail of rounds of `n` flips that go on until the coin has shown what is wanted.
fn rounds_tail<C: KnownLaw + Coin>(coin: &C, n: NonZeroU64) -> Tail {
    match n.get() {
        1 => Tail::Bounded(0),
        n => Tail::Bounded(n).max(coin.tail()).repeated(deciding(coin, 64).is_ok()),
    }
}

impl<C: KnownLaw + Coin> KnownLaw for Roulette<C> {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        fair(self.sides(), self.coin(), places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        self.factors().try_fold(Cost::bits(0), |cost, factor| {
            let unlike = |p: &Bracket, q: &Bracket| {
                let power = |p: &Bracket| p.power_and_sum(factor, places).0;
                power(p).plus(&power(q)).complement()
            };
            Ok(cost.plus(&rounds_cost(self.coin(), factor, places, unlike)?))
        })
    }

    fn tail(&self) -> Tail {
        rounds_tail(self.coin(), self.sides())
    }
}

impl<C: KnownLaw + Coin> KnownLaw for OneHead<C> {
    fn law_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        fair(self.sides(), self.coin(), places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let n = self.sides().get();
        if n == 1 {
            return Ok(Cost::bits(0));
        }
        rounds_cost(self.coin(), n, places, |p, q| {
            p.times(&q.power_and_sum(n - 1, places).0).times(&Bracket::ratio(n, 1))
        })
    }

    fn tail(&self) -> Tail {
        rounds_tail(self.coin(), self.sides())
    }
}

/// The law of a fair die that is decided by a coin, if it has more than one side.
fn fair<C: KnownLaw + Coin>(n: NonZeroU64, coin: &C, places: u32) -> Result<Law<u64>, LawError> {
    if n.get() > 1 {
        deciding(coin, places)?;
    }
    sides(n.get(), |_| Bracket::ratio(1, n.get()))
}
