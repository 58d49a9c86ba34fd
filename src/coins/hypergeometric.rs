use core::num::NonZeroU64;

use super::Ratios;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::combinators::Family;
use crate::error::ProbabilityError;

/// A ratio of two linear forms in j = 0, 1, 2, …: `((a, b), (c, d))` is (a·j + b)/(c·j + d).
pub type LinearRatio = ((u64, u64), (u64, u64));

/// The family of coins whose probabilities are products of ratios of linear forms in the coin's number.
///
/// Coin number j + 1, for j = 0, 1, 2, …, has probability ∏ (aᵢ·j + bᵢ)/(cᵢ·j + dᵢ). So the parity of its run is an
/// alternating hypergeometric series, of which each term is the one before it times a small ratio: 1/e from 1/(j + 1),
/// Catalan's constant from ((2j + 1)/(2j + 3))². Each coin is flipped as a product of [`Ratios`], so no number is divided
/// and nothing overflows, however long the run.
///
/// ```
/// use buffon::{Coin, Hypergeometric, Script, parity_of_run};
/// // 1 − 1/4 + 1/(4·16) − …, with ratios 1/4, 1/16, 1/36, …: the Bessel function J₀ at 1.
/// let bessel = parity_of_run(Hypergeometric::new([((0, 1), (2, 2)); 2])?);
/// assert_eq!(bessel.try_flip(&mut Script::from_str("TT")?), Ok(true)); // no run
/// assert_eq!(bessel.try_flip(&mut Script::from_str("THTTTT")?), Ok(false)); // a run of one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hypergeometric<const N: usize> {
    pub(super) ratios: [LinearRatio; N],
}

impl<const N: usize> Hypergeometric<N> {
    /// The family with these ratios.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ProbabilityError::ZeroDenominator) if some d is zero, and
    /// [`AboveOne`](ProbabilityError::AboveOne) if some ratio is above one for a j: if a > c or b > d.
    pub const fn new(mut ratios: [LinearRatio; N]) -> Result<Self, ProbabilityError> {
        let mut i = 0;
        while i < N {
            let ((a, b), (c, d)) = ratios[i];
            if d == 0 {
                return Err(ProbabilityError::ZeroDenominator);
            }
            if a > c || b > d {
                return Err(ProbabilityError::AboveOne);
            }
            // Certainty costs no bit: ratios that are zero, the first time or always, come before all others.
            let ((first, second), _) = ratios[0];
            if b == 0 && (a == 0 || first != 0 || second != 0) {
                (ratios[0], ratios[i]) = (ratios[i], ratios[0]);
            }
            i += 1;
        }
        Ok(Self { ratios })
    }

    /// The same, of ratios that are known to be at most one.
    pub(crate) const fn proven(ratios: [LinearRatio; N]) -> Self {
        Self { ratios }
    }

    /// Coin number `n`.
    #[inline]
    pub fn coin(&self, n: NonZeroU64) -> Ratios<u128, N> {
        let j = u128::from(n.get() - 1);
        // At most (2^64 − 1)² + 2^64 − 1, which is less than 2^128.
        let at = |(a, b): (u64, u64)| u128::from(a) * j + u128::from(b);
        Ratios::proven(self.ratios.map(|(num, den)| (at(num), at(den))))
    }
}

impl<const N: usize> Family for Hypergeometric<N> {
    #[inline]
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error> {
        self.coin(n).try_flip(bits)
    }
}
