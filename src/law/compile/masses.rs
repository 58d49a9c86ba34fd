//! How many leaves each outcome has been given, level by level.

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use crate::law::bracket::Bracket;
use crate::law::ends::{difference, sum};
use crate::law::error::LawError;
use crate::law::known::KnownLaw;

/// Binary places beyond a level that its digits are first asked with, and then again while some are undecided.
const FINER: [u32; 4] = [64, 192, 448, 1024];

/// The outcomes of a law, each once, and what each has been given by the end of some level.
#[derive(Clone)]
pub(super) struct Masses<T> {
    outcomes: Vec<T>,
    /// For each entry of the law's list the index of its outcome, so that the next list is sorted without a search.
    entries: Vec<usize>,
    level: u32,
    /// ⌊2^level·low⌋ for a lower bound of each outcome's probability.
    given: Vec<BigUint>,
    /// Whether there are no other outcomes.
    finite: bool,
    /// The probabilities, if all of them are known exactly.
    weights: Option<Vec<BigRational>>,
}

impl<T: PartialEq> Masses<T> {
    /// The masses at `level`, with every digit decided that a thousand more places decide.
    pub(super) fn of<M: KnownLaw<Output = T>>(machine: &M, level: u32) -> Result<Self, LawError> {
        let mut masses = Self {
            outcomes: Vec::new(),
            entries: Vec::new(),
            level: 0,
            given: Vec::new(),
            finite: false,
            weights: None,
        };
        let mut best = Err(LawError::Undecided);
        for finer in FINER {
            match masses.list(machine, level.saturating_add(finer)) {
                Ok(brackets) => {
                    let same = |p: &Bracket| floor(p.low(), level) == floor(p.high(), level);
                    let decided = brackets.iter().all(same);
                    best = Ok(brackets);
                    if decided {
                        break;
                    }
                }
                // A law may be too near a singular one for few places, and too long to list for many.
                Err(LawError::Undecided) if best.is_err() => {}
                Err(error) if best.is_err() => return Err(error),
                Err(_) => break,
            }
        }
        let brackets = best?;
        if !brackets.iter().all(|p| p.is_within(level + 2)) {
            return Err(LawError::Undecided);
        }
        if masses.finite && brackets.iter().all(Bracket::is_exact) {
            masses.weights = Some(brackets.iter().map(|p| p.low().clone()).collect());
        }
        masses.give(level, &brackets);
        Ok(masses)
    }

    /// Goes on to twice the level. Should the law tell nothing there, nobody is given a leaf below this level.
    pub(super) fn deepen<M: KnownLaw<Output = T>>(&mut self, machine: &M) {
        let level = self.level.saturating_mul(2);
        let brackets = self.list(machine, level.saturating_add(FINER[0])).unwrap_or_default();
        self.give(level, &brackets);
    }

    fn give(&mut self, level: u32, brackets: &[Bracket]) {
        self.given.resize(self.outcomes.len(), BigUint::zero());
        let lows = brackets
            .iter()
            .map(|p| floor(p.low(), level))
            .chain(core::iter::repeat(BigUint::zero()));
        for (given, low) in self.given.iter_mut().zip(lows) {
            // What has been given stays given, should the bounds of a law ever widen.
            *given = low.max(&*given << (level - self.level));
        }
        self.level = level;
    }

    /// The probabilities of the outcomes at a working precision; outcomes that are new are added.
    fn list<M: KnownLaw<Output = T>>(
        &mut self,
        machine: &M,
        places: u32,
    ) -> Result<Vec<Bracket>, LawError> {
        let law = machine.law_at(places)?;
        let rest = law.rest().clone();
        let endless = !rest.is_zero();
        self.finite |= !endless;
        let mut brackets = vec![Bracket::zero(); self.outcomes.len()];
        for (entry, (outcome, weight)) in law.into_outcomes().into_iter().enumerate() {
            if weight.is_zero() {
                continue;
            }
            let index = self.index_of(entry, outcome);
            brackets.resize(self.outcomes.len(), Bracket::zero());
            // In an endless list no sum is exact; on a grid they stay short.
            let weight = if endless { weight.opened(places.saturating_mul(2)) } else { weight };
            brackets[index] = brackets[index].plus(&weight);
        }
        Ok(tightened(brackets, &rest))
    }

    /// The index of the outcome that stands at `entry` of the list; as a rule it stood there before.
    fn index_of(&mut self, entry: usize, outcome: T) -> usize {
        let known = self
            .entries
            .get(entry)
            .copied()
            .filter(|&index| self.outcomes.get(index) == Some(&outcome));
        let found = known.or_else(|| self.outcomes.iter().position(|known| *known == outcome));
        let index = found.unwrap_or_else(|| {
            self.outcomes.push(outcome);
            self.outcomes.len() - 1
        });
        if self.entries.len() <= entry {
            self.entries.resize(entry + 1, usize::MAX);
        }
        self.entries[entry] = index;
        index
    }
}

impl<T> Masses<T> {
    pub(super) fn outcomes(&self) -> &[T] {
        &self.outcomes
    }

    pub(super) const fn level(&self) -> u32 {
        self.level
    }

    /// Whether these are all the outcomes there are.
    pub(super) const fn is_finite(&self) -> bool {
        self.finite
    }

    /// The probabilities, if they are known exactly.
    pub(super) fn weights(&self) -> Option<&[BigRational]> {
        self.weights.as_deref()
    }

    /// What the outcome at `index` has been given by the end of the level.
    pub(super) fn given(&self, index: usize) -> &BigUint {
        &self.given[index]
    }

    /// The number of leaves of the outcome at `index` on a level, which is the next one after `before` or a later one: twice
    /// what it had been given, less what it has been given then.
    pub(super) fn leaves(&self, before: &Self, index: usize, level: u32) -> u64 {
        let places = self.level - level;
        if level > before.level + 1 {
            return self.given[index].bit(places.into()).into();
        }
        let had = before.given.get(index).map_or_else(BigUint::zero, |had| had << 1u32);
        let has = &self.given[index] >> places;
        // The bounds do not fall, so this is not negative; it is at most 3.
        (has - had).to_u64().unwrap_or(u64::MAX)
    }

    /// Before the first level.
    pub(super) const fn root() -> Self {
        Self {
            outcomes: Vec::new(),
            entries: Vec::new(),
            level: 0,
            given: Vec::new(),
            finite: false,
            weights: None,
        }
    }
}

/// ⌊2^level·x⌋ for x ≥ 0.
fn floor(x: &BigRational, level: u32) -> BigUint {
    let whole = (x.numer() << level).div_floor(x.denom());
    whole.to_biguint().unwrap_or_default()
}

/// What the other outcomes leave to each: p is at least 1 − Σ high − rest, and at most 1 − Σ low, over the others.
fn tightened(mut brackets: Vec<Bracket>, rest: &BigRational) -> Vec<Bracket> {
    if rest.is_zero() && brackets.iter().all(Bracket::is_exact) {
        return brackets;
    }
    let all = brackets.iter().fold(Bracket::zero(), |sum, p| sum.plus(p));
    for p in &mut brackets {
        let low = difference(all.low(), p.low());
        let high = sum(&difference(all.high(), p.high()), rest);
        let most = Bracket::ordered(p.low().clone(), sum(p.high(), rest));
        let others = Bracket::ordered(low, high);
        *p = most.meet(&others.complement()).meet(&Bracket::unit());
    }
    brackets
}
