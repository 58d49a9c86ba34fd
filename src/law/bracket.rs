use alloc::string::String;
use core::fmt::{self, Display, Formatter};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

/// A closed interval of rationals that holds a number: `low() == high()` when the number is known exactly.
///
/// ```
/// use buffon::{KnownLaw, Rational};
/// let third = Rational::<u64>::new(1, 3)?.probability(64);
/// assert!(third.is_exact());
/// assert_eq!(third.low(), third.high());
/// assert_eq!(format!("{third} {third:.5}"), "1/3 0.33333…");
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bracket {
    low: BigRational,
    high: BigRational,
}

impl Bracket {
    /// The interval from the smaller to the greater of the two numbers.
    #[must_use]
    pub fn new(a: BigRational, b: BigRational) -> Self {
        if a <= b { Self { low: a, high: b } } else { Self { low: b, high: a } }
    }

    /// One number, known exactly.
    #[must_use]
    pub fn exact(value: BigRational) -> Self {
        Self { low: value.clone(), high: value }
    }

    pub(crate) fn ratio(num: impl Into<BigInt>, den: impl Into<BigInt>) -> Self {
        Self::exact(BigRational::new(num.into(), den.into()))
    }

    pub(crate) fn zero() -> Self {
        Self::exact(BigRational::zero())
    }

    pub(crate) fn one() -> Self {
        Self::exact(BigRational::one())
    }

    /// Ends that are known to be in order.
    pub(crate) const fn ordered(low: BigRational, high: BigRational) -> Self {
        Self { low, high }
    }

    /// What is known of any probability: [0, 1].
    pub(crate) fn unit() -> Self {
        Self { low: BigRational::zero(), high: BigRational::one() }
    }

    /// The lower end.
    #[must_use]
    pub const fn low(&self) -> &BigRational {
        &self.low
    }

    /// The upper end.
    #[must_use]
    pub const fn high(&self) -> &BigRational {
        &self.high
    }

    /// The upper end less the lower end.
    #[must_use]
    pub fn width(&self) -> BigRational {
        &self.high - &self.low
    }

    /// Whether the number is known exactly.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// Whether the number, which is not negative, is zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.high.is_zero()
    }

    /// Whether the number may be `value`.
    #[must_use]
    pub fn contains(&self, value: &BigRational) -> bool {
        self.low <= *value && *value <= self.high
    }

    /// At most so many decimals, as far as both ends agree; `…` where the number goes on.
    fn decimals(&self, places: usize) -> String {
        let digits = |end: &BigRational, places: usize| {
            let scale = BigRational::from_integer(Pow::pow(BigInt::from(10u8), places));
            let shifted = end * scale;
            (shifted.floor().to_integer(), shifted.is_integer())
        };
        let agree = |&places: &usize| digits(&self.low, places).0 == digits(&self.high, places).0;
        let Some(places) = (0..=places).rev().find(agree) else {
            return alloc::format!("{}…{}", self.low.floor(), self.high.ceil());
        };
        let (shifted, ends) = digits(&self.low, places);
        let text = alloc::format!("{shifted:0>width$}", width = places + 1);
        let (whole, fraction) = text.split_at(text.len() - places);
        let point = if places == 0 { "" } else { "." };
        let more = if ends && self.is_exact() { "" } else { "…" };
        alloc::format!("{whole}{point}{fraction}{more}")
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        Self { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    /// The product, of numbers that are not negative.
    pub(crate) fn times(&self, other: &Self) -> Self {
        Self { low: &self.low * &other.low, high: &self.high * &other.high }
    }

    /// One less the number.
    pub(crate) fn complement(&self) -> Self {
        // 1 − a/b = (b − a)/b is in lowest terms if a/b is.
        let of = |x: &BigRational| BigRational::new_raw(x.denom() - x.numer(), x.denom().clone());
        let low = of(&self.high);
        let high = if self.is_exact() { low.clone() } else { of(&self.low) };
        Self { low, high }
    }

    /// The quotient of numbers that are not negative; `None` where the divisor may be zero.
    pub(crate) fn over(&self, divisor: &Self) -> Option<Self> {
        (!divisor.low.is_zero())
            .then(|| Self { low: &self.low / &divisor.high, high: &self.high / &divisor.low })
    }

    /// What is left within `other`; both hold the number, so something is.
    pub(crate) fn meet(&self, other: &Self) -> Self {
        let low = if self.low >= other.low { &self.low } else { &other.low };
        let high = if self.high <= other.high { &self.high } else { &other.high };
        Self { low: low.clone(), high: high.clone() }
    }

    /// The interval that holds both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let low = if self.low <= other.low { &self.low } else { &other.low };
        let high = if self.high >= other.high { &self.high } else { &other.high };
        Self { low: low.clone(), high: high.clone() }
    }

    /// Opened outwards to multiples of 2^-places, so that numerators stay short; an exact value stays as it is.
    pub(crate) fn rounded(&self, places: u32) -> Self {
        if self.is_exact() {
            return self.clone();
        }
        let places = u64::from(places);
        let low = (self.low.numer() << places).div_floor(self.low.denom());
        let high = (self.high.numer() << places).div_ceil(self.high.denom());
        Self { low: dyadic(low, places), high: dyadic(high, places) }
    }

    /// Whether the lower end has a denominator of at most so many digits.
    pub(crate) fn is_short(&self, digits: u64) -> bool {
        self.low.denom().bits() <= digits
    }

    /// Whether the upper end is at most 2^-places.
    pub(crate) fn is_below(&self, places: u32) -> bool {
        (self.high.numer() << places) <= *self.high.denom()
    }

    /// The same, of exact values too if they are long.
    fn shortened(&self, places: u32) -> Self {
        if self.is_exact() && self.low.denom().bits() <= u64::from(places) {
            return self.clone();
        }
        let scale = BigRational::from_integer(BigInt::one() << places);
        let end = |end: BigRational| end / &scale;
        Self { low: end((&self.low * &scale).floor()), high: end((&self.high * &scale).ceil()) }
    }

    /// p^n and 1 + p + … + p^(n−1), of a probability p: by doubling, p^2m = (p^m)² and s(2m) = s(m)·(1 + p^m).
    ///
    /// A step doubles the width of the sum at most, and there are 64: so many places more are kept.
    pub(crate) fn power_and_sum(&self, n: u64, places: u32) -> (Self, Self) {
        let places = places.saturating_add(128);
        let (mut power, mut sum) = (Self::one(), Self::zero());
        for place in (0..u64::BITS - n.leading_zeros()).rev() {
            sum = sum.plus(&sum.times(&power));
            power = power.times(&power);
            if n >> place & 1 == 1 {
                sum = sum.times(self).plus(&Self::one());
                power = power.times(self);
            }
            (sum, power) = (sum.shortened(places), power.shortened(places));
        }
        (power, sum)
    }

    /// Whether the interval is no wider than 2^-precision.
    pub(crate) fn is_within(&self, precision: u32) -> bool {
        Self::exact(self.width()).is_below(precision)
    }
}

impl From<BigRational> for Bracket {
    fn from(value: BigRational) -> Self {
        Self::exact(value)
    }
}

/// A fraction or an interval of fractions; with a precision, as `{:.10}`, the decimals that are certain, cut off there.
impl Display for Bracket {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(places) = f.precision() {
            let text = self.decimals(places);
            write!(f, "{text:>width$}", width = f.width().unwrap_or(0))
        } else if self.is_exact() {
            write!(f, "{}", self.low)
        } else {
            write!(f, "[{}, {}]", self.low, self.high)
        }
    }
}

/// `n`/2^places, in lowest terms by a shift: a general greatest common divisor costs far more.
pub(crate) fn dyadic(n: BigInt, places: u64) -> BigRational {
    let zeros = n.trailing_zeros().unwrap_or(places).min(places);
    BigRational::new_raw(n >> zeros, BigInt::one() << (places - zeros))
}

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
        Self { low: bracket.low.clone(), high: Some(bracket.high.clone()) }
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
        Some(Bracket { low: self.low.clone(), high })
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a + b);
        Self { low: &self.low + &other.low, high }
    }

    /// This cost, paid a number of times that has the given expectation. What is surely never paid costs nothing.
    pub(crate) fn times(&self, count: &Bracket) -> Self {
        let high = match &self.high {
            Some(high) => Some(high * count.high()),
            None => count.high().is_zero().then(BigRational::zero),
        };
        Self { low: &self.low * count.low(), high }
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
