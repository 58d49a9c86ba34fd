use alloc::vec::Vec;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::tape::{Question, Tape, walk};
use crate::machine::Machine;

/// Runs `machine` on every answer to what it asks, an instruction of the source being one question.
///
/// Where [`explore`](super::explore) plays a flip of a 1/n coin with fair bits, this branches both ways with the weights
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
    let mut weighed =
        Weighed { masses: Vec::new(), open: BigRational::zero(), runs: 0, alike: true };
    let alike = walk(machine, Tape::new(depth as usize, true), |path, answer| {
        let weight = path.iter().fold(BigRational::one(), |product, step| product * weight(*step));
        weighed.add(weight, answer);
    });
    weighed.alike = alike;
    weighed
}

/// The weight of an answer to a question.
fn weight((question, answer): (Question, u64)) -> BigRational {
    let (num, den) = match question {
        Question::Bit => (1, 2),
        Question::Ratio(num, den) if answer == 1 => (num, den),
        Question::Ratio(num, den) => (den - num, den),
        Question::Below(n) => (1, n),
    };
    BigRational::new(num.into(), den.into())
}

/// The exact masses of a machine's outcomes, explored by weights. Made by [`explore_weighted`].
#[derive(Clone, Debug)]
pub struct Weighed<T> {
    masses: Vec<(T, BigRational)>,
    open: BigRational,
    runs: u64,
    alike: bool,
}

impl<T: PartialEq> Weighed<T> {
    fn add(&mut self, weight: BigRational, answer: Option<T>) {
        self.runs += 1;
        let Some(answer) = answer else {
            self.open += weight;
            return;
        };
        match self.masses.iter_mut().rev().find(|(known, _)| *known == answer) {
            Some((_, mass)) => *mass += weight,
            None => self.masses.push((answer, weight)),
        }
    }

    /// The mass found for `outcome`: a lower bound of its probability.
    #[must_use]
    pub fn mass(&self, outcome: &T) -> BigRational {
        let found = self.masses.iter().find(|(known, _)| known == outcome);
        found.map_or_else(BigRational::zero, |(_, mass)| mass.clone())
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

    /// How many runs there were.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// Whether every run that was repeated asked and answered as before.
    #[must_use]
    pub const fn is_reproducible(&self) -> bool {
        self.alike
    }
}
