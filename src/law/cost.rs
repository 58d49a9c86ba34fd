use num_rational::BigRational;
use num_traits::Zero;

use super::bracket::Bracket;
use super::ends::{product, sum};

/// Expected fair bits, with an upper end only where one can be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    low: BigRational,
    high: Option<BigRational>,
}

impl Cost {
    /// A cost between the ends of the bracket.
    #[must_use]
    pub fn within(bracket: &Bracket) -> Self {
        Self { low: bracket.low().clone(), high: Some(bracket.high().clone()) }
    }

    /// A cost of at least `low`, with no upper end known.
    #[must_use]
    pub const fn at_least(low: BigRational) -> Self {
        Self { low, high: None }
    }

    /// An exact whole number of bits.
    #[must_use]
    pub fn bits(n: u64) -> Self {
        Self::within(&Bracket::ratio(n, 1))
    }

    /// The lower end.
    #[must_use]
    pub const fn low(&self) -> &BigRational {
        &self.low
    }

    /// The upper end; `None` where none can be proved.
    #[must_use]
    pub const fn high(&self) -> Option<&BigRational> {
        self.high.as_ref()
    }

    /// The bracket, if there is an upper end.
    #[must_use]
    pub fn bracket(&self) -> Option<Bracket> {
        let high = self.high.clone()?;
        Some(Bracket::ordered(self.low.clone(), high))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| sum(a, b));
        Self { low: sum(&self.low, &other.low), high }
    }

    /// This cost, paid a number of times that has the given expectation. What is surely never paid costs nothing.
    pub(crate) fn times(&self, count: &Bracket) -> Self {
        let high = match &self.high {
            Some(high) => Some(product(high, count.high())),
            None => count.high().is_zero().then(BigRational::zero),
        };
        Self { low: product(&self.low, count.low()), high }
    }

    /// This cost for each round, where a round is the last one with the given probability.
    pub(crate) fn over(&self, last: &Bracket) -> Self {
        let low = if last.high().is_zero() { self.low.clone() } else { &self.low / last.high() };
        let high = match &self.high {
            Some(high) if high.is_zero() => Some(BigRational::zero()),
            Some(high) if !last.low().is_zero() => Some(high / last.low()),
            _ => None,
        };
        Self { low, high }
    }

    pub(crate) fn rounded(&self, places: u32) -> Self {
        match self.bracket() {
            Some(bracket) => Self::within(&bracket.rounded(places)),
            None => self.clone(),
        }
    }
}
