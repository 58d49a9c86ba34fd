use super::rational::try_wide;
use crate::bits::BitSource;
use crate::error::ProbabilityError;
use crate::machine::Machine;

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
pub struct Ratios<I> {
    ratios: I,
}

impl<T, I> Ratios<I>
where
    T: Into<u128>,
    I: IntoIterator<Item = (T, T)> + Clone,
{
    /// The coin whose probability is the product of these ratios, numerator first.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ProbabilityError::ZeroDenominator) and [`AboveOne`](ProbabilityError::AboveOne), of any ratio.
    pub fn new(ratios: I) -> Result<Self, ProbabilityError> {
        for (num, den) in ratios.clone() {
            crate::ratio::validate::<u128>(&num.into(), &den.into())?;
        }
        Ok(Self { ratios })
    }

    /// The coins that are flipped, each the product of as many ratios as fit.
    pub(super) fn coins(&self) -> impl Iterator<Item = (u128, u128)> {
        let mut ratios = self.ratios.clone().into_iter().map(|(num, den)| (num.into(), den.into()));
        let mut next = Some((1, 1));
        core::iter::from_fn(move || {
            let (mut num, mut den): (u128, u128) = next.take()?;
            for (a, b) in ratios.by_ref() {
                match (num.checked_mul(a), den.checked_mul(b)) {
                    (Some(n), Some(d)) => (num, den) = (n, d),
                    _ => {
                        next = Some((a, b));
                        break;
                    }
                }
            }
            Some((num, den))
        })
    }
}

impl<T, I> Machine for Ratios<I>
where
    T: Into<u128>,
    I: IntoIterator<Item = (T, T)> + Clone,
{
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        for (num, den) in self.coins() {
            if !try_wide(&num, &den, bits)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
