use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};

use num_integer::Integer;
use num_traits::ToPrimitive;

use super::Dyadic;
use crate::bits::{BitSource, try_leading, try_wide};
use crate::error::ProbabilityError;
use crate::machine::Machine;
use crate::ratio::{Leading, validate};

/// A coin of rational probability `num/den`, in any integer type: `u8` … `u128`, the signed ones, `BigUint`.
///
/// - Answers: at the first heads, on flip k, binary digit k of `num/den`; tails at once when only zero digits remain.
/// - Law: P(heads) = `num/den`, exactly: the first heads is on flip k with probability 2^-k, and Σ 2^-k·d_k = `num/den`.
/// - Expected fair bits: 2; 2 − 2^(1−m) if `num/den` is a/2^m in lowest terms; 0 if it is 0 or 1. No exact coin costs less
///   (Knuth and Yao 1976).
/// - Tail: P(more than k bits) = 2^-k, up to m for a/2^m, for which it is bounded by m bits. For any other value one
///   infinite string, tails for ever, gives no answer.
/// - Refuses: see [`new`](Rational::<u64>::new).
/// - Source: Lumbroso 2013, Appendix B.
///
/// Nothing is reduced when it is built: 2/4 is the same coin as 1/2, bit for bit, and `==` and `Hash` say so. No
/// intermediate value exceeds `den`, so any denominator up to the largest of the type will do.
///
/// ```
/// use buffon::{Coin, Rational, Script};
///
/// const THIRD: Rational<u8> = match Rational::<u8>::new(1, 3) {
///     Ok(coin) => coin,
///     Err(_) => panic!("1/3 is a probability"),
/// };
/// let mut bits = Script::from_str("TH H".replace(' ', "").as_str())?;
/// assert_eq!(THIRD.try_flip(&mut bits), Ok(true)); // 1/3 = 0.0101… in binary: the second digit
/// assert_eq!(THIRD.try_flip(&mut bits), Ok(false)); // the first
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A constant that is no probability does not compile:
///
/// ```compile_fail
/// use buffon::Rational;
/// const THREE_HALVES: Rational<u8> = match Rational::<u8>::new(3, 2) {
///     Ok(coin) => coin,
///     Err(_) => panic!("3/2 is no probability"),
/// };
/// ```
#[derive(Clone, Copy)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Rational<T> {
    num: T,
    den: T,
    first: Leading,
}

impl<T: Debug> Debug for Rational<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rational").field("num", &self.num).field("den", &self.den).finish()
    }
}

/// A constructor for each integer type, so that it can be `const`.
macro_rules! constructors {
    ($($int:ty)+) => {$(
        impl Rational<$int> {
            /// The coin of probability `num/den`.
            ///
            /// # Errors
            ///
            /// [`ZeroDenominator`](ProbabilityError::ZeroDenominator) if `den` is zero,
            /// [`Negative`](ProbabilityError::Negative) if either number is negative (both, too), and
            /// [`AboveOne`](ProbabilityError::AboveOne) if `num` is greater than `den`.
            #[allow(
                unused_comparisons,
                clippy::absurd_extreme_comparisons,
                clippy::cast_lossless,
                clippy::cast_sign_loss,
                reason = "one text for signed and unsigned; what is cast is not negative"
            )]
            #[inline]
            pub const fn new(num: $int, den: $int) -> Result<Self, ProbabilityError> {
                if den == 0 {
                    Err(ProbabilityError::ZeroDenominator)
                } else if den < 0 || num < 0 {
                    Err(ProbabilityError::Negative)
                } else if num > den {
                    Err(ProbabilityError::AboveOne)
                } else {
                    Ok(Self { num, den, first: Leading::new(num as u128, den as u128) })
                }
            }
        }
    )+};
}

/// The same for fractions that are known to be probabilities.
macro_rules! proven {
    ($($int:ty)+) => {$(
        impl Rational<$int> {
            #[inline]
            pub(crate) const fn proven(num: $int, den: $int) -> Self {
                Self { num, den, first: Leading::new(num as u128, den as u128) }
            }
        }
    )+};
}

proven!(u64 u128);

constructors!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

#[cfg(feature = "exact")]
impl Rational<num_bigint::BigUint> {
    /// The coin of probability `num/den`.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ProbabilityError::ZeroDenominator) if `den` is zero, and
    /// [`AboveOne`](ProbabilityError::AboveOne) if `num` is greater than `den`.
    pub fn new(
        num: num_bigint::BigUint,
        den: num_bigint::BigUint,
    ) -> Result<Self, ProbabilityError> {
        Self::try_from((num, den))
    }
}

impl Rational<u64> {
    /// The coin whose probability is the very value of `x`, a dyadic rational.
    ///
    /// `0.1` is stored as 3602879701896397/2^55, and this is a coin of that probability, not of 1/10. Subnormal numbers are
    /// exact too, and −0.0 is 0. The same as [`Dyadic::from_f64`].
    ///
    /// # Errors
    ///
    /// [`NotFinite`](ProbabilityError::NotFinite) for a NaN or an infinity, [`Negative`](ProbabilityError::Negative) below
    /// 0, [`AboveOne`](ProbabilityError::AboveOne) above 1.
    pub const fn from_f64(x: f64) -> Result<Dyadic, ProbabilityError> {
        Dyadic::from_f64(x)
    }
}

impl<T> Rational<T> {
    /// The numerator, as given.
    #[must_use]
    pub const fn numer(&self) -> &T {
        &self.num
    }

    /// The denominator, as given.
    #[must_use]
    pub const fn denom(&self) -> &T {
        &self.den
    }

    /// The first digits.
    pub(crate) const fn leading(&self) -> &Leading {
        &self.first
    }
}

impl<T: Integer + Clone + ToPrimitive> TryFrom<(T, T)> for Rational<T> {
    type Error = ProbabilityError;

    /// The coin of probability `num/den`, for use where the integer type is to be inferred.
    fn try_from((num, den): (T, T)) -> Result<Self, ProbabilityError> {
        validate(&num, &den)?;
        let first = match (num.to_u128(), den.to_u128()) {
            (Some(num), Some(den)) => Leading::new(num, den),
            _ => Leading::of(&num, &den),
        };
        Ok(Self { num, den, first })
    }
}

#[cfg(feature = "exact")]
impl<T: Integer + Clone + ToPrimitive> TryFrom<num_rational::Ratio<T>> for Rational<T> {
    type Error = ProbabilityError;

    /// The coin of that probability; the fraction is checked, since `Ratio::new_raw` checks nothing.
    fn try_from(ratio: num_rational::Ratio<T>) -> Result<Self, ProbabilityError> {
        Self::try_from(ratio.into_raw())
    }
}

impl<T: Integer + Clone> Rational<T> {
    /// Numerator and denominator in lowest terms.
    fn reduced(&self) -> (T, T) {
        let common = self.num.gcd(&self.den);
        (self.num.clone() / common.clone(), self.den.clone() / common)
    }
}

impl<T: Integer + Clone> PartialEq for Rational<T> {
    /// Equal as numbers.
    fn eq(&self, other: &Self) -> bool {
        self.reduced() == other.reduced()
    }
}

impl<T: Integer + Clone> Eq for Rational<T> {}

impl<T: Integer + Clone + Hash> Hash for Rational<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.reduced().hash(state);
    }
}

impl<T: Integer + Clone + ToPrimitive> Machine for Rational<T> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        if bits.answers_ratios() {
            return try_wide(&self.num, &self.den, bits);
        }
        try_leading(&self.first, &self.num, &self.den, bits)
    }
}
