use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Debug, Display, Formatter};
use core::ops::Add;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use crate::bits::BitSource;
use crate::machine::Machine;

/// Where a flip leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next<S, T> {
    /// To a state that asks for another flip.
    State(S),
    /// To an answer.
    Answer(T),
}

/// A machine that shows its state between two flips, so that its law can be checked state by state.
///
/// A closed form of the law then needs no tree: it is right if it is a mean over the two flips, in each state
/// ([`check_law`]). And a finite number of states is solved, not only bounded ([`Chain::of`](super::Chain::of)).
/// [`StepByStep`] makes a machine of it.
///
/// ```
/// use buffon::explore::{Next, StepByStep, States, check_law};
/// use buffon::{Rational, explore};
///
/// /// The coin num/den by long division; the state is the remainder.
/// struct Division { num: u64, den: u64 }
///
/// impl States for Division {
///     type State = u64;
///     type Output = bool;
///     fn start(&self) -> Next<u64, bool> {
///         Next::State(self.num)
///     }
///     fn step(&self, rest: &u64, flip: bool) -> Next<u64, bool> {
///         let digit = 2 * rest >= self.den;
///         let rest = 2 * rest % self.den;
///         if flip { Next::Answer(digit) } else if rest == 0 { Next::Answer(false) } else { Next::State(rest) }
///     }
/// }
///
/// // From remainder r, heads has probability r/den: in units of 1/den that is r, and 1 is den.
/// let coin = Division { num: 3, den: 7 };
/// assert_eq!(check_law(&coin, 100, |&rest| rest, |&heads| if heads { 7 } else { 0 }), Ok(3));
/// // It is the machine of the library, flip by flip; both have at most 6 states, so 11 flips prove it.
/// assert!(explore(&StepByStep(coin), 11).leaves().eq(explore(&Rational::<u64>::new(3, 7)?, 11).leaves()));
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
pub trait States {
    /// What the machine knows between two flips.
    type State: Clone + Ord;
    /// What it answers.
    type Output;

    /// Where it stands before the first flip.
    fn start(&self) -> Next<Self::State, Self::Output>;

    /// Where a flip leads from a state.
    fn step(&self, state: &Self::State, flip: bool) -> Next<Self::State, Self::Output>;
}

/// The machine that walks through [`States`], one fair bit for each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepByStep<S>(pub S);

impl<S: States> Machine for StepByStep<S> {
    type Output = S::Output;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<S::Output, B::Error> {
        let mut next = self.0.start();
        loop {
            match next {
                Next::State(state) => next = self.0.step(&state, bits.try_bit()?),
                Next::Answer(answer) => return Ok(answer),
            }
        }
    }
}

/// Why a statement about states is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatesError<S> {
    /// More states than were allowed can be reached.
    TooMany,
    /// No sequence of flips leads from this state to an answer.
    NeverEnds(S),
    /// In this state the value is not what the values after the two flips make it.
    Wrong(S),
}

impl<S: Debug> Display for StatesError<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => f.write_str("more states can be reached than are allowed"),
            Self::NeverEnds(state) => write!(f, "no flips lead from state {state:?} to an answer"),
            Self::Wrong(state) => write!(f, "the value in state {state:?} is wrong"),
        }
    }
}

impl<S: Debug> Error for StatesError<S> {}

/// Whether the value of one state is the mean of the values after its two flips: 2·h(s) = h(tails) + h(heads).
///
/// For a proof it has to hold in every state that can be reached: [`check_law`] finds them; a loop over all states there
/// may ever be is faster. All rational coins with denominators up to 2^16 are two thousand million states, a few seconds.
#[inline]
pub fn is_mean<S: States, W: Add<Output = W> + PartialEq>(
    states: &S,
    state: &S::State,
    of_state: impl Fn(&S::State) -> W,
    of_answer: impl Fn(&S::Output) -> W,
) -> bool {
    let value = |next| match next {
        Next::State(state) => of_state(&state),
        Next::Answer(answer) => of_answer(&answer),
    };
    of_state(state) + of_state(state)
        == value(states.step(state, false)) + value(states.step(state, true))
}

/// Proves a closed form of a law: that the expectation of `of_answer` over the answers is the value returned, which is that
/// of the start.
///
/// It is checked in each state that can be reached, of which there must be at most `most`, that its value is the
/// [mean](is_mean) of the next two, and that an answer can be reached. So the values seen along a run are a bounded
/// martingale, and a run ends with probability one: from each state within m flips with probability 2^-m at least. Values may
/// be of any exact type: whole numbers in some unit are the fastest.
///
/// # Errors
///
/// A [`StatesError`], with the state where the check fails.
pub fn check_law<S: States, W: Add<Output = W> + PartialEq>(
    states: &S,
    most: usize,
    of_state: impl Fn(&S::State) -> W,
    of_answer: impl Fn(&S::Output) -> W,
) -> Result<W, StatesError<S::State>> {
    let reached = Reached::new(states, most).ok_or(StatesError::TooMany)?;
    let wrong = |state: &&S::State| !is_mean(states, state, &of_state, &of_answer);
    if let Some(state) = reached.states.iter().find(wrong) {
        return Err(StatesError::Wrong(state.clone()));
    }
    reached.all_end()?;
    Ok(match states.start() {
        Next::State(state) => of_state(&state),
        Next::Answer(answer) => of_answer(&answer),
    })
}

/// Proves an upper bound of the expected fair bits: the value at the start, which is returned.
///
/// In each state that can be reached the value must be at least 1 more than the mean of the next two, answers having 0, and
/// not negative: then they are at most the value.
///
/// # Errors
///
/// A [`StatesError`], with the state where the check fails.
pub fn check_cost<S: States>(
    states: &S,
    most: usize,
    of_state: impl Fn(&S::State) -> BigRational,
) -> Result<BigRational, StatesError<S::State>> {
    let reached = Reached::new(states, most).ok_or(StatesError::TooMany)?;
    let value = |next| match next {
        Next::State(state) => of_state(&state),
        Next::Answer(_) => BigRational::from_integer(0.into()),
    };
    for state in &reached.states {
        let next = value(states.step(state, false)) + value(states.step(state, true));
        let own = of_state(state);
        if own.is_negative() || own < BigRational::one() + next / BigInt::from(2) {
            return Err(StatesError::Wrong(state.clone()));
        }
    }
    Ok(value(states.start()))
}

/// The states that can be reached, in the order of the fewest flips.
pub(super) struct Reached<S: States> {
    pub(super) states: Vec<S::State>,
    /// Where each state's two flips lead, states by their number.
    pub(super) moves: Vec<[Next<usize, S::Output>; 2]>,
}

impl<S: States> Reached<S> {
    /// `None` if there are more than `most`.
    pub(super) fn new(states: &S, most: usize) -> Option<Self> {
        let mut found = Self { states: Vec::new(), moves: Vec::new() };
        let mut numbers = BTreeMap::new();
        let mut queue = VecDeque::new();
        if let Next::State(start) = states.start() {
            numbers.insert(start.clone(), 0);
            queue.push_back(start);
        }
        while let Some(state) = queue.pop_front() {
            if found.states.len() == most {
                return None;
            }
            let moves = [false, true].map(|flip| match states.step(&state, flip) {
                Next::Answer(answer) => Next::Answer(answer),
                Next::State(next) => {
                    let number = numbers.len();
                    Next::State(*numbers.entry(next).or_insert_with_key(|next| {
                        queue.push_back(next.clone());
                        number
                    }))
                }
            });
            found.states.push(state);
            found.moves.push(moves);
        }
        Some(found)
    }

    /// Whether an answer can be reached from each state.
    fn all_end(self) -> Result<(), StatesError<S::State>> {
        let ends = ending(&self.moves);
        let never = self.states.into_iter().zip(ends).find(|(_, ends)| !ends);
        never.map_or(Ok(()), |(state, _)| Err(StatesError::NeverEnds(state)))
    }
}

/// For each state whether an answer can be reached from it: spread backwards from the answers.
pub(super) fn ending<T>(moves: &[[Next<usize, T>; 2]]) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = moves.iter().map(|_| Vec::new()).collect();
    let mut ends: Vec<bool> = moves.iter().map(|_| false).collect();
    let mut found = Vec::new();
    for (state, next) in moves.iter().enumerate() {
        for next in next {
            match next {
                Next::Answer(_) => found.push(state),
                Next::State(next) => before[*next].push(state),
            }
        }
    }
    while let Some(state) = found.pop() {
        if !core::mem::replace(&mut ends[state], true) {
            found.extend(&before[state]);
        }
    }
    ends
}
