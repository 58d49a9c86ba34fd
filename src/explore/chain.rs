use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::states::{Next, Reached, States, ending};

/// A machine of finitely many states, solved: its law, its expected bits and their variance are rational numbers.
///
/// Made by [`Chain::of`] from a machine that shows its states, and by [`Tree::collapse`](super::Tree::collapse) from the
/// tree of any machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain<T> {
    outcomes: Vec<T>,
    /// State 0, or an answer, by its number.
    start: Next<usize, usize>,
    moves: Vec<[Next<usize, usize>; 2]>,
}

impl<T: PartialEq> Chain<T> {
    /// The states of a machine that shows them; `None` if more than `most` can be reached.
    ///
    /// ```
    /// use buffon::explore::{Chain, Next, States};
    /// /// A walk on 0 … n by fair steps, from n/2 until an end.
    /// struct Ruin(u32);
    /// impl States for Ruin {
    ///     type State = u32;
    ///     type Output = bool;
    ///     fn start(&self) -> Next<u32, bool> {
    ///         Next::State(self.0 / 2)
    ///     }
    ///     fn step(&self, place: &u32, flip: bool) -> Next<u32, bool> {
    ///         match if flip { place + 1 } else { place - 1 } {
    ///             0 => Next::Answer(false),
    ///             n if n == self.0 => Next::Answer(true),
    ///             place => Next::State(place),
    ///         }
    ///     }
    /// }
    /// let chain = Chain::of(&Ruin(10), 100).ok_or("too many states")?;
    /// let q = |a: i64, b: i64| num_rational::BigRational::new(a.into(), b.into());
    /// assert_eq!((chain.states(), chain.probability(&true)), (9, q(1, 2)));
    /// assert_eq!(chain.expected_bits(), Some(q(25, 1))); // 5·(10 − 5)
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of<S: States<Output = T>>(states: &S, most: usize) -> Option<Self> {
        let reached = Reached::new(states, most)?;
        let mut outcomes = Vec::new();
        let start = match states.start() {
            Next::State(_) => Next::State(0),
            Next::Answer(answer) => Next::Answer(number(&mut outcomes, answer)),
        };
        let mut of_answer = |next| match next {
            Next::State(state) => Next::State(state),
            Next::Answer(answer) => Next::Answer(number(&mut outcomes, answer)),
        };
        let moves =
            reached.moves.into_iter().map(|[tails, heads]| [of_answer(tails), of_answer(heads)]);
        let moves = moves.collect();
        Some(Self { outcomes, start, moves })
    }

    /// P(outcome), exactly.
    #[must_use]
    pub fn probability(&self, outcome: &T) -> BigRational {
        let known = self.outcomes.iter().position(|known| known == outcome);
        known.map_or_else(BigRational::zero, |known| self.law().swap_remove(known))
    }
}

/// The number of an outcome, found or given now.
fn number<T: PartialEq>(outcomes: &mut Vec<T>, answer: T) -> usize {
    outcomes.iter().position(|known| *known == answer).unwrap_or_else(|| {
        outcomes.push(answer);
        outcomes.len() - 1
    })
}

impl<T> Chain<T> {
    pub(super) const fn new(
        outcomes: Vec<T>,
        start: Next<usize, usize>,
        moves: Vec<[Next<usize, usize>; 2]>,
    ) -> Self {
        Self { outcomes, start, moves }
    }

    /// The number of states between the flips.
    #[must_use]
    pub fn states(&self) -> usize {
        self.moves.len()
    }

    /// The outcomes that some flips lead to.
    #[must_use]
    pub fn outcomes(&self) -> &[T] {
        &self.outcomes
    }

    /// The probabilities of the [`outcomes`](Self::outcomes), exactly. They add up to less than 1 if it may never end.
    #[must_use]
    pub fn law(&self) -> Vec<BigRational> {
        let unit = |answer: usize| {
            (0..self.outcomes.len())
                .map(move |known| BigRational::from_integer(u8::from(known == answer).into()))
        };
        match self.start {
            Next::Answer(answer) => unit(answer).collect(),
            Next::State(start) => {
                // 2·h(s) = h(tails) + h(heads), and h is 1 for the answer itself and 0 for the others.
                let constants = self.moves.iter().map(|moves| {
                    let mut sides = vec![BigRational::zero(); self.outcomes.len()];
                    for next in moves {
                        if let Next::Answer(answer) = next {
                            sides[*answer] += BigRational::one();
                        }
                    }
                    sides
                });
                self.solve(constants.collect()).swap_remove(start)
            }
        }
    }

    /// The expected fair bits, exactly; `None` if it may never end.
    #[must_use]
    pub fn expected_bits(&self) -> Option<BigRational> {
        self.moments().map(|[mean, _]| mean)
    }

    /// The variance of the number of fair bits, exactly; `None` if it may never end.
    #[must_use]
    pub fn variance_of_bits(&self) -> Option<BigRational> {
        self.moments().map(|[mean, square]| square - &mean * &mean)
    }

    /// E[T] and E[T²].
    fn moments(&self) -> Option<[BigRational; 2]> {
        let Next::State(start) = self.start else {
            return Some([BigRational::zero(), BigRational::zero()]);
        };
        if ending(&self.moves).contains(&false) {
            return None;
        }
        let two = BigRational::from_integer(2.into());
        // From a state it takes one flip and then T': E[T] = 1 + E[T'], and E[T²] = 1 + 2·E[T'] + E[T'²] = 2·E[T] − 1 + E[T'²].
        let means = self.solve(self.moves.iter().map(|_| vec![two.clone()]).collect());
        let squares = means.iter().map(|mean| vec![&two * (&two * &mean[0] - BigRational::one())]);
        let squares = self.solve(squares.collect());
        Some([means[start][0].clone(), squares[start][0].clone()])
    }

    /// Solves 2·x(s) = c(s) + Σ x(next) over the two flips, for several constants at once; x is 0 where no answer can be
    /// reached, which leaves a regular system.
    ///
    /// Elimination from the last state to the first, over whole numbers: rows are combined by cross-multiplication and
    /// divided by what they have in common. A row, once done, holds no later state than its own. Rows are sparse, as most
    /// machines' states lead to few others.
    fn solve(&self, constants: Vec<Vec<BigRational>>) -> Vec<Vec<BigRational>> {
        let ends = ending(&self.moves);
        let columns = constants.first().map_or(0, Vec::len);
        let mut rows: Vec<Row> = Vec::new();
        for (state, (moves, constants)) in self.moves.iter().zip(constants).enumerate() {
            let next = moves.iter().filter_map(|next| match *next {
                Next::State(next) => Some(next).filter(|&next| ends[next]),
                Next::Answer(_) => None,
            });
            rows.push(Row::new(state, next, constants));
        }
        for state in (0..rows.len()).rev().filter(|&state| ends[state]) {
            let (before, after) = rows.split_at_mut(state + 1);
            let row = &mut before[state];
            while let Some(last) = row.last().filter(|&last| last > state) {
                row.eliminate(last, &after[last - state - 1]);
            }
        }
        let mut values: Vec<Vec<BigRational>> = Vec::new();
        for (state, row) in rows.into_iter().enumerate() {
            let value = if ends[state] {
                row.value(state, &values)
            } else {
                vec![BigRational::zero(); columns]
            };
            values.push(value);
        }
        values
    }
}

/// An equation: Σ coefficients·x = constants, in whole numbers.
struct Row {
    coefficients: BTreeMap<usize, BigInt>,
    constants: Vec<BigInt>,
}

impl Row {
    /// 2·x(state) − Σ x(next) = constants, multiplied by their denominators.
    fn new(state: usize, next: impl Iterator<Item = usize>, constants: Vec<BigRational>) -> Self {
        let whole = constants.iter().fold(BigInt::one(), |whole, c| whole.lcm(c.denom()));
        let mut coefficients = BTreeMap::from([(state, &whole * 2)]);
        for next in next {
            *coefficients.entry(next).or_insert_with(BigInt::zero) -= &whole;
        }
        let constants = constants.into_iter().map(|c| c.numer() * (&whole / c.denom())).collect();
        Self { coefficients, constants }
    }

    fn last(&self) -> Option<usize> {
        self.coefficients.last_key_value().map(|(&state, _)| state)
    }

    /// Takes away so much of `other` that `state` is no longer in this row.
    fn eliminate(&mut self, state: usize, other: &Self) {
        let (Some(own), Some(pivot)) =
            (self.coefficients.get(&state).cloned(), other.coefficients.get(&state))
        else {
            return;
        };
        for coefficient in self.coefficients.values_mut().chain(&mut self.constants) {
            *coefficient *= pivot;
        }
        for (&at, coefficient) in &other.coefficients {
            *self.coefficients.entry(at).or_insert_with(BigInt::zero) -= coefficient * &own;
        }
        for (constant, other) in self.constants.iter_mut().zip(&other.constants) {
            *constant -= other * &own;
        }
        self.coefficients.retain(|_, coefficient| !coefficient.is_zero());
        let values = || self.coefficients.values().chain(&self.constants);
        let common = values().fold(BigInt::zero(), |common, value| common.gcd(value));
        if !common.is_one() && !common.is_zero() {
            for value in self.coefficients.values_mut().chain(&mut self.constants) {
                *value /= &common;
            }
        }
    }

    /// x(state), from the values of the states before it.
    fn value(self, state: usize, before: &[Vec<BigRational>]) -> Vec<BigRational> {
        let Self { mut coefficients, constants } = self;
        let own = coefficients.remove(&state).unwrap_or_else(BigInt::one);
        let column = |(column, constant): (usize, BigInt)| {
            let known =
                coefficients.iter().map(|(&at, coefficient)| &before[at][column] * coefficient);
            let known: BigRational = known.sum();
            (BigRational::from_integer(constant) - known) / &own
        };
        constants.into_iter().enumerate().map(column).collect()
    }
}
