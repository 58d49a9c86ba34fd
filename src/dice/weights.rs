//! Numbers of any kind as weights, and how they are brought to whole numbers.

use alloc::vec::Vec;

use num_integer::Integer;

use crate::error::{ProbabilityError, WeightError};
use crate::ratio::decode;

/// A number that can be a weight: an integer of any primitive type, `f64` or `f32` (its exact dyadic value), a reference
/// to one; with the feature `exact` also `BigUint` and `num_rational::Ratio` of any integer type.
///
/// It cannot be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a weight",
    note = "integers, `f32`, `f64`, and references to them are; with the feature `exact`, `BigUint` and `Ratio` too"
)]
pub trait Weight {
    /// The exact value, or what is wrong with the weight at `index`.
    #[doc(hidden)]
    fn value(&self, index: usize) -> Result<Value, WeightError>;
}

/// The exact value of a weight.
#[derive(Clone, Debug)]
pub enum Value {
    /// `odd * 2^exponent`, where `odd` is an odd number or zero.
    Binary { odd: u128, exponent: i32 },
    /// A fraction in lowest terms.
    #[cfg(feature = "exact")]
    Fraction(alloc::boxed::Box<Fraction>),
}

impl Value {
    /// `n * 2^exponent`.
    fn binary(n: u128, exponent: i32) -> Self {
        match n.trailing_zeros() {
            128 => Self::Binary { odd: 0, exponent: 0 },
            zeros => {
                Self::Binary { odd: n >> zeros, exponent: exponent.saturating_add_unsigned(zeros) }
            }
        }
    }

    /// `n` times this value, if a `u128` holds its odd part; it does if this value was the unit of a list with that weight.
    pub(super) fn times(&self, n: u128) -> Option<Self> {
        match self {
            Self::Binary { odd, exponent } => match Self::binary(n, *exponent) {
                Self::Binary { odd: n, exponent } => {
                    Some(Self::Binary { odd: n.checked_mul(*odd)?, exponent })
                }
                #[cfg(feature = "exact")]
                Self::Fraction(_) => None,
            },
            #[cfg(feature = "exact")]
            Self::Fraction(unit) => Some(Fraction::value(&unit.num * n, unit.den.clone())),
        }
    }
}

/// The values as whole numbers without a common factor, and their unit; at least one is positive, and they may add up to more
/// than a `u128` holds.
pub(super) fn whole_numbers(values: Vec<Value>) -> Result<(Vec<u128>, Value), WeightError> {
    #[cfg(feature = "exact")]
    if values.iter().any(|value| matches!(value, Value::Fraction(_))) {
        return fraction::whole_numbers(&values);
    }
    // Divided by the greatest common divisor of the odd parts and by the smallest power of two.
    let (mut common, mut lowest) = (0u128, i32::MAX);
    for value in &values {
        if let &Value::Binary { odd: odd @ 1.., exponent } = value {
            lowest = lowest.min(exponent);
            if common != 1 {
                common = common.gcd(&odd);
            }
        }
    }
    if common == 0 {
        return Err(WeightError::AllZero);
    }
    let whole = |value| match value {
        Value::Binary { odd: odd @ 1.., exponent } => {
            let (odd, shift) = (odd / common, exponent.abs_diff(lowest));
            if shift <= odd.leading_zeros() { Ok(odd << shift) } else { Err(WeightError::Overflow) }
        }
        _ => Ok(0),
    };
    let numbers = values.into_iter().map(whole).collect::<Result<_, _>>()?;
    Ok((numbers, Value::Binary { odd: common, exponent: lowest }))
}

impl<W: Weight + ?Sized> Weight for &W {
    fn value(&self, index: usize) -> Result<Value, WeightError> {
        (**self).value(index)
    }
}

macro_rules! integers {
    ($($int:ty)+) => {$(
        impl Weight for $int {
            #[allow(clippy::unnecessary_fallible_conversions, reason = "one text for all integers")]
            fn value(&self, index: usize) -> Result<Value, WeightError> {
                let n = u128::try_from(*self).map_err(|_| WeightError::Negative { index })?;
                Ok(Value::binary(n, 0))
            }
        }
    )+};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Weight for f64 {
    fn value(&self, index: usize) -> Result<Value, WeightError> {
        match decode(*self) {
            Ok((n, exponent)) => Ok(Value::binary(n.into(), exponent)),
            Err(ProbabilityError::NotFinite) => Err(WeightError::NotFinite { index }),
            Err(_) => Err(WeightError::Negative { index }),
        }
    }
}

impl Weight for f32 {
    fn value(&self, index: usize) -> Result<Value, WeightError> {
        f64::from(*self).value(index)
    }
}

#[cfg(feature = "exact")]
use fraction::Fraction;

#[cfg(feature = "exact")]
mod fraction {
    use alloc::boxed::Box;

    use num_bigint::{BigUint, ToBigUint};
    use num_rational::Ratio;
    use num_traits::{One, ToPrimitive, Zero};

    use super::{Integer, Value, Vec, Weight, WeightError};

    /// A fraction in lowest terms.
    #[derive(Clone, Debug)]
    pub struct Fraction {
        pub(super) num: BigUint,
        pub(super) den: BigUint,
    }

    impl Fraction {
        /// The value `num/den`, where `den` is not zero.
        pub(super) fn value(num: BigUint, den: BigUint) -> Value {
            let common = num.gcd(&den);
            Value::Fraction(Box::new(Self { num: num / &common, den: den / common }))
        }

        fn of(value: &Value) -> Self {
            match value {
                Value::Fraction(fraction) => (**fraction).clone(),
                Value::Binary { odd, exponent } => {
                    let (odd, power) = (BigUint::from(*odd), exponent.unsigned_abs());
                    if *exponent < 0 && !odd.is_zero() {
                        Self { num: odd, den: BigUint::one() << power }
                    } else {
                        Self { num: odd << power, den: BigUint::one() }
                    }
                }
            }
        }
    }

    /// In lowest terms n_i/d_i, the whole numbers are (n_i/gcd n)·(lcm d/d_i): they have no common factor.
    pub(super) fn whole_numbers(values: &[Value]) -> Result<(Vec<u128>, Value), WeightError> {
        let fractions: Vec<Fraction> = values.iter().map(Fraction::of).collect();
        let positive = || fractions.iter().filter(|fraction| !fraction.num.is_zero());
        let smallest = positive().map(|f| &f.den).min().ok_or(WeightError::AllZero)?;
        let (mut gcd, mut lcm) = (BigUint::zero(), BigUint::one());
        for Fraction { num, den } in positive() {
            gcd = gcd.gcd(num);
            lcm = lcm.lcm(den);
            // The weight of the smallest denominator is at least lcm/smallest: stop before the lcm grows without end.
            if lcm.bits() > smallest.bits() + 128 {
                return Err(WeightError::Overflow);
            }
        }
        let whole = |f: &Fraction| {
            let weight = &f.num / &gcd * (&lcm / &f.den);
            weight.to_u128().ok_or(WeightError::Overflow)
        };
        let numbers = fractions.iter().map(whole).collect::<Result<_, _>>()?;
        Ok((numbers, Fraction::value(gcd, lcm)))
    }

    impl Weight for BigUint {
        fn value(&self, _: usize) -> Result<Value, WeightError> {
            Ok(Fraction::value(self.clone(), Self::one()))
        }
    }

    impl<T: Integer + Clone + ToBigUint> Weight for Ratio<T> {
        /// The fraction is checked, since `Ratio::new_raw` checks nothing.
        fn value(&self, index: usize) -> Result<Value, WeightError> {
            let zero = T::zero();
            if *self.denom() == zero {
                return Err(WeightError::ZeroDenominator { index });
            }
            let negative = || WeightError::Negative { index };
            if *self.denom() < zero || *self.numer() < zero {
                return Err(negative());
            }
            let num = self.numer().to_biguint().ok_or_else(negative)?;
            let den = self.denom().to_biguint().ok_or_else(negative)?;
            Ok(Fraction::value(num, den))
        }
    }
}
