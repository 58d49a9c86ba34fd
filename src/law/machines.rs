//! The laws of the combinators over any outputs, closures included: a closure pushes a law forward.

use alloc::vec::Vec;

use num_rational::BigRational;
use num_traits::Zero;

use super::bracket::Bracket;
use super::coins::heads;
use super::cost::Cost;
use super::error::LawError;
use super::known::{KnownLaw, chance_of};
use super::outcomes::{Law, MOST_OUTCOMES};
use super::tail::Tail;
use crate::coin::Coin;
use crate::combinators::{AndThen, Array, Certain, Condition, Map, Mix, Repeat, Retry, Zip};
use crate::machine::Machine;

/// The most that a mixture lists before equal outcomes are brought together.
const MOST_LISTED: usize = 1 << 20;

/// Σ weight·law over the parts of a mixture; the parts that are not listed go to the rest.
fn mixture<T: PartialEq>(
    parts: Vec<(Law<T>, Bracket)>,
    rest: &BigRational,
    places: u32,
) -> Result<Law<T>, LawError> {
    let mut outcomes = Vec::new();
    let mut left = rest.clone();
    for (law, share) in parts {
        left += law.rest() * share.high();
        for (outcome, weight) in law.into_outcomes() {
            if outcomes.len() == MOST_LISTED {
                return Err(LawError::TooManyOutcomes);
            }
            outcomes.push((outcome, weight.times(&share).rounded(places)));
        }
    }
    let law = Law::new(outcomes, left).merged(places);
    if law.outcomes().len() > MOST_OUTCOMES { Err(LawError::TooManyOutcomes) } else { Ok(law) }
}

impl<T: Clone> KnownLaw for Certain<T> {
    fn law_at(&self, _: u32) -> Result<Law<T>, LawError> {
        Ok(Law::certain(self.answer().clone()))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(Cost::bits(0))
    }

    fn tail(&self) -> Tail {
        Tail::Bounded(0)
    }

    fn ceiling() -> Option<u64> {
        Some(0)
    }
}

impl<C, X, Y> KnownLaw for Mix<C, X, Y>
where
    C: KnownLaw + Coin,
    X: KnownLaw,
    Y: KnownLaw<Output = X::Output>,
    X::Output: PartialEq,
{
    fn law_at(&self, places: u32) -> Result<Law<X::Output>, LawError> {
        let p = heads(&self.coin, places)?;
        let q = p.complement();
        // A side that is never taken need not have a law.
        let mut sides = Vec::new();
        if !p.is_zero() {
            sides.push((self.heads.law_at(places)?, p));
        }
        if !q.is_zero() {
            sides.push((self.tails.law_at(places)?, q));
        }
        mixture(sides, &BigRational::zero(), places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let p = heads(&self.coin, places)?;
        let mut cost = self.coin.cost_at(places)?;
        if !p.is_zero() {
            cost = cost.plus(&self.heads.cost_at(places)?.times(&p));
        }
        let q = p.complement();
        if !q.is_zero() {
            cost = cost.plus(&self.tails.cost_at(places)?.times(&q));
        }
        Ok(cost.rounded(places))
    }

    fn tail(&self) -> Tail {
        let sides = match heads(&self.coin, 64) {
            Ok(p) if p.is_zero() => self.tails.tail(),
            Ok(p) if p.complement().is_zero() => self.heads.tail(),
            _ => self.heads.tail().max(self.tails.tail()),
        };
        self.coin.tail().then(sides)
    }

    fn ceiling() -> Option<u64> {
        C::ceiling()?.checked_add(X::ceiling()?.max(Y::ceiling()?))
    }
}

impl<M: KnownLaw, T: PartialEq, F: Fn(M::Output) -> T> KnownLaw for Map<M, F> {
    fn law_at(&self, places: u32) -> Result<Law<T>, LawError> {
        Ok(self.machine.law_at(places)?.map(&self.f).merged(places))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        self.machine.cost_at(places)
    }

    fn tail(&self) -> Tail {
        self.machine.tail()
    }

    fn ceiling() -> Option<u64> {
        M::ceiling()
    }
}

impl<M: KnownLaw, N: KnownLaw, F: Fn(M::Output) -> N> KnownLaw for AndThen<M, F>
where
    N::Output: PartialEq,
{
    fn law_at(&self, places: u32) -> Result<Law<N::Output>, LawError> {
        let first = self.machine.law_at(places)?;
        let rest = first.rest().clone();
        let branch = |(outcome, share)| Ok(((self.f)(outcome).law_at(places)?, share));
        let parts = first.into_outcomes().into_iter().map(branch).collect::<Result<_, _>>()?;
        mixture(parts, &rest, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let first = self.machine.law_at(places)?;
        let mut cost = self.machine.cost_at(places)?;
        if !first.rest().is_zero() {
            // What the machines of unlisted outcomes cost is not known, but perhaps of all machines of their type.
            let rest = Bracket::new(BigRational::zero(), first.rest().clone());
            let one = N::ceiling().map_or_else(|| Cost::at_least(BigRational::zero()), Cost::bits);
            cost = cost.plus(&one.times(&rest));
        }
        for (outcome, share) in first.into_outcomes() {
            let then = (self.f)(outcome).cost_at(places)?;
            cost = cost.plus(&then.times(&share));
        }
        Ok(cost.rounded(places))
    }

    fn tail(&self) -> Tail {
        // The branches are those of the outcomes that can be listed; if some cannot, it takes a word for all of their type.
        let branches = match self.machine.law_at(64) {
            Ok(first) if first.rest().is_zero() => {
                let possible = first.into_outcomes().into_iter();
                let tails = possible
                    .filter(|(_, weight)| !weight.is_zero())
                    .map(|(outcome, _)| (self.f)(outcome).tail());
                tails.max().unwrap_or(Tail::Bounded(0))
            }
            Ok(_) | Err(LawError::TooManyOutcomes) if N::ceiling().is_some() => Tail::Exponential,
            _ => Tail::MayNeverEnd,
        };
        self.machine.tail().then(branches)
    }

    fn ceiling() -> Option<u64> {
        M::ceiling()?.checked_add(N::ceiling()?)
    }
}

/// Each answer of `first` with each of `second`, independently.
fn product<T: Clone, U: Clone, V>(
    first: &Law<T>,
    second: &Law<U>,
    pair: impl Fn(T, U) -> V,
    places: u32,
) -> Result<Law<V>, LawError> {
    if first.outcomes().len().saturating_mul(second.outcomes().len()) > MOST_OUTCOMES {
        return Err(LawError::TooManyOutcomes);
    }
    let mut outcomes = Vec::new();
    for (x, p) in first.outcomes() {
        for (y, q) in second.outcomes() {
            outcomes.push((pair(x.clone(), y.clone()), p.times(q).rounded(places)));
        }
    }
    // P(either unlisted) is at most the sum of both.
    Ok(Law::new(outcomes, first.rest() + second.rest()))
}

impl<M: KnownLaw, N: KnownLaw> KnownLaw for Zip<M, N>
where
    M::Output: Clone,
    N::Output: Clone,
{
    fn law_at(&self, places: u32) -> Result<Law<Self::Output>, LawError> {
        let (first, second) = (self.first.law_at(places)?, self.second.law_at(places)?);
        product(&first, &second, |x, y| (x, y), places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        Ok(self.first.cost_at(places)?.plus(&self.second.cost_at(places)?))
    }

    fn tail(&self) -> Tail {
        self.first.tail().then(self.second.tail())
    }

    fn ceiling() -> Option<u64> {
        M::ceiling()?.checked_add(N::ceiling()?)
    }
}

/// The law of `n` answers in order.
fn power<M: KnownLaw>(machine: &M, n: usize, places: u32) -> Result<Law<Vec<M::Output>>, LawError>
where
    M::Output: Clone,
{
    let mut law = Law::certain(Vec::new());
    if n == 0 {
        return Ok(law);
    }
    let one = machine.law_at(places)?;
    for _ in 0..n {
        let push = |mut answers: Vec<M::Output>, answer| {
            answers.push(answer);
            answers
        };
        law = product(&law, &one, push, places)?;
    }
    Ok(law)
}

fn power_cost<M: KnownLaw>(machine: &M, n: usize, places: u32) -> Result<Cost, LawError> {
    if n == 0 {
        Ok(Cost::bits(0))
    } else {
        Ok(machine.cost_at(places)?.times(&Bracket::ratio(n, 1)))
    }
}

impl<M: KnownLaw, const N: usize> KnownLaw for Array<M, N>
where
    M::Output: Clone,
{
    fn law_at(&self, places: u32) -> Result<Law<[M::Output; N]>, LawError> {
        let law = power(&self.machine, N, places)?;
        let rest = law.rest().clone();
        let answers = law.into_outcomes().into_iter();
        // Every list has N answers, so none is dropped.
        let arrays = answers.filter_map(|(list, weight)| Some((list.try_into().ok()?, weight)));
        Ok(Law::new(arrays.collect(), rest))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        power_cost(&self.machine, N, places)
    }

    fn tail(&self) -> Tail {
        self.machine.tail().times(N as u64)
    }

    fn ceiling() -> Option<u64> {
        M::ceiling()?.checked_mul(u64::try_from(N).ok()?)
    }
}

impl<M: KnownLaw> KnownLaw for Repeat<M>
where
    M::Output: Clone,
{
    fn law_at(&self, places: u32) -> Result<Law<Vec<M::Output>>, LawError> {
        power(&self.machine, self.n, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        power_cost(&self.machine, self.n, places)
    }

    fn tail(&self) -> Tail {
        self.machine.tail().times(self.n as u64)
    }
}

/// The law of rounds that are repeated until one keeps its outcome: P(x)/P(kept).
fn kept<T, U>(law: Law<T>, keep: impl Fn(T) -> Option<U>, places: u32) -> Result<Law<U>, LawError> {
    let rest = law.rest().clone();
    let mut all = Vec::new();
    let mut sum = Bracket::zero();
    let mut dropped = Bracket::zero();
    for (outcome, weight) in law.into_outcomes() {
        match keep(outcome) {
            Some(outcome) => {
                sum = sum.plus(&weight);
                all.push((outcome, weight));
            }
            None => dropped = dropped.plus(&weight),
        }
    }
    let chance = total(&sum, &dropped, &rest);
    if chance.is_zero() {
        return Err(LawError::Impossible);
    }
    let divide = |(outcome, weight): (U, Bracket)| {
        let share = weight.over(&chance)?.meet(&Bracket::unit()).rounded(places);
        Some((outcome, share))
    };
    let kept = all.into_iter().map(divide).collect::<Option<_>>().ok_or(LawError::Undecided)?;
    if chance.low().is_zero() {
        return Err(LawError::Undecided);
    }
    Ok(Law::new(kept, rest / chance.low()))
}

/// P(kept) from the listed weights on both sides and the mass that is not listed.
fn total(kept: &Bracket, dropped: &Bracket, rest: &BigRational) -> Bracket {
    let open = |side: &Bracket| Bracket::new(side.low().clone(), side.high() + rest);
    open(kept).meet(&open(dropped).complement())
}

/// Expected bits, and tail, of rounds of `machine` of which each is the last with the given probability.
fn rounds_cost<M: KnownLaw>(machine: &M, last: &Bracket, places: u32) -> Result<Cost, LawError> {
    if last.is_zero() {
        return Err(LawError::Impossible);
    }
    if last.low().is_zero() {
        return Err(LawError::Undecided);
    }
    Ok(machine.cost_at(places)?.over(last).rounded(places))
}

fn rounds_tail<M: KnownLaw>(machine: &M, last: impl Fn(&M::Output) -> bool) -> Tail {
    match chance_of(machine, last) {
        Ok(chance) if chance == Bracket::one() => machine.tail(),
        Ok(chance) => machine.tail().repeated(!chance.is_zero()),
        Err(_) => Tail::MayNeverEnd,
    }
}

impl<M: KnownLaw, F: Fn(&M::Output) -> bool> KnownLaw for Condition<M, F> {
    fn law_at(&self, places: u32) -> Result<Law<M::Output>, LawError> {
        let keep = |outcome| (self.holds)(&outcome).then_some(outcome);
        kept(self.machine.law_at(places)?, keep, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let last = self.machine.law_at(places)?.probability_of(&self.holds);
        rounds_cost(&self.machine, &last, places)
    }

    fn tail(&self) -> Tail {
        rounds_tail(&self.machine, &self.holds)
    }
}

impl<T, M: KnownLaw + Machine<Output = Option<T>>> KnownLaw for Retry<M> {
    fn law_at(&self, places: u32) -> Result<Law<T>, LawError> {
        kept(self.machine.law_at(places)?, |outcome| outcome, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let last = self.machine.law_at(places)?.probability_of(Option::is_some);
        rounds_cost(&self.machine, &last, places)
    }

    fn tail(&self) -> Tail {
        rounds_tail(&self.machine, Option::is_some)
    }
}
