use alloc::vec::Vec;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::law::{Bracket, KnownLaw, Law, LawError};

/// The law that a machine should have, with a bracket for each outcome.
///
/// | target | of |
/// |---|---|
/// | a `BigRational`, a `Bracket` | P(heads) of a coin |
/// | a table `[(T, BigRational)]`, also an array or a `Vec` | any machine; other outcomes have probability zero |
/// | a closure `Fn(&T, u32) -> Bracket` | any machine: P(outcome) to within 2^-precision |
/// | a [`Law`], [`Says`] | any machine: a law as it stands; what another machine (or the machine itself) says of its law |
/// | [`Each`], a pair of targets | several outputs, independent |
pub trait Target<T> {
    /// The law, in brackets that are within 2^-precision where that can be had. A target that is a function lists the
    /// outcomes in `seen`; the others list all outcomes of any weight.
    ///
    /// # Errors
    ///
    /// A [`LawError`] where the law cannot be told.
    fn wanted(&self, seen: &[T], precision: u32) -> Result<Wanted<T>, LawError>;
}

/// The law of a [`Target`], as far as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted<T> {
    outcomes: Vec<(T, Bracket)>,
    unlisted: BigRational,
}

impl<T: PartialEq> Wanted<T> {
    /// The law with these probabilities, and at most `unlisted` on all other outcomes together. An outcome that is listed
    /// more than once has the sum.
    #[must_use]
    pub fn new(outcomes: impl IntoIterator<Item = (T, Bracket)>, unlisted: BigRational) -> Self {
        // Outcomes can only be compared, so a long law takes the square of its length; side by side they are compared fast.
        let (mut known, mut masses): (Vec<T>, Vec<Bracket>) = (Vec::new(), Vec::new());
        for (outcome, p) in outcomes {
            let place = known.iter().rposition(|known| *known == outcome);
            match place.and_then(|place| masses.get_mut(place)) {
                Some(sum) => *sum = Bracket::new(sum.low() + p.low(), sum.high() + p.high()),
                None => {
                    known.push(outcome);
                    masses.push(p);
                }
            }
        }
        Self { outcomes: known.into_iter().zip(masses).collect(), unlisted }
    }

    /// The probability of an outcome.
    #[must_use]
    pub fn probability(&self, outcome: &T) -> Bracket {
        let listed = self.outcomes.iter().find(|(known, _)| known == outcome);
        let elsewhere = || Bracket::new(BigRational::zero(), self.unlisted.clone());
        listed.map_or_else(elsewhere, |(_, p)| p.clone())
    }

    /// The same with the outcomes in `seen` listed, if only as unlikely.
    pub(super) fn with(mut self, seen: &[T]) -> Self
    where
        T: Clone,
    {
        for (place, outcome) in seen.iter().enumerate() {
            // They are often seen in the order in which they are listed.
            let is = |(known, _): &(T, Bracket)| known == outcome;
            if !self.outcomes.get(place).is_some_and(is) && !self.outcomes.iter().any(is) {
                self.outcomes.push((outcome.clone(), self.probability(outcome)));
            }
        }
        self
    }
}

impl<T> Wanted<T> {
    /// The outcomes, each once, and their probabilities.
    #[must_use]
    pub fn outcomes(&self) -> &[(T, Bracket)] {
        &self.outcomes
    }

    /// An upper bound of the probability of all other outcomes together.
    #[must_use]
    pub const fn unlisted(&self) -> &BigRational {
        &self.unlisted
    }
}

impl<T: PartialEq> From<Law<T>> for Wanted<T> {
    /// The rest of a law may belong to any outcome, so each upper end is raised by it.
    fn from(law: Law<T>) -> Self {
        let rest = law.rest().clone();
        let mut wanted = Self::new(law.into_outcomes(), rest.clone());
        for (_, p) in &mut wanted.outcomes {
            let high = (p.high() + &rest).min(BigRational::one()).max(p.low().clone());
            *p = Bracket::new(p.low().clone(), high);
        }
        wanted
    }
}

impl Target<bool> for BigRational {
    fn wanted(&self, _: &[bool], _: u32) -> Result<Wanted<bool>, LawError> {
        Ok(Law::coin(Bracket::exact(self.clone())).into())
    }
}

impl Target<bool> for Bracket {
    fn wanted(&self, _: &[bool], _: u32) -> Result<Wanted<bool>, LawError> {
        Ok(Law::coin(self.clone()).into())
    }
}

impl<T: Clone + PartialEq> Target<T> for Law<T> {
    fn wanted(&self, _: &[T], _: u32) -> Result<Wanted<T>, LawError> {
        Ok(self.clone().into())
    }
}

impl<T: Clone + PartialEq> Target<T> for [(T, BigRational)] {
    fn wanted(&self, _: &[T], _: u32) -> Result<Wanted<T>, LawError> {
        let exact = |(outcome, p): &(T, BigRational)| (outcome.clone(), Bracket::exact(p.clone()));
        Ok(Wanted::new(self.iter().map(exact), BigRational::zero()))
    }
}

impl<T: Clone + PartialEq, const K: usize> Target<T> for [(T, BigRational); K] {
    fn wanted(&self, seen: &[T], precision: u32) -> Result<Wanted<T>, LawError> {
        self.as_slice().wanted(seen, precision)
    }
}

impl<T: Clone + PartialEq> Target<T> for Vec<(T, BigRational)> {
    fn wanted(&self, seen: &[T], precision: u32) -> Result<Wanted<T>, LawError> {
        self.as_slice().wanted(seen, precision)
    }
}

impl<T: Clone + PartialEq, F: Fn(&T, u32) -> Bracket> Target<T> for F {
    fn wanted(&self, seen: &[T], precision: u32) -> Result<Wanted<T>, LawError> {
        Ok(listed(seen.iter().map(|x| (x.clone(), self(x, precision))).collect()))
    }
}

/// A list whose brackets hold whatever lies elsewhere.
fn listed<T: PartialEq>(outcomes: Vec<(T, Bracket)>) -> Wanted<T> {
    let left = outcomes.iter().fold(BigRational::one(), |left, (_, p)| left - p.low());
    Wanted::new(outcomes, left.max(BigRational::zero()))
}

/// The law that a machine says it has, as a target.
#[derive(Clone, Copy, Debug)]
pub struct Says<M>(pub M);

impl<M: KnownLaw> Target<M::Output> for Says<M>
where
    M::Output: Clone + PartialEq,
{
    fn wanted(&self, seen: &[M::Output], precision: u32) -> Result<Wanted<M::Output>, LawError> {
        match self.0.law(precision) {
            Ok(law) => Ok(law.into()),
            Err(LawError::TooManyOutcomes) => {
                let mass = |x: &M::Output| Ok((x.clone(), self.0.mass_at(x, precision)?));
                Ok(listed(seen.iter().map(mass).collect::<Result<_, _>>()?))
            }
            Err(error) => Err(error),
        }
    }
}

/// Several outputs in a row, independent, each with the same law: a target for arrays and `Vec`s.
///
/// ```
/// use buffon::{Die, Machine, Recycler, explore, explore::{Each, Says}, from_fn};
/// // Two rolls from one recycler, which keeps what the first roll left over: are they independent?
/// let die = Die::new(3)?;
/// let rolls = from_fn(|bits| {
///     let mut bits = Recycler::with_state_bits(bits, 8);
///     die.array::<2>().try_sample(&mut bits)
/// });
/// assert!(explore(&rolls, 16).against(&Each(Says(die))).is_ok());
/// # Ok::<(), buffon::ZeroSides>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Each<A>(pub A);

/// The most combinations of outcomes that are listed; beyond it, those that were seen.
const MOST_COMBINATIONS: usize = 1 << 12;

impl<A> Each<A> {
    /// The law of `places` outputs, by lists of them.
    fn lists<T: Clone + PartialEq>(
        &self,
        seen: &[&[T]],
        places: usize,
        precision: u32,
    ) -> Result<Wanted<Vec<T>>, LawError>
    where
        A: Target<T>,
    {
        let mut single: Vec<T> = Vec::new();
        for outcome in seen.iter().copied().flatten() {
            if !single.contains(outcome) {
                single.push(outcome.clone());
            }
        }
        let law = self.0.wanted(&single, precision.saturating_add(8))?;
        let count = u32::try_from(places).ok().and_then(|m| law.outcomes().len().checked_pow(m));
        let outcomes = if count.is_some_and(|count| count <= MOST_COMBINATIONS) {
            let mut lists = alloc::vec![(Vec::new(), Bracket::exact(BigRational::one()))];
            for _ in 0..places {
                let longer = lists.iter().flat_map(|(list, p)| {
                    law.outcomes().iter().map(move |(outcome, next)| {
                        let mut list = list.clone();
                        list.push(outcome.clone());
                        (list, product(p, next))
                    })
                });
                lists = longer.collect();
            }
            lists
        } else {
            let of_list = |list: &&[T]| {
                let masses = list.iter().map(|outcome| law.probability(outcome));
                let p =
                    masses.fold(Bracket::exact(BigRational::one()), |p, next| product(&p, &next));
                (list.to_vec(), p)
            };
            seen.iter().map(of_list).collect()
        };
        Ok(listed(outcomes))
    }
}

fn product(p: &Bracket, next: &Bracket) -> Bracket {
    Bracket::new(p.low() * next.low(), p.high() * next.high())
}

impl<T: Clone + PartialEq, A: Target<T>> Target<Vec<T>> for Each<A> {
    fn wanted(&self, seen: &[Vec<T>], precision: u32) -> Result<Wanted<Vec<T>>, LawError> {
        let places = seen.first().map_or(0, Vec::len);
        let lists: Vec<&[T]> = seen.iter().map(Vec::as_slice).collect();
        self.lists(&lists, places, precision)
    }
}

impl<T: Clone + PartialEq, A: Target<T>, const K: usize> Target<[T; K]> for Each<A> {
    fn wanted(&self, seen: &[[T; K]], precision: u32) -> Result<Wanted<[T; K]>, LawError> {
        let lists: Vec<&[T]> = seen.iter().map(<[T; K]>::as_slice).collect();
        let law = self.lists(&lists, K, precision)?;
        let arrays = law.outcomes.into_iter();
        let arrays = arrays.filter_map(|(list, p)| Some((<[T; K]>::try_from(list).ok()?, p)));
        Ok(Wanted::new(arrays, law.unlisted))
    }
}

impl<T, U, A, B> Target<(T, U)> for (A, B)
where
    T: Clone + PartialEq,
    U: Clone + PartialEq,
    A: Target<T>,
    B: Target<U>,
{
    fn wanted(&self, seen: &[(T, U)], precision: u32) -> Result<Wanted<(T, U)>, LawError> {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (a, b) in seen {
            if !first.contains(a) {
                first.push(a.clone());
            }
            if !second.contains(b) {
                second.push(b.clone());
            }
        }
        let (first, second) =
            (self.0.wanted(&first, precision)?, self.1.wanted(&second, precision)?);
        let pairs = first.outcomes().iter().flat_map(|(a, p)| {
            second.outcomes().iter().map(move |(b, r)| ((a.clone(), b.clone()), product(p, r)))
        });
        Ok(listed(pairs.collect()))
    }
}
