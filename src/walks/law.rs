//! The laws of walks: the heights are followed round by round, until what is still on its way is too little to matter.

use alloc::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::balanced::Balanced;
use super::walk::{Branching, TwoSteps, Walk};
use crate::coin::Coin;
use crate::law::{Bracket, Cost, Fixed, KnownLaw, Law, LawError, Tail};

/// The most rounds that are followed.
const MOST_ROUNDS: u32 = 1024;

/// The most steps from a height that are followed, in one round and in all.
const MOST_STEPS: usize = 1 << 22;

/// After so many it is asked whether it will ever do.
const MANY_STEPS: usize = 1 << 16;

/// What is known after so many rounds that less than 2^-places of the mass is still on its way.
struct Followed {
    home: Bracket,
    on_its_way: BigRational,
    /// The expected number of flips of λ so far.
    rounds: Bracket,
}

fn follow<L, S>(walk: &Walk<L, S>, places: u32) -> Result<Followed, LawError>
where
    L: KnownLaw + Coin,
    S: KnownLaw<Output = i64>,
{
    let lambda = walk.lambda.law_at(places)?.heads();
    let steps = walk.step.law_at(places)?;
    if !steps.rest().is_zero() {
        return Err(LawError::TooManyOutcomes);
    }
    if lambda.high().is_one() {
        return Err(if lambda.low().is_one() { LawError::NeverHalts } else { LawError::Undecided });
    }
    let grid = u64::from(places) + 32;
    let mut heights = BTreeMap::from([(walk.start, Fixed::one(grid))]);
    let (mut home, mut rounds) = (Fixed::zero(grid), Fixed::zero(grid));
    let mut taken = 0usize;
    for round in 0..MOST_ROUNDS {
        let mut mass = Fixed::zero(grid);
        heights.values().for_each(|share| mass.add(share));
        if mass.is_below(places) {
            let on_its_way = mass.bracket().high().clone();
            return Ok(Followed { home: home.bracket(), on_its_way, rounds: rounds.bracket() });
        }
        let steps_from_here = heights.len().saturating_mul(steps.outcomes().len());
        if steps_from_here > MOST_STEPS {
            return Err(LawError::TooManyOutcomes);
        }
        taken += steps_from_here;
        // Not half as fast as it has to be: a λ near 1.
        let too_slow = || !mass.is_below((places / 2).saturating_mul(round) / MOST_ROUNDS);
        if taken > MOST_STEPS || taken > MANY_STEPS && too_slow() {
            return Err(LawError::Undecided);
        }
        rounds.add(&mass);
        let mut next: BTreeMap<i64, Fixed> = BTreeMap::new();
        for (height, mass) in heights {
            let goes_on = mass.times(&lambda);
            for (step, weight) in steps.outcomes() {
                let to = height.saturating_add(*step);
                next.entry(to).or_insert_with(|| Fixed::zero(grid)).add(&goes_on.times(weight));
            }
        }
        if let Some(arrived) = next.remove(&0) {
            home.add(&arrived);
        }
        heights = next;
    }
    Err(LawError::Undecided)
}

impl<L: KnownLaw + Coin, S: KnownLaw<Output = i64>> KnownLaw for Walk<L, S> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        let Followed { home, on_its_way, .. } = follow(self, places)?;
        let heads = Bracket::new(home.low().clone(), home.high() + on_its_way);
        Ok(Law::coin(heads.meet(&Bracket::unit()).rounded(places)))
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let Followed { on_its_way, rounds, .. } = follow(self, places)?;
        let lambda = self.lambda.law_at(places)?.heads();
        // What is on its way flips λ at most 1/(1 − λ) times yet.
        let yet = Bracket::exact(on_its_way).over(&lambda.complement());
        let most = yet.ok_or(LawError::Undecided)?;
        let rounds = Bracket::new(rounds.low().clone(), rounds.high() + most.high());
        let of_lambda = self.lambda.cost_at(places)?.times(&rounds);
        let of_steps = self.step.cost_at(places)?.times(&rounds.times(&lambda));
        Ok(of_lambda.plus(&of_steps).rounded(places))
    }

    fn tail(&self) -> Tail {
        let ends = self.lambda.law_at(64).is_ok_and(|law| *law.heads().high() < BigRational::one());
        self.lambda.tail().then(self.step.tail()).repeated(ends)
    }
}

impl KnownLaw for TwoSteps {
    fn law_at(&self, _: u32) -> Result<Law<i64>, LawError> {
        let outcomes = [(1, 1), (0, 2), (-1, 1)].map(|(step, of)| (step, Bracket::ratio(of, 4)));
        Ok(Law::new(outcomes.into(), BigRational::zero()))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(Cost::bits(2))
    }

    fn tail(&self) -> Tail {
        Tail::Bounded(2)
    }
}

impl KnownLaw for Branching {
    fn law_at(&self, _: u32) -> Result<Law<i64>, LawError> {
        let steps = [i64::from(self.children) - 1, -1];
        Ok(Law::new(steps.map(|step| (step, Bracket::ratio(1, 2))).into(), BigRational::zero()))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        Ok(Cost::bits(1))
    }

    fn tail(&self) -> Tail {
        Tail::Bounded(1)
    }
}

impl KnownLaw for Balanced {
    fn law_at(&self, _: u32) -> Result<Law<bool>, LawError> {
        let coin = super::central(self.n);
        let num = BigInt::from(coin.numer().clone());
        Ok(Law::coin(Bracket::ratio(num, BigInt::from(coin.denom().clone()))))
    }

    fn cost_at(&self, _: u32) -> Result<Cost, LawError> {
        // With c = C(2n, n)/4^n: one face comes n + 1 times after 2(n + 1) − (2n + 1)c flips on average (Banach's match boxes,
        // Feller 1968). It stops one flip earlier where that takes 2n + 1, after 2n flips that come out even.
        let flips = Bracket::ratio(2 * BigInt::from(self.n) + 2, 1);
        let cost = self.law_at(0)?.heads().complement().times(&flips);
        let cost = cost.low().clone();
        Ok(Cost::within(&Bracket::exact(cost)))
    }

    fn tail(&self) -> Tail {
        Tail::Bounded(self.n.saturating_mul(2))
    }
}
