use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::explorer::Explorer;
use super::tape::{Fault, Question, Run, Step, Tape, walk};
use crate::law::{Bracket, Cost, ratio_cost, roll_cost};
use crate::machine::Machine;

/// Runs `machine` on every answer to what it asks, an instruction of the source being one question.
///
/// Where [`explore`](super::explore()) plays a flip of a 1/n coin with fair bits, this branches both ways with the weights
/// 1/n and 1 − 1/n, and a roll of a die n ways, to `depth` questions. The bodies of the instructions are not tested here;
/// together with their trees in bits this covers the machine, and nested series close in tens of runs.
///
/// ```
/// use buffon::{OneOver, explore_weighted, parity_of_run};
///
/// let inverse_e = explore_weighted(&parity_of_run(OneOver::new), 20);
/// assert_eq!(inverse_e.runs(), 21); // one for each number of heads
/// assert!(*inverse_e.open() < num_rational::BigRational::new(1.into(), (1u64 << 60).into()));
/// ```
pub fn explore_weighted<M: Machine>(machine: &M, depth: u32) -> Weighed<M::Output>
where
    M::Output: PartialEq,
{
    Explorer::new(depth).weigh(machine)
}

/// The exact masses of a machine's outcomes, explored by weights. Made by [`explore_weighted`] and [`Explorer::weigh`].
#[derive(Clone, Debug)]
pub struct Weighed<T> {
    pub(super) masses: Vec<(T, BigRational)>,
    pub(super) open: BigRational,
    /// Each question that was asked, and the expected number of times.
    pub(super) asked: BTreeMap<Question, BigRational>,
    pub(super) depth: u32,
    pub(super) runs: u64,
    pub(super) open_runs: u64,
    pub(super) fault: Option<Fault>,
}

/// The weights of a path's beginnings: entry k is the product of the first k answers' weights.
#[derive(Debug)]
pub(super) struct Weights<W>(Vec<W>);

impl<W: Clone> Weights<W> {
    pub(super) fn new(one: W) -> Self {
        Self(alloc::vec![one])
    }

    /// Follows a run, with one product for each answer that is new since the run before. Each question that is asked for
    /// the first time is shown with the weight of its node; the weight of the whole path is returned.
    pub(super) fn follow<T>(
        &mut self,
        run: &Run<'_, T>,
        mut times: impl FnMut(&W, Step) -> W,
        mut first: impl FnMut(Question, &W),
    ) -> &W {
        // The last question before the new ones is an old one with a new answer.
        let kept = run.new_from.saturating_sub(1);
        self.0.truncate(kept + 1);
        for (place, &step) in run.path.iter().enumerate().skip(kept) {
            if place >= run.new_from {
                first(step.0, &self.0[place]);
            }
            self.0.push(times(&self.0[place], step));
        }
        &self.0[self.0.len() - 1]
    }
}

/// The weight of an answer to a question, a letter being a fair coin.
pub(super) fn weight((question, answer): Step) -> BigRational {
    let (num, den) = match question {
        Question::Bit | Question::Letter(_) => (1, 2),
        Question::Ratio(num, den) if answer == 1 => (num, den),
        Question::Ratio(num, den) => (den - num, den),
        Question::Below(n) => (1, n),
        Question::Word(n) => return BigRational::new(BigInt::one(), BigInt::one() << n),
    };
    BigRational::new(num.into(), den.into())
}

/// What the question costs if it is answered from fair bits, in the way of the source's default bodies.
pub(super) fn cost(question: Question, places: u32) -> Cost {
    match question {
        Question::Bit => Cost::bits(1),
        Question::Letter(_) => Cost::bits(0),
        Question::Ratio(num, den) => ratio_cost(num, den),
        Question::Below(n) => roll_cost(n, places),
        Question::Word(n) => Cost::bits(n.into()),
    }
}

impl<T: PartialEq> Weighed<T> {
    /// Explores to `depth` questions, and tells whether that took at most `most` runs.
    pub(super) fn explore<M: Machine<Output = T>>(
        machine: &M,
        depth: u32,
        most: u64,
    ) -> (Self, bool) {
        let (masses, open, asked) = (Vec::new(), BigRational::zero(), BTreeMap::new());
        let mut weighed = Self { masses, open, asked, depth, runs: 0, open_runs: 0, fault: None };
        let mut weights = Weights::new(BigRational::one());
        let mut tape = Tape::new(depth, true);
        let finished = walk(machine, &mut tape, most, |run| {
            let asked = &mut weighed.asked;
            let times = |before: &BigRational, step| before * weight(step);
            let weight = weights.follow(&run, times, |question, weight| {
                *asked.entry(question).or_insert_with(BigRational::zero) += weight;
            });
            weighed.add(weight, run.answer);
        });
        weighed.fault = tape.fault();
        (weighed, finished)
    }

    pub(super) fn add(&mut self, weight: &BigRational, answer: Option<T>) {
        self.runs += 1;
        if let Some(answer) = answer {
            self.raise(answer, weight);
        } else {
            self.open_runs += 1;
            self.open += weight;
        }
    }

    /// Adds to the mass of an outcome.
    pub(super) fn raise(&mut self, answer: T, weight: &BigRational) {
        match self.masses.iter_mut().rev().find(|(known, _)| *known == answer) {
            Some((_, mass)) => *mass += weight,
            None => self.masses.push((answer, weight.clone())),
        }
    }

    /// The mass found for `outcome`: a lower bound of its probability.
    #[must_use]
    pub fn mass(&self, outcome: &T) -> BigRational {
        let found = self.masses.iter().find(|(known, _)| known == outcome);
        found.map_or_else(BigRational::zero, |(_, mass)| mass.clone())
    }

    /// The bracket of P(outcome): its mass, and its mass with all that is open.
    #[must_use]
    pub fn probability(&self, outcome: &T) -> Bracket {
        let mass = self.mass(outcome);
        Bracket::new(mass.clone(), mass + &self.open)
    }
}

impl<T> Weighed<T> {
    /// The outcomes that were seen, each once, with their masses.
    #[must_use]
    pub fn masses(&self) -> &[(T, BigRational)] {
        &self.masses
    }

    /// The mass of the runs that were cut off.
    #[must_use]
    pub const fn open(&self) -> &BigRational {
        &self.open
    }

    /// The expected fair bits, if the source answers each instruction by its default body: what such a body costs is known
    /// by a formula, the number of times it is used is explored.
    ///
    /// The costs of dice whose formula is long are rounded to 2^-places. There is no upper end if runs were cut off.
    ///
    /// ```
    /// use buffon::{Die, Machine, OneOver, explore_weighted, parity_of_run};
    /// let half = Die::new(6)?.map(|n| n < 3);
    /// let cost = explore_weighted(&half, 1).expected_bits(64);
    /// assert_eq!(format!("{}", cost.bracket().ok_or("no upper end")?), "11/3");
    /// let inverse_e = explore_weighted(&parity_of_run(OneOver::new), 20).expected_bits(64);
    /// assert_eq!((inverse_e.low() * num_bigint::BigInt::from(100_000)).floor().to_integer(), 235_318.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expected_bits(&self, places: u32) -> Cost {
        let zero = Cost::bits(0);
        let sum = self.asked.iter().fold(zero, |sum, (&question, weight)| {
            sum.plus(&cost(question, places).times(&Bracket::exact(weight.clone())))
        });
        if self.open.is_zero() { sum } else { Cost::at_least(sum.low().clone()) }
    }

    /// The depth explored, in questions.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// How many runs there were.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// How many of them were cut off.
    #[must_use]
    pub const fn open_runs(&self) -> u64 {
        self.open_runs
    }

    /// What makes the masses worthless, if anything does.
    #[must_use]
    pub const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Whether no [`fault`](Self::fault) was found.
    #[must_use]
    pub const fn is_reproducible(&self) -> bool {
        self.fault.is_none()
    }
}
