//! The laws and costs of the factories' own machines, over coins whose laws are known.

use alloc::vec::Vec;
use core::num::NonZeroU64;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::choices::{Choose, Heads};
use super::early::EarlyBernstein;
use super::hazards::Hazard;
use super::promises::Linear;
use super::series::{ExpMinusPower, Pgf, Scaled};
use crate::coin::Coin;
use crate::coins::law::{cost_of_all, tail_of_all};
use crate::law::{Bracket, Cost, KnownFamily, KnownLaw, Law, LawError, Tail, series};

/// P(heads) of a part, at a working precision.
pub(super) fn heads<C: KnownLaw + Coin>(coin: &C, places: u32) -> Result<Bracket, LawError> {
    Ok(coin.law_at(places)?.heads().rounded(places))
}

impl<W, P, M> KnownLaw for Choose<W, P, M>
where
    W: KnownLaw<Output = usize>,
    P: AsRef<[M]>,
    M: KnownLaw,
    M::Output: Default,
{
    fn law_at(&self, places: u32) -> Result<Law<Self::Output>, LawError> {
        let chooser = self.chooser.law_at(places)?;
        let mut rest = chooser.rest().clone();
        let mut outcomes = Vec::new();
        for (place, share) in chooser.into_outcomes() {
            let law = match self.list.as_ref().get(place) {
                Some(machine) => machine.law_at(places)?,
                None => Law::certain(M::Output::default()),
            };
            rest += law.rest() * share.high();
            let weighed = |(answer, weight): (_, Bracket)| {
                ((place, answer), weight.times(&share).rounded(places))
            };
            outcomes.extend(law.into_outcomes().into_iter().map(weighed));
        }
        Ok(Law::new(outcomes, rest))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let chooser = self.chooser.law_at(places)?;
        let costs = self.list.as_ref().iter().map(|machine| machine.cost_at(places));
        let costs = costs.collect::<Result<Vec<_>, _>>()?;
        let mut cost = self.chooser.cost_at(places)?;
        for (place, share) in chooser.outcomes() {
            if let Some(part) = costs.get(*place) {
                cost = cost.plus(&part.times(share));
            }
        }
        // What is not listed costs no more than all the machines together.
        let rest = Bracket::new(BigRational::zero(), chooser.rest().clone());
        Ok(costs.iter().fold(cost, |sum, part| sum.plus(&part.times(&rest))).rounded(places))
    }

    fn tail(&self) -> Tail {
        let parts = self.list.as_ref().iter().map(KnownLaw::tail);
        self.chooser.tail().then(parts.max().unwrap_or(Tail::Bounded(0)))
    }

    fn ceiling() -> Option<u64> {
        W::ceiling()?.checked_add(M::ceiling()?)
    }
}

/// The most flips whose law is listed.
const MOST_FLIPS: usize = 1 << 12;

impl<C: KnownLaw + Coin> KnownLaw for Heads<C> {
    fn law_at(&self, places: u32) -> Result<Law<usize>, LawError> {
        if self.n > MOST_FLIPS {
            return Err(LawError::TooManyOutcomes);
        }
        // A binomial coefficient is below 2^n, and by so much it widens a bracket.
        let finer = places.saturating_add(u32::try_from(self.n).unwrap_or(u32::MAX));
        let p = heads(&self.coin, finer)?;
        let powers = |p: Bracket| {
            let next = |power: &Bracket| Some(power.times(&p).rounded(finer));
            core::iter::successors(Some(Bracket::one()), next).take(self.n + 1).collect::<Vec<_>>()
        };
        let (heads, tails) = (powers(p.clone()), powers(p.complement()));
        let mut ways = BigInt::one();
        let mut outcomes = Vec::new();
        for (j, (some, others)) in heads.iter().zip(tails.iter().rev()).enumerate() {
            let each = some.times(others);
            outcomes.push((j, each.times(&Bracket::ratio(ways.clone(), 1)).rounded(places)));
            ways = ways * (self.n - j) / (j + 1);
        }
        Ok(Law::new(outcomes, BigRational::zero()))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        Ok(self.coin.cost_at(places)?.times(&Bracket::ratio(self.n, 1)))
    }

    fn tail(&self) -> Tail {
        self.coin.tail().times(self.n as u64)
    }
}

/// A hazard's rounds: P(a round is not the last), and what is known of `p`.
impl<P: KnownLaw + Coin, F: KnownFamily> Hazard<P, F> {
    /// Σ (1 − p)ᵏ(1 − d₁)…(1 − dₖ) over k = 0, 1, …, each term times what `round` says, and `after` bounds the sum from any k on.
    fn over_rounds(
        &self,
        p: &Bracket,
        places: u32,
        round: impl Fn(NonZeroU64) -> Result<Cost, LawError>,
        after: Option<BigRational>,
    ) -> Result<Cost, LawError> {
        let goes_on = |n| {
            let spared = self.family.heads_at(n, places)?.complement();
            Ok((p.complement().times(&spared), round(n)?))
        };
        series::cost(places, goes_on, |_| Ok(after.clone()))
    }

    /// P(heads) of `p`, which must be told from zero: there it may never end.
    fn positive(&self, places: u32) -> Result<Bracket, LawError> {
        let p = heads(&self.p, places)?;
        if p.low().is_zero() { Err(LawError::Undecided) } else { Ok(p) }
    }
}

impl<P: KnownLaw + Coin, F: KnownFamily> KnownLaw for Hazard<P, F> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let p = self.positive(places)?;
        let each = Cost::within(&p);
        let sum = self.over_rounds(&p, places, |_| Ok(each.clone()), Some(BigRational::one()))?;
        let heads = sum.bracket().ok_or(LawError::Undecided)?;
        Ok(Law::coin(heads.meet(&Bracket::unit())))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let p = self.positive(places)?;
        let coin = self.p.cost_at(places)?;
        let round = |n| Ok(coin.plus(&self.family.bits_at(n, places)?.times(&p.complement())));
        // At most 1/p rounds are to come, each of at most one flip and the ceiling of the hazards.
        let most = self.family.ceiling().zip(coin.high()).map(|(a, b)| (a + b) / p.low());
        self.over_rounds(&p, places, round, most)
    }

    fn tail(&self) -> Tail {
        // The rounds are a geometric number; their sum has the tails of its parts, if these are bounded together.
        let rounds = match self.family.ceiling() {
            _ if self.family.has_one_tail() => Tail::Exponential,
            Some(_) => Tail::FiniteMean,
            None => return Tail::MayNeverEnd,
        };
        if self.positive(64).is_ok() { self.p.tail().max(rounds) } else { Tail::MayNeverEnd }
    }
}

impl<F: KnownFamily, P: KnownLaw + Coin> KnownFamily for Scaled<F, P> {
    fn heads_at(&self, n: NonZeroU64, places: u32) -> Result<Bracket, LawError> {
        Ok(self.family.heads_at(n, places)?.times(&heads(&self.coin, places)?))
    }

    fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        let then = self.coin.cost_at(places)?.times(&self.family.heads_at(n, places)?);
        Ok(self.family.bits_at(n, places)?.plus(&then))
    }

    fn tail_of(&self, n: NonZeroU64) -> Tail {
        self.family.tail_of(n).then(self.coin.tail())
    }

    fn ceiling(&self) -> Option<BigRational> {
        Some(self.family.ceiling()? + BigRational::from_integer(P::ceiling()?.into()))
    }

    fn has_one_tail(&self) -> bool {
        self.family.has_one_tail() && self.coin.tail() <= Tail::Exponential
    }

    fn bits_after(&self, n: u64, places: u32) -> Result<Option<BigRational>, LawError> {
        // The coin is flipped at most 1/(1 − p) times more.
        let flips = Bracket::one().over(&heads(&self.coin, places)?.complement());
        let (cost, flips) = (self.coin.cost_at(places)?, flips.map(|flips| flips.high().clone()));
        if let (Some(ceiling), Some(cost), Some(flips)) =
            (self.family.ceiling(), cost.high(), &flips)
        {
            return Ok(Some((ceiling + cost) * flips));
        }
        // What the family declares holds for its shorter runs too.
        let Some(family) = self.family.bits_after(n, places)? else { return Ok(None) };
        Ok(match (cost.high(), flips) {
            (Some(cost), _) if cost.is_zero() => Some(family),
            (Some(cost), Some(flips)) => Some(family + cost * flips),
            _ => None,
        })
    }

    fn run_tail(&self) -> Tail {
        // Every coin ends the run with probability 1 − p at least, and their tails are one exponential.
        let ends = heads(&self.coin, 64).is_ok_and(|p| !p.complement().low().is_zero());
        let alike = self.family.ceiling().is_some() && self.coin.tail() <= Tail::Exponential;
        series::tail(self, if ends && alike { Tail::Exponential } else { Tail::FiniteMean })
    }
}

impl<M: KnownLaw<Output = u64>, P: KnownLaw + Coin> KnownLaw for Pgf<M, P> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let (p, law) = (heads(&self.coin, places)?, self.machine.law_at(places)?);
        let listed = law.outcomes().iter().fold(Bracket::zero(), |sum, (n, weight)| {
            sum.plus(&weight.times(&p.power_and_sum(*n, places).0))
        });
        let all = Bracket::new(listed.low().clone(), listed.high() + law.rest());
        Ok(Law::coin(all.meet(&Bracket::unit()).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let (p, coin) = (heads(&self.coin, places)?, self.coin.cost_at(places)?);
        let flips = match self.law_at(places)?.heads().complement().over(&p.complement()) {
            Some(flips) => coin.times(&flips),
            // Where p may be 1, E[1 + p + … + p^(N−1)] of what is listed; an endless law may have any mean.
            None => {
                let law = self.machine.law_at(places)?;
                let listed = law.outcomes().iter().fold(Bracket::zero(), |sum, (n, weight)| {
                    sum.plus(&weight.times(&p.power_and_sum(*n, places).1))
                });
                let cost = coin.times(&listed);
                let known = law.rest().is_zero() || coin.high().is_some_and(Zero::is_zero);
                if known { cost } else { Cost::at_least(cost.low().clone()) }
            }
        };
        Ok(self.machine.cost_at(places)?.plus(&flips).rounded(places))
    }

    fn tail(&self) -> Tail {
        match heads(&self.coin, 64) {
            Ok(p) if p.is_zero() || !p.high().is_one() => {
                self.machine.tail().max(self.coin.tail().repeated(true))
            }
            _ => Tail::MayNeverEnd,
        }
    }
}

impl<P: KnownLaw + Coin> Linear<P> {
    /// C, as a coin where it is one.
    fn ratio(&self) -> Bracket {
        Bracket::ratio(self.factor.0, self.factor.1)
    }

    fn is_coin(&self) -> bool {
        self.factor.0 <= self.factor.1
    }
}

impl<P: KnownLaw + Coin> KnownLaw for Linear<P> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let heads = self.ratio().times(&heads(&self.p, places)?);
        let most = Bracket::ratio(self.gap.0, self.gap.1).complement();
        if !self.is_coin() && heads.low() > most.low() {
            return Err(LawError::BrokenPromise);
        }
        Ok(Law::coin(heads.meet(&Bracket::unit()).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let once = self.p.cost_at(places)?;
        // The law is asked for first: a broken promise has no cost.
        self.law_at(places)?;
        Ok(if self.is_coin() {
            cost_of_all(core::iter::once(self.factor)).plus(&once.times(&self.ratio()))
        } else {
            Cost::at_least(once.low().clone())
        })
    }

    fn tail(&self) -> Tail {
        let p = self.p.tail();
        match self.law_at(64) {
            Err(_) => Tail::MayNeverEnd,
            Ok(_) if self.is_coin() => tail_of_all(core::iter::once(self.factor)).then(p),
            Ok(_) => p.max(Tail::FiniteMean),
        }
    }
}

impl<P: KnownLaw + Coin> KnownLaw for ExpMinusPower<P> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let factors = self.coins().map(|coin| heads(&coin, places));
        let product = factors.into_iter().try_fold(Bracket::one(), |product, factor| {
            Ok(product.times(&factor?).shortened(places))
        })?;
        Ok(Law::coin(product))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let (mut product, mut cost) = (Bracket::one(), Cost::bits(0));
        for coin in self.coins() {
            cost = cost.plus(&coin.cost_at(places)?.times(&product)).rounded(places);
            product = product.times(&heads(&coin, places)?).shortened(places);
        }
        Ok(cost)
    }

    fn tail(&self) -> Tail {
        self.coins().map(|coin| coin.tail()).fold(Tail::Bounded(0), Tail::then)
    }
}

/// The expected flips of the polynomial's coin, and the coins that are picked, with their chances.
type Picked<'a, A> = (Bracket, Vec<(&'a A, Bracket)>);

impl<C, P, A> EarlyBernstein<C, P, A>
where
    C: KnownLaw + Coin,
    P: AsRef<[A]>,
    A: KnownLaw + Coin + PartialEq,
{
    fn follow(&self, places: u32) -> Result<Picked<'_, A>, LawError> {
        let p = heads(&self.p, places)?;
        let next_change = |change: &mut usize, heads: usize| {
            *change = self.change(heads.max(*change));
            Some(*change)
        };
        let all = 0..self.coefficients.as_ref().len().max(1);
        let changes = all.scan(0, next_change).collect::<Vec<_>>();
        // Exact to a thousand digits: a long polynomial's would be as long as it is, in each state.
        let finer = places.saturating_add(16);
        let kept = |mass: &Bracket| {
            if mass.is_short(1024) { mass.rounded(finer) } else { mass.opened(finer) }
        };
        // By the heads of so many flips; chances add up along at most as many paths as there are flips.
        let mut row = Vec::from([Bracket::one()]);
        let (mut flips, mut picked) = (Bracket::zero(), Vec::new());
        while row.iter().any(|mass| !mass.is_zero()) {
            let mut next = alloc::vec![Bracket::zero(); row.len() + 1];
            let states = row.iter().zip(&changes).enumerate();
            for (heads, (mass, &change)) in states.filter(|(_, (mass, _))| !mass.is_zero()) {
                match self.undecided(heads, row.len() - 1 - heads, change) {
                    Ok(()) => {
                        flips = flips.plus(mass);
                        next[heads] = next[heads].plus(&mass.times(&p.complement()));
                        next[heads + 1] = next[heads + 1].plus(&mass.times(&p));
                    }
                    Err(coin) => picked.extend(coin.map(|coin| (coin, mass.clone()))),
                }
            }
            row = next.iter().map(kept).collect();
        }
        Ok((flips, picked))
    }
}

impl<C, P, A> KnownLaw for EarlyBernstein<C, P, A>
where
    C: KnownLaw + Coin,
    P: AsRef<[A]>,
    A: KnownLaw + Coin + PartialEq,
{
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let (_, picked) = self.follow(places)?;
        let sum = picked.into_iter().try_fold(Bracket::zero(), |sum, (coin, chance)| {
            Ok(sum.plus(&heads(coin, places)?.times(&chance)))
        })?;
        Ok(Law::coin(sum.meet(&Bracket::unit()).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let (flips, picked) = self.follow(places)?;
        let of_flips = self.p.cost_at(places)?.times(&flips);
        let sum = picked.into_iter().try_fold(of_flips, |sum, (coin, chance)| {
            Ok(sum.plus(&coin.cost_at(places)?.times(&chance)))
        })?;
        Ok(sum.rounded(places))
    }

    fn tail(&self) -> Tail {
        let coins = self.coefficients.as_ref();
        let flips = self.p.tail().times(coins.len().saturating_sub(1) as u64);
        let picked = coins.iter().map(KnownLaw::tail).max().unwrap_or(Tail::Bounded(0));
        match self.undecided(0, 0, self.change(0)) {
            Ok(()) => flips.then(picked),
            Err(_) => picked,
        }
    }
}
