use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::array;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::explorer::{Explorer, Size};
use super::letters::{Asked, Letter};
use super::polynomial::Polynomial;
use super::proof::{NotProved, Proof, Witness};
use super::sign::Sign;
use super::tape::{Fault, Question, Step, Tape, walk};
use super::weighed::{Weights, cost, weight};
use crate::machine::Machine;

/// Runs a machine of N coins of unknown bias on every string of flips, of the coins and of fair bits, to `depth` flips.
///
/// `build` is given the coins and makes the machine of them. A run that ends with h_i heads and t_i tails of letter i and u
/// fair bits has probability 2^-u·Π p_i^h_i·(1 − p_i)^t_i, so the runs add up to polynomials: a lower bound of each
/// outcome's probability, and the open mass, *for all probabilities at once*.
///
/// ```
/// use buffon::{Coin, explore::{Polynomial, explore_letters}};
/// // The circuit of two coins: finite, so what it computes is told in full.
/// let both = explore_letters(|[p, q]| p.then(q), 2);
/// assert_eq!(both.polynomial(&true).to_string(), "p·q");
/// assert_eq!(both.expected_flips(1).to_string(), "p"); // the second coin only after heads
///
/// // A loop: 1/(1 + p) within p^34, proved for every p.
/// let [p] = Polynomial::letters();
/// let parity = explore_letters(|[p]| p.parity_of_run(), 34);
/// let proof = parity.proves(&true, &Polynomial::from(1), &(1 + &p))?;
/// assert_eq!(*proof.width(), p.pow(34));
/// # Ok::<(), buffon::explore::NotProved<1>>(())
/// ```
pub fn explore_letters<M: Machine, const N: usize>(
    build: impl FnOnce([Letter; N]) -> M,
    depth: u32,
) -> Lettered<M::Output, N>
where
    M::Output: PartialEq,
{
    Explorer::new(depth).letters(build)
}

/// How many words there are with so many fair bits, heads and tails; by weights the number is not whole.
type Words<const N: usize> = BTreeMap<Counts<N>, BigRational>;

/// The fair bits of a word, and its heads and tails of each letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Counts<const N: usize> {
    bits: u32,
    heads: [u32; N],
    tails: [u32; N],
}

/// The law of a machine of N coins of unknown bias. Made by [`explore_letters`], [`Explorer::letters`] and
/// [`Explorer::letters_weighted`].
#[derive(Clone, Debug)]
pub struct Lettered<T, const N: usize> {
    outcomes: Vec<(T, Words<N>)>,
    open: Words<N>,
    /// Each question that was asked, and the words after which it was.
    asked: BTreeMap<Question, Words<N>>,
    depth: u32,
    runs: u64,
    open_runs: u64,
    fault: Option<Fault>,
}

/// The beginning of a word, and the weight of what is not counted in it.
#[derive(Clone, Debug)]
struct Word<const N: usize> {
    counts: Counts<N>,
    weight: BigRational,
}

impl<const N: usize> Word<N> {
    fn then(&self, (question, answer): Step) -> Self {
        let mut next = self.clone();
        match question {
            Question::Bit => next.counts.bits += 1,
            Question::Letter(letter) => {
                let Counts { heads, tails, .. } = &mut next.counts;
                let side = if answer == 1 { heads } else { tails };
                if let Some(count) = side.get_mut(letter as usize) {
                    *count += 1;
                }
            }
            Question::Ratio(..) | Question::Below(_) | Question::Word(_) => {
                next.weight *= weight((question, answer));
            }
        }
        next
    }

    fn add_to(&self, words: &mut Words<N>) {
        *words.entry(self.counts).or_insert_with(BigRational::zero) += &self.weight;
    }
}

fn polynomial<const N: usize>(words: &Words<N>) -> Polynomial<N> {
    Polynomial::of_words(words.iter().map(|(&Counts { bits, heads, tails }, number)| {
        let unit = BigRational::new(BigInt::one(), BigInt::one() << bits);
        (heads, tails, number * unit)
    }))
}

impl<T: PartialEq, const N: usize> Lettered<T, N> {
    fn explore<M: Machine<Output = T>>(
        machine: &M,
        asked: &Arc<Asked>,
        weighted: bool,
        depth: u32,
        most: u64,
    ) -> (Self, bool) {
        let mut found = Self {
            outcomes: Vec::new(),
            open: Words::new(),
            asked: BTreeMap::new(),
            depth,
            runs: 0,
            open_runs: 0,
            fault: None,
        };
        let counts = Counts { bits: 0, heads: [0; N], tails: [0; N] };
        let empty = Word { counts, weight: BigRational::one() };
        let mut words = Weights::new(empty);
        let mut tape = Tape::new(depth, weighted).with_letters(Arc::clone(asked));
        let finished = walk(machine, &mut tape, most, |run| {
            let asked = &mut found.asked;
            let word = words.follow(&run, Word::then, |question, word: &Word<N>| {
                word.add_to(asked.entry(question).or_default());
            });
            found.runs += 1;
            let Some(answer) = run.answer else {
                found.open_runs += 1;
                return word.add_to(&mut found.open);
            };
            match found.outcomes.iter_mut().rev().find(|(known, _)| *known == answer) {
                Some((_, words)) => word.add_to(words),
                None => {
                    let mut words = Words::new();
                    word.add_to(&mut words);
                    found.outcomes.push((answer, words));
                }
            }
        });
        found.fault = tape.fault();
        (found, finished)
    }

    /// The lower bound of P(outcome); where the machine [`is_finite`](Self::is_finite), P(outcome) itself.
    #[must_use]
    pub fn polynomial(&self, outcome: &T) -> Polynomial<N> {
        let found = self.outcomes.iter().find(|(known, _)| known == outcome);
        found.map_or_else(|| Polynomial::from(0), |(_, words)| polynomial(words))
    }

    /// Proves that P(outcome) is num/den, to within the open mass, for all probabilities at once.
    ///
    /// With L the [`polynomial`](Self::polynomial) and R the [open mass](Self::open), it is shown that L·den ≤ num and
    /// num ≤ (L + R)·den on all of [0, 1]^N, by coefficients that are not negative. Where R is 0 that is equality.
    ///
    /// # Errors
    ///
    /// [`NotProved`]: refuted for certain probabilities, or undecided, or the exploration had a fault.
    pub fn proves(
        &self,
        outcome: &T,
        num: &Polynomial<N>,
        den: &Polynomial<N>,
    ) -> Result<Proof<N>, NotProved<N>> {
        if let Some(fault) = self.fault {
            return Err(NotProved::Fault(fault));
        }
        if den.sign() != Sign::NeverNegative || den.is_zero() {
            return Err(NotProved::Denominator);
        }
        let (least, width) = (self.polynomial(outcome), self.open());
        let most = &least + &width;
        for (bound, slack, is_least) in
            [(&least, num - &least * den, true), (&most, &most * den - num, false)]
        {
            match slack.sign() {
                Sign::NeverNegative => {}
                Sign::Undecided => return Err(NotProved::Undecided),
                Sign::Negative(at) => {
                    let found = bound.at(&at);
                    let target = [num.at(&at), den.at(&at)];
                    let witness = Witness { at, found, is_least, target };
                    return Err(NotProved::Refuted(Box::new(witness)));
                }
            }
        }
        Ok(Proof { width })
    }
}

impl<T, const N: usize> Lettered<T, N> {
    /// The outcomes that were seen, each once.
    pub fn outcomes(&self) -> impl Iterator<Item = &T> {
        self.outcomes.iter().map(|(outcome, _)| outcome)
    }

    /// The open mass: P(more than depth flips).
    #[must_use]
    pub fn open(&self) -> Polynomial<N> {
        polynomial(&self.open)
    }

    /// Whether no run was cut off: then every polynomial is the probability itself.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.open.is_empty()
    }

    /// The expected flips of a letter, up to the depth: all of them if the machine [`is_finite`](Self::is_finite), else a
    /// lower bound. The letters are numbered from 0.
    #[must_use]
    pub fn expected_flips(&self, letter: u32) -> Polynomial<N> {
        let words = self.asked.get(&Question::Letter(letter));
        words.map_or_else(|| Polynomial::from(0), polynomial)
    }

    /// The expected fair bits besides the letters, up to the depth: all of them if the machine
    /// [`is_finite`](Self::is_finite), else a lower bound.
    ///
    /// An instruction that was explored by weights counts with the cost of its default body; that of a die whose formula is
    /// long is rounded down to 2^-64.
    #[must_use]
    pub fn expected_bits(&self) -> Polynomial<N> {
        self.asked.iter().fold(Polynomial::from(0), |sum, (&question, words)| {
            sum + polynomial(words) * Polynomial::from(cost(question, 64).low().clone())
        })
    }

    /// The depth explored, in flips of any kind.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// How many runs there were.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// What makes the polynomials worthless, if anything does.
    #[must_use]
    pub const fn fault(&self) -> Option<Fault> {
        self.fault
    }
}

impl Explorer {
    /// The law of a machine of N coins of unknown bias, as [`explore_letters`].
    pub fn letters<M: Machine, const N: usize>(
        self,
        build: impl FnOnce([Letter; N]) -> M,
    ) -> Lettered<M::Output, N>
    where
        M::Output: PartialEq,
    {
        self.with_letters(build, false)
    }

    /// The same with the instructions of the source as questions with weighted answers: a machine of letters and rational
    /// coins has a finite tree if its circuit is.
    pub fn letters_weighted<M: Machine, const N: usize>(
        self,
        build: impl FnOnce([Letter; N]) -> M,
    ) -> Lettered<M::Output, N>
    where
        M::Output: PartialEq,
    {
        self.with_letters(build, true)
    }

    fn with_letters<M: Machine, const N: usize>(
        self,
        build: impl FnOnce([Letter; N]) -> M,
        weighted: bool,
    ) -> Lettered<M::Output, N>
    where
        M::Output: PartialEq,
    {
        let asked = Arc::new(Asked::default());
        #[allow(clippy::cast_possible_truncation, reason = "arrays of 2^32 letters do not fit")]
        let machine = build(array::from_fn(|number| Letter::new(number as u32, &asked)));
        self.deepen(
            |depth, most| Lettered::explore(&machine, &asked, weighted, depth, most),
            |found| Size::new(found.runs, found.open_runs, found.fault),
        )
    }
}
