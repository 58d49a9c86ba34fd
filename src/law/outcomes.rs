use alloc::vec::Vec;

use num_rational::BigRational;
use num_traits::Zero;

use super::bracket::Bracket;

/// The most outcomes that a law lists.
pub(super) const MOST_OUTCOMES: usize = 1 << 16;

/// The law of a machine as far as it is known: outcomes with weight brackets, and a bound of the mass not listed.
///
/// An outcome may be listed more than once; its weights add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law<T> {
    outcomes: Vec<(T, Bracket)>,
    rest: BigRational,
}

impl<T> Law<T> {
    /// The law with these weights, and mass of at most `rest` on outcomes that are not listed (or listed too low).
    #[must_use]
    pub const fn new(outcomes: Vec<(T, Bracket)>, rest: BigRational) -> Self {
        Self { outcomes, rest }
    }

    /// One certain outcome.
    #[must_use]
    pub fn certain(outcome: T) -> Self {
        Self::new(alloc::vec![(outcome, Bracket::one())], BigRational::zero())
    }

    /// The outcomes and their weights, as listed.
    #[must_use]
    pub fn outcomes(&self) -> &[(T, Bracket)] {
        &self.outcomes
    }

    /// The outcomes and their weights, given away.
    #[must_use]
    pub fn into_outcomes(self) -> Vec<(T, Bracket)> {
        self.outcomes
    }

    /// An upper bound of the mass that is not listed.
    #[must_use]
    pub const fn rest(&self) -> &BigRational {
        &self.rest
    }

    /// Whether every weight is exact and nothing is left out.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.rest.is_zero() && self.outcomes.iter().all(|(_, weight)| weight.is_exact())
    }

    /// The probability of the event that `holds` of the outcome.
    pub fn probability_of(&self, holds: impl Fn(&T) -> bool) -> Bracket {
        let (mut inside, mut outside) = (Bracket::zero(), Bracket::zero());
        for (outcome, weight) in &self.outcomes {
            let side = if holds(outcome) { &mut inside } else { &mut outside };
            *side = side.plus(weight);
        }
        if inside.is_exact() && self.rest.is_zero() {
            return inside;
        }
        let most = Bracket::new(inside.low().clone(), inside.high() + &self.rest);
        // What surely lies outside cannot lie inside, and the other way round.
        let spare = Bracket::new(outside.low().clone(), outside.high() + &self.rest).complement();
        most.meet(&spare)
    }

    /// The same law over the images of the outcomes, some of which may be equal.
    pub(crate) fn map<U>(self, f: impl Fn(T) -> U) -> Law<U> {
        let outcomes = self.outcomes.into_iter().map(|(outcome, weight)| (f(outcome), weight));
        Law { outcomes: outcomes.collect(), rest: self.rest }
    }

    /// The width that is left: of all brackets together, and of what is not listed.
    pub(crate) fn slack(&self) -> BigRational {
        let widths = self.outcomes.iter().map(|(_, weight)| weight.width());
        widths.fold(self.rest.clone(), |sum, width| sum + width)
    }
}

/// Places beyond the working precision, for sums of up to a million weights.
const GUARD: u32 = 24;

/// How many outcomes are compared with a new one, so that a long list costs no square of its length.
const COMPARED: usize = 64;

impl<T: PartialEq> Law<T> {
    /// The same law, where an outcome that equals one of the first is listed once with it: compositions of compositions
    /// with few outcomes stay short.
    ///
    /// If something is not listed at all, no sum is exact, and the weights are brought to a grid: long fractions have
    /// ever longer sums.
    pub(super) fn merged(self, places: u32) -> Self {
        let grid = places.saturating_add(GUARD);
        let exact = self.rest.is_zero();
        let mut outcomes: Vec<(T, Bracket)> = Vec::new();
        for (outcome, weight) in self.outcomes {
            let weight = if exact { weight } else { weight.opened(grid) };
            let mut first = outcomes.iter_mut().take(COMPARED);
            match first.find(|(known, _)| *known == outcome) {
                Some((_, sum)) => *sum = sum.plus(&weight),
                None => outcomes.push((outcome, weight)),
            }
        }
        Self { outcomes, rest: self.rest }
    }

    /// The probability of one outcome.
    #[must_use]
    pub fn mass(&self, outcome: &T) -> Bracket {
        self.probability_of(|known| known == outcome)
    }
}

impl Law<bool> {
    /// The law of a coin with this probability of heads.
    #[must_use]
    pub fn coin(heads: Bracket) -> Self {
        let tails = heads.complement();
        Self::new(alloc::vec![(true, heads), (false, tails)], BigRational::zero())
    }

    /// The probability of heads.
    #[must_use]
    pub fn heads(&self) -> Bracket {
        self.mass(&true)
    }
}
