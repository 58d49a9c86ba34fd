//! The laws of walks: the heights are followed round by round, until what is still on its way is too little to matter.

use alloc::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::balanced::Balanced;
use super::walk::{Branching, TwoSteps, Walk};
use crate::coin::Coin;
use crate::law::{Bracket, Cost, Fixed, KnownLaw, Law, LawError, Tail};

/// The most rounds that are followed, at as many heights each.
const MOST_ROUNDS: u32 = 1024;

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
    if *lambda.high() == BigRational::one() {
        return Err(LawError::NeverHalts);
    }
    let grid = u64::from(places) + 32;
    let mut heights = BTreeMap::from([(walk.start, Fixed::one(grid))]);
    let (mut home, mut rounds) = (Fixed::zero(grid), Fixed::zero(grid));
    for _ in 0..MOST_ROUNDS {
        let mut mass = Fixed::zero(grid);
        heights.values().for_each(|share| mass.add(share));
        if mass.is_below(places) {
            let on_its_way = mass.bracket().high().clone();
            return Ok(Followed { home: home.bracket(), on_its_way, rounds: rounds.bracket() });
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
    Err(LawError::TooManyOutcomes)
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
        // Σ over k < 2n of the strings of k flips in which no face came more than n times, by the counts of heads.
        let n = usize::try_from(self.n).map_err(|_| LawError::TooManyOutcomes)?;
        let mut by_heads = alloc::vec![BigUint::one()];
        let mut sum = BigUint::zero();
        for k in 0..2 * n {
            let open = by_heads.iter().fold(BigUint::zero(), |sum, ways| sum + ways);
            sum = (sum << 1) + open;
            // After k + 1 flips heads lie between k + 1 − n and n; `by_heads` starts at the least.
            let from = k.saturating_sub(n);
            let to = (k + 1).saturating_sub(n);
            let ways = |heads: usize| -> BigUint {
                let at =
                    |heads: usize| heads.checked_sub(from).and_then(|place| by_heads.get(place));
                let tails = at(heads).cloned().unwrap_or_default();
                tails + heads.checked_sub(1).and_then(at).cloned().unwrap_or_default()
            };
            by_heads = (to..=(k + 1).min(n)).map(ways).collect();
        }
        let cost = BigRational::new(BigInt::from(sum) << 1, BigInt::one() << (2 * n));
        Ok(Cost::within(&Bracket::exact(cost)))
    }

    fn tail(&self) -> Tail {
        Tail::Bounded(self.n.saturating_mul(2))
    }
}
