//! The laws of integrals: the mass of each state and of each count of the urns is followed, step by step.

use alloc::collections::{BTreeMap, btree_map::Entry};
use core::array;
use core::ops::ControlFlow::{self, Break, Continue};

use num_rational::BigRational;
use num_traits::{One, Zero};

#[cfg(feature = "alloc")]
use super::bag::Bag;
use super::coin_step::{CoinStep, Told};
use super::integral::{Integral, Integrand};
use super::integrands::{Both, Complement, Exponential, InTurn, Monomial, Reciprocal, Root};
use super::urn::{Beta, Urn};
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::explore::{Explorer, Weighed};
use crate::law::{Bracket, Cost, Fixed, KnownLaw, Law, LawError, Tail};
use crate::machine::Machine;

/// An [`Integrand`] whose law over urns is known: its steps are run on every answer to what they ask, but for those that flip
/// a [coin of known law](Self::coin_step).
///
/// That takes nothing but other steps that decide by the numbers, by fair bits and by rational coins, and that the mass
/// without an answer falls geometrically: where it falls like a power of the steps, as for the root of 1 − u, the law is
/// [`TooManyOutcomes`](LawError::TooManyOutcomes). The *cost* needs a declaration, as with
/// [families](crate::law::KnownFamily), since no number of steps says anything of those that follow.
pub trait KnownIntegrand: Integrand {
    /// The coin that the step from a state flips, if it is one of known law and the step asks nothing else: its law and cost
    /// are told by its own, and not by running it.
    fn coin_step(&self, _state: &Self::State) -> Option<CoinStep<'_, Self::State>> {
        None
    }

    /// A declaration: the worst tail of one step, from every state and for every count of the urns' flips before. That few bits
    /// are expected yet after each step does not bound what is left inside one. Nothing is declared by
    /// [`MayNeverEnd`](Tail::MayNeverEnd).
    fn step_tail(&self) -> Tail {
        Tail::MayNeverEnd
    }

    /// A declaration: an upper bound of the fair bits that are expected yet, of so many numbers, from every state and for every
    /// count of the urns' flips before. `None` where nothing is declared.
    fn bits_left(&self, _numbers: usize) -> Option<BigRational> {
        None
    }

    /// Bounds of f over all numbers.
    fn range(&self) -> Bracket {
        Bracket::unit()
    }
}

fn whole(n: u32) -> BigRational {
    BigRational::from_integer(n.into())
}

impl<C: KnownLaw + Coin> KnownIntegrand for Monomial<C> {
    fn coin_step(&self, state: &Option<u64>) -> Option<CoinStep<'_, Option<u64>>> {
        let coin = (&self.coin).power(self.n.into());
        let step = || CoinStep::new(coin, [Continue(Some(0)), Break(false)]);
        state.is_none().then(step)
    }

    fn step_tail(&self) -> Tail {
        if self.n == 0 { Tail::Exponential } else { self.coin.tail().max(Tail::Exponential) }
    }

    fn bits_left(&self, numbers: usize) -> Option<BigRational> {
        let coin = self.coin.cost_at(64).ok()?.high()?.clone();
        let urns = BigRational::from_integer((2 * numbers as u128).into());
        Some((coin + urns) * whole(self.n))
    }

    fn range(&self) -> Bracket {
        let most = self.coin.law_at(64).map_or_else(|_| Bracket::unit(), |law| law.heads());
        let most = most.power_and_sum(self.n.into(), 64).0;
        Bracket::new(BigRational::zero(), most.high().clone())
    }
}

impl<F: KnownIntegrand> KnownIntegrand for Complement<F> {
    fn coin_step(&self, state: &F::State) -> Option<CoinStep<'_, F::State>> {
        Some(self.0.coin_step(state)?.map(|end| end.map_break(|heads| !heads)))
    }

    fn step_tail(&self) -> Tail {
        self.0.step_tail()
    }

    fn bits_left(&self, numbers: usize) -> Option<BigRational> {
        self.0.bits_left(numbers)
    }

    fn range(&self) -> Bracket {
        self.0.range().complement()
    }
}

impl<F: KnownIntegrand, G: KnownIntegrand> KnownIntegrand for Both<F, G> {
    fn coin_step(&self, state: &Self::State) -> Option<CoinStep<'_, Self::State>> {
        Some(match state {
            InTurn::First(state) => self.0.coin_step(state)?.map(|end| self.after_first(end)),
            InTurn::Second(state) => {
                self.1.coin_step(state)?.map(|end| end.map_continue(InTurn::Second))
            }
        })
    }

    fn step_tail(&self) -> Tail {
        self.0.step_tail().max(self.1.step_tail())
    }

    fn bits_left(&self, numbers: usize) -> Option<BigRational> {
        Some(self.0.bits_left(numbers)? + self.1.bits_left(numbers)?)
    }

    fn range(&self) -> Bracket {
        self.0.range().times(&self.1.range())
    }
}

impl<F: KnownIntegrand> KnownIntegrand for Reciprocal<F> {
    fn coin_step(&self, state: &Self::State) -> Option<CoinStep<'_, Self::State>> {
        Some(self.0.coin_step(state.as_ref()?)?.map(|end| self.after(end)))
    }

    fn step_tail(&self) -> Tail {
        self.0.step_tail()
    }

    fn bits_left(&self, numbers: usize) -> Option<BigRational> {
        // What is left of a round, and two rounds, as each is the last with probability 1/2 at least.
        Some(whole(2) + self.0.bits_left(numbers)? * whole(3))
    }

    fn range(&self) -> Bracket {
        let below = Bracket::one().plus(&self.0.range());
        Bracket::one().over(&below).unwrap_or_else(Bracket::unit)
    }
}

impl<F: KnownIntegrand> KnownIntegrand for Exponential<F> {
    fn coin_step(&self, (k, state): &Self::State) -> Option<CoinStep<'_, Self::State>> {
        Some(self.0.coin_step(state.as_ref()?)?.map(|end| self.after(*k, end)))
    }

    fn step_tail(&self) -> Tail {
        self.0.step_tail()
    }

    fn bits_left(&self, numbers: usize) -> Option<BigRational> {
        // What is left of a round, and e rounds at most, as the k-th is followed by another with probability 1/k at most.
        Some((whole(2) + self.0.bits_left(numbers)?) * whole(4))
    }

    fn range(&self) -> Bracket {
        let least = self.0.range().complement(); // exp(−f) ≥ 1 − f
        Bracket::new(least.low().clone(), BigRational::one())
    }
}

impl<F: KnownIntegrand> KnownIntegrand for Root<F> {
    fn coin_step(&self, (k, state): &Self::State) -> Option<CoinStep<'_, Self::State>> {
        let state = if self.is_certain() { None } else { state.as_ref() };
        Some(self.base.coin_step(state?)?.map(|end| self.after(*k, end)))
    }

    fn step_tail(&self) -> Tail {
        if self.is_certain() { Tail::Exponential } else { self.base.step_tail() }
    }

    fn bits_left(&self, numbers: usize) -> Option<BigRational> {
        if self.is_certain() {
            return Some(BigRational::zero());
        }
        // What is left of a flip, and as many flips as bring heads.
        let each = Bracket::exact(self.base.bits_left(numbers)? + whole(2));
        let all = Bracket::exact(each.high().clone()).over(&self.base.range())?;
        Some(each.high() + all.high())
    }

    fn range(&self) -> Bracket {
        let least = if self.is_certain() { Bracket::one() } else { self.base.range() };
        Bracket::new(least.low().clone(), BigRational::one()) // fᵃ ≥ f
    }
}

/// Heads and flips of each urn.
type Counts<const K: usize> = [(u64, u64); K];

/// One step from a state and counts, to an answer or a state, and counts.
struct Step<'a, F: Integrand, const K: usize> {
    laws: [Beta; K],
    integrand: &'a F,
    from: (F::State, Counts<K>),
}

impl<F: Integrand, const K: usize> Machine for Step<'_, F, K> {
    type Output = ControlFlow<bool, (F::State, Counts<K>)>;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error> {
        let (state, counts) = self.from.clone();
        let urns: [Urn; K] = array::from_fn(|i| Urn::after(self.laws[i], counts[i]));
        let next = self.integrand.try_step(state, &urns, bits)?;
        Ok(next.map_continue(|state| (state, array::from_fn(|i| urns[i].counts(self.laws[i])))))
    }
}

/// The questions of a step that is short, as it should be, and the most that are asked.
const QUESTIONS: [u32; 2] = [10, 64];

/// The most runs of a longer one. What is cut off has no answer.
const MOST_RUNS: u64 = 1 << 10;

/// What one step leads to: at once if it is short, else as deep as the runs last.
fn one_step<M: Machine<Output: PartialEq>>(step: &M) -> Weighed<M::Output> {
    let short = Explorer::new(QUESTIONS[0]).max_runs(u64::MAX).weigh(step);
    if short.open().is_zero() {
        short
    } else {
        Explorer::new(QUESTIONS[1]).max_runs(MOST_RUNS).weigh(step)
    }
}

/// The most steps that are taken from all states and counts together.
const MOST_STEPS: u32 = 1 << 20;

/// What is known after so many steps that less than 2^-places of the mass has no answer; the bits where they are asked for.
struct Followed {
    heads: Bracket,
    open: BigRational,
    bits: Cost,
}

fn follow<F: KnownIntegrand, const K: usize>(
    laws: [Beta; K],
    integrand: &F,
    places: u32,
    costs: bool,
) -> Result<Followed, LawError> {
    let grid = places.saturating_add(40);
    let add = |sum: &mut Bracket, mass: &Bracket| *sum = sum.plus(mass).shortened(grid);
    let mut heads = Bracket::zero();
    // Mass of states that are too rare to follow, and of steps that ask for more.
    let mut lost = Bracket::zero();
    let mut bits = Cost::bits(0);
    let mut steps = 0;
    let mut coins: BTreeMap<F::State, Option<Told<F::State>>> = BTreeMap::new();
    let mut states = BTreeMap::from([((integrand.start(), [(0, 0); K]), Bracket::one())]);
    loop {
        let open = states.values().fold(lost.clone(), |sum, mass| sum.plus(mass).shortened(grid));
        if states.is_empty() || open.is_below(places) {
            return Ok(Followed { heads, open: open.high().clone(), bits });
        }
        let mut next: BTreeMap<_, Bracket> = BTreeMap::new();
        for (from, mass) in states {
            if mass.is_below(places.saturating_add(20)) {
                add(&mut lost, &mass);
                continue;
            }
            steps += 1;
            if steps > MOST_STEPS {
                return Err(LawError::TooManyOutcomes);
            }
            // Fractions as long as they are short, and then binary ones.
            let exact = mass.is_exact() && mass.is_short(64);
            let on_grid = Fixed::of(&mass, grid.into());
            let times = |of: &Bracket| {
                if exact { mass.times(of) } else { on_grid.times(of).bracket() }
            };
            let pay = |sum: &mut Cost, cost: Cost| {
                let each = cost.bracket().map(|cost| Cost::within(&times(&cost)));
                *sum = sum.plus(&each.unwrap_or_else(|| cost.times(&mass))).rounded(grid);
            };
            let mut come = |outcome, share: &Bracket| match outcome {
                Break(true) => add(&mut heads, share),
                Break(false) => {}
                Continue(to) => add(next.entry(to).or_insert_with(Bracket::zero), share),
            };
            let (state, counts) = &from;
            if let Entry::Vacant(place) = coins.entry(state.clone()) {
                let known = integrand.coin_step(state).map(|step| step.told(grid, costs));
                place.insert(known.transpose()?);
            }
            if let Some(Some(coin)) = coins.get(state) {
                for (end, weight) in &coin.ends {
                    let end = end.clone().map_continue(|state| (state, *counts));
                    come(end, &times(weight));
                }
                pay(&mut bits, coin.cost.clone());
                continue;
            }
            let step = one_step(&Step { laws, integrand, from });
            let share = |weight: &BigRational| times(&Bracket::exact(weight.clone()));
            if costs {
                pay(&mut bits, step.expected_bits(places));
            }
            add(&mut lost, &share(step.open()));
            for (outcome, weight) in step.masses() {
                come(outcome.clone(), &share(weight));
            }
        }
        states = next;
    }
}

fn law_of<F: KnownIntegrand, const K: usize>(
    laws: [Beta; K],
    integrand: &F,
    places: u32,
) -> Result<Law<bool>, LawError> {
    let Followed { heads, open, .. } = follow(laws, integrand, places, false)?;
    let most = Bracket::new(heads.low().clone(), heads.high() + open);
    Ok(Law::coin(most.meet(&Bracket::unit()).rounded(places)))
}

impl<F: KnownIntegrand, const K: usize> KnownLaw for Integral<F, Urn, K> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        law_of(self.laws, &self.integrand, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        let Followed { open, bits, .. } = follow(self.laws, &self.integrand, places, true)?;
        if open.is_zero() {
            return Ok(bits);
        }
        let open = Bracket::new(BigRational::zero(), open);
        let left = match self.integrand.bits_left(K) {
            Some(left) => Cost::within(&Bracket::exact(left)).times(&open),
            None => Cost::at_least(BigRational::zero()),
        };
        Ok(bits.plus(&left).rounded(places))
    }

    fn tail(&self) -> Tail {
        tail_of(&self.integrand, K)
    }
}

/// Where at most so many bits are expected yet after every step, twice as many are not enough with probability 1/2 at most, again
/// and again: rounds, each ended by a step, whose tail is then all that is left to tell.
fn tail_of(integrand: &impl KnownIntegrand, numbers: usize) -> Tail {
    let bounded = integrand.bits_left(numbers).is_some();
    integrand.step_tail().max(Tail::Exponential).repeated(bounded)
}

#[cfg(feature = "alloc")]
impl<F: KnownIntegrand, const K: usize> KnownLaw for Integral<F, Bag, K> {
    fn law_at(&self, places: u32) -> Result<Law<bool>, LawError> {
        law_of(self.laws, &self.integrand, places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        // A flip of an urn costs at most 2 bits, of a bag at least.
        let Followed { bits, .. } = follow(self.laws, &self.integrand, places, true)?;
        Ok(Cost::at_least(bits.low().clone()))
    }

    fn tail(&self) -> Tail {
        tail_of(&self.integrand, K)
    }
}
