use alloc::string::String;
use core::cmp::Ordering;
use core::fmt::{self, Display, Formatter};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, Zero};

use super::ends::{complement, difference, dyadic, greatest, least, order, product, sum};

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
        match order(&a, &b) {
            Ordering::Less => Self { low: a, high: b },
            Ordering::Equal => Self::exact(a),
            Ordering::Greater => Self { low: b, high: a },
        }
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
        difference(&self.high, &self.low)
    }

    /// Whether the number is known exactly.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        // Both ends are in lowest terms.
        self.low.numer() == self.high.numer() && self.low.denom() == self.high.denom()
    }

    /// Whether the number, which is not negative, is zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.high.is_zero()
    }

    /// Whether the number may be `value`.
    #[must_use]
    pub fn contains(&self, value: &BigRational) -> bool {
        order(&self.low, value).is_le() && order(value, &self.high).is_le()
    }

    /// At most so many decimals, as far as both ends agree, and `…` where the number goes on; or, where the ends lie on either
    /// side of a short decimal, `≈` and that decimal, which is then less than one unit of its last place away.
    fn decimals(&self, places: usize) -> String {
        if self.high.is_negative() {
            let text = Self::new(-&self.high, -&self.low).decimals(places);
            return match text.strip_prefix('≈') {
                Some(short) => alloc::format!("≈-{short}"),
                None => alloc::format!("-{text}"),
            };
        }
        // Ends that lie 10^-k apart agree in k decimals at most, and are less than a unit from a shorter number only.
        let width = self.width();
        let apart =
            usize::try_from(width.denom().bits() - width.numer().bits().min(width.denom().bits()));
        let most =
            if width.is_zero() { places } else { apart.map_or(places, |bits| bits * 31 / 100 + 2) };
        let most = places.min(most);
        let scaled = |end: &BigRational, places: usize| {
            end * BigRational::from_integer(Pow::pow(BigInt::from(10u8), places))
        };
        let floor = |end: &BigRational, places: usize| scaled(end, places).floor().to_integer();
        let agree = |&places: &usize| floor(&self.low, places) == floor(&self.high, places);
        let nearest = |places: usize| scaled(&self.high, places).round().to_integer();
        let one = BigRational::one();
        let near = |&places: &usize| {
            let short = BigRational::from_integer(nearest(places));
            let distance = |end: &BigRational| (scaled(end, places) - &short).abs();
            distance(&self.low) < one && distance(&self.high) < one
        };
        let digits = |number: BigInt, places: usize| {
            let text = alloc::format!("{number:0>width$}", width = places + 1);
            let (whole, fraction) = text.split_at(text.len() - places);
            let point = if places == 0 { "" } else { "." };
            alloc::format!("{whole}{point}{fraction}")
        };
        let agreed = (0..=most).rev().find(agree);
        let short = (0..=most).rev().find(near);
        match (agreed, short) {
            (None, None) => alloc::format!("{}…{}", self.low.floor(), self.high.ceil()),
            (agreed, Some(short)) if agreed.is_none_or(|agreed| agreed + 1 < short) => {
                alloc::format!("≈{}", digits(nearest(short), short))
            }
            (agreed, _) => {
                let places = agreed.unwrap_or(0);
                let ends = self.is_exact() && scaled(&self.low, places).is_integer();
                let more = if ends { "" } else { "…" };
                alloc::format!("{}{more}", digits(floor(&self.low, places), places))
            }
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        self.each_end(other, sum)
    }

    /// The product, of numbers that are not negative.
    pub(crate) fn times(&self, other: &Self) -> Self {
        self.each_end(other, product)
    }

    /// An operation that grows with both numbers.
    fn each_end(
        &self,
        other: &Self,
        operation: impl Fn(&BigRational, &BigRational) -> BigRational,
    ) -> Self {
        let low = operation(&self.low, &other.low);
        if self.is_exact() && other.is_exact() {
            return Self::exact(low);
        }
        Self { low, high: operation(&self.high, &other.high) }
    }

    /// One less the number.
    pub(crate) fn complement(&self) -> Self {
        let low = complement(&self.high);
        let high = if self.is_exact() { low.clone() } else { complement(&self.low) };
        Self { low, high }
    }

    /// The quotient of numbers that are not negative; `None` where the divisor may be zero.
    pub(crate) fn over(&self, divisor: &Self) -> Option<Self> {
        if divisor.low.is_zero() {
            return None;
        }
        let low = &self.low / &divisor.high;
        let exact = self.is_exact() && divisor.is_exact();
        let high = if exact { low.clone() } else { &self.high / &divisor.low };
        Some(Self { low, high })
    }

    /// What is left within `other`; both hold the number, so something is.
    pub(crate) fn meet(&self, other: &Self) -> Self {
        let (low, high) = (greatest(&self.low, &other.low), least(&self.high, &other.high));
        Self { low: low.clone(), high: high.clone() }
    }

    /// The interval that holds both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let (low, high) = (least(&self.low, &other.low), greatest(&self.high, &other.high));
        Self { low: low.clone(), high: high.clone() }
    }

    /// Opened outwards to multiples of 2^-places, so that numerators stay short; an exact value stays as it is.
    pub(crate) fn rounded(&self, places: u32) -> Self {
        if self.is_exact() { self.clone() } else { self.opened(places) }
    }

    /// Opened outwards to multiples of 2^-places.
    pub(crate) fn opened(&self, places: u32) -> Self {
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
    pub(crate) fn shortened(&self, places: u32) -> Self {
        if self.is_exact() && self.is_short(places.into()) {
            return self.clone();
        }
        self.opened(places)
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
///
/// An interval about a short decimal, whose ends agree in no digits, shows that decimal: `≈2.00000` for 2 ± 10^-9.
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
