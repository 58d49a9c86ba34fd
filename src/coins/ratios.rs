use crate::bits::{BitSource, try_wide};
use crate::error::ProbabilityError;
use crate::machine::Machine;
use crate::ratio::validate;

/// A coin whose probability is a product of ratios, each at most one: no number is divided, and nothing overflows.
///
/// - Answers: heads if the coin of every ratio is heads. Ratios are multiplied together as long as the product fits
///   128 bits, and flipped as one coin; where it does not fit, a new coin begins, flipped only after heads.
/// - Law: P(heads) = ∏ num/den, exactly.
/// - Expected fair bits: those of [`Rational`](crate::Rational) for the product, 2 or less, where it fits 128 bits, as
///   two 64-bit ratios always do; else the sum over the coins, each weighed with the product before it.
/// - Tail: exponential; bounded if each coin is dyadic.
/// - Refuses: see [`new`](Self::new).
/// - Source: Canonne, Kamath and Steinke 2020 flip γ/k in this way; the trap that it avoids is a fraction formed by
///   dividing big numbers.
///
/// ```
/// use buffon::{Coin, Ratios, Script};
/// let coin = Ratios::new([(1u64, 2), (3, 4)])?; // 3/8
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(true));
/// // Three 64-bit ratios do not fit: two coins, and here the first is tails.
/// let tiny = Ratios::new([(1, u64::MAX); 3])?;
/// assert_eq!(tiny.try_flip(&mut Script::from_str("H")?), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Ratios<T, const N: usize> {
    ratios: [(T, T); N],
}

impl<T: Into<u128> + Copy, const N: usize> Ratios<T, N> {
    /// The coin whose probability is the product of these ratios, numerator first.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ProbabilityError::ZeroDenominator) and [`AboveOne`](ProbabilityError::AboveOne), of any ratio.
    pub fn new(mut ratios: [(T, T); N]) -> Result<Self, ProbabilityError> {
        for (place, (num, den)) in ratios.into_iter().enumerate() {
            validate::<u128>(&num.into(), &den.into())?;
            // Certainty costs no bit: a ratio of zero comes before all others.
            if num.into() == 0 {
                ratios.swap(0, place);
            }
        }
        Ok(Self { ratios })
    }

    /// The same, of ratios that are known to be at most one.
    #[inline]
    pub(crate) const fn proven(ratios: [(T, T); N]) -> Self {
        Self { ratios }
    }

    /// The coins that are flipped.
    pub(crate) fn coins(&self) -> impl Iterator<Item = (u128, u128)> {
        grouped(self.ratios.into_iter().map(|(num, den)| (num.into(), den.into())))
    }
}

impl<T: Into<u128> + Copy, const N: usize> Machine for Ratios<T, N> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        try_all(self.coins(), bits)
    }
}

/// Ratios multiplied together as long as they fit: at least one coin, and of each ratio just one; none after a coin of zero.
pub(crate) fn grouped(
    mut ratios: impl Iterator<Item = (u128, u128)>,
) -> impl Iterator<Item = (u128, u128)> {
    let mut next = Some((1, 1));
    core::iter::from_fn(move || {
        let (mut num, mut den): (u128, u128) = next.take()?;
        for (a, b) in ratios.by_ref() {
            match (num.checked_mul(a), den.checked_mul(b)) {
                (Some(n), Some(d)) => (num, den) = (n, d),
                _ => {
                    next = (num != 0).then_some((a, b));
                    break;
                }
            }
        }
        Some((num, den))
    })
}

/// Flips coins until the first tails; heads if there is none.
#[inline]
pub(crate) fn try_all<B: BitSource + ?Sized>(
    coins: impl Iterator<Item = (u128, u128)>,
    bits: &mut B,
) -> Result<bool, B::Error> {
    for (num, den) in coins {
        if !try_wide(&num, &den, bits)? {
            return Ok(false);
        }
    }
    Ok(true)
}
