use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::{Always, Harmonic, Hypergeometric};
use crate::combinators::{Certain, Family, Mix, Power, Then};
use crate::error::ParameterError;
use crate::machine::Machine;

/// A coin flipped again and again under a rising hazard: heads of `p` is heads; after each tails, heads of the family's
/// next coin is tails.
///
/// - Answers: heads or tails, as said.
/// - Law: 1 − Σ cₖ(1 − p)ᵏ with cₖ = dₖ·(1 − d₁)…(1 − dₖ₋₁), where d₁, d₂, … are the family's probabilities: any series of
///   weights cₖ ≥ 0 that add up to 1 is made so, by dₖ = cₖ/(1 − c₁ − … − cₖ₋₁).
/// - Expected fair bits: c_p·f/p with f its probability of heads, and Σ (1 − p)ᵏ(1 − d₁)…(1 − dₖ₋₁)·c(dₖ) over k ≥ 1. No
///   factory flips `p` less in the limit p → 0, for an f with infinite slope there.
/// - Tail: exponential if the coins' are and p > 0. At p = 0 it ends if Σ dₖ diverges, but may take infinitely many bits in
///   expectation; it never ends there if d₁, d₂, … are too small.
/// - Refuses: nothing.
/// - Proof: tails after k tails of `p` has probability (1 − p)ᵏ·cₖ.
/// - Source: Mendo 2019.
///
/// ```
/// use buffon::{Coin, Fair, Script, factories::Hazard};
/// use std::num::NonZeroU64;
/// let coin = Hazard::new(Fair, |_: NonZeroU64| Fair); // c_k = 2^-k: 1 − (1/4)/(1 − 1/4) = 2/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTH")?), Ok(true));
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Hazard<P, F> {
    pub(super) p: P,
    pub(super) family: F,
}

impl<P, F> Hazard<P, F> {
    /// The coin `p` under the hazards of `family`.
    #[inline]
    pub const fn new(p: P, family: F) -> Self {
        Self { p, family }
    }
}

impl<P: Coin, F: Family> Machine for Hazard<P, F> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let mut k = NonZeroU64::MIN;
        loop {
            if self.p.try_flip(bits)? {
                return Ok(true);
            }
            if self.family.try_flip_nth(k, bits)? {
                return Ok(false);
            }
            k = k.saturating_add(1); // 2^64 rounds are centuries away
        }
    }
}

/// A power p^a of an unknown coin with a rational exponent: made by [`to_the`].
pub type ToThe<P> = Then<Power<P>, Mix<Certain<bool>, Always, Hazard<P, Hypergeometric<2>>>>;

/// The power p^(num/den) of an unknown coin: its whole part by flips, its fraction a by the hazards a, a/2, a/3, ….
///
/// - Answers: heads if ⌊num/den⌋ flips are heads and then the fraction's coin is.
/// - Law: p^(num/den), with p⁰ = 1 at p = 0 too. Of the coin 1/4 and the exponent 1/2 it is exactly 1/2.
/// - Expected fair bits: for 0 < a < 1, p^(a−1) flips of `p` and Σ (1 − p)ᵏ(1 − a)…(1 − a/(k − 1))·κ(a/k) bits of the hazards.
///   √¼ costs 5.0819436… fair bits, √½ 2.2609, √¾ 2.0435. As p → 0 the flips grow like p^(a−1), which cannot be avoided.
/// - Tail: exponential if the coin's is and p > 0; at p = 0 and 0 < a < 1 it ends, with an infinite mean.
/// - Proof: by the binomial series (1 − q)^a = 1 − Σ cₖqᵏ with q = 1 − p: c₁ = a, and cₖ₊₁/cₖ = (k − a)/(k + 1), so that the
///   products (1 − a)(1 − a/2)…(1 − a/k) are what is left of 1 after k terms, and a/(k + 1) of that the next.
/// - Source: Mendo 2019.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::to_the};
/// let root = to_the(OneOver::try_from(4)?, 1, 2)?; // √(1/4)
/// assert_eq!(root.try_flip(&mut Script::from_str("TTH")?), Ok(false)); // the quarter is tails; the hazard 1/2 strikes
/// assert_eq!(root.try_flip(&mut Script::from_str("TH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_the<P: Coin + Clone>(p: P, num: u64, den: u64) -> Result<ToThe<P>, ParameterError> {
    let Some(whole) = num.checked_div(den) else { return Err(ParameterError::ZeroDenominator) };
    let rest = num % den;
    let hazards = Hypergeometric::proven([((0, rest), (0, den)), ((0, 1), (1, 1))]);
    let fraction = Certain::new(rest == 0).mix(Always, Hazard::new(p.clone(), hazards));
    Ok(p.power(whole).then(fraction))
}

/// The power p^q of two unknown coins.
///
/// - Answers: heads at the first heads of `p`; after its k-th tails, heads of 1/k and then of `q` is tails.
/// - Law: p^q; 0⁰ = 1 would need a run without end.
/// - Expected fair bits: p^(q−1) flips of `p`, and Σ (1 − p)ᵏ(1 − q)…(1 − q/(k − 1))·(κ(1/k) + c_q/k).
/// - Tail: exponential if the coins' are and p > 0. At p = 0 it ends with an infinite mean if q > 0, never if q = 0.
/// - Refuses: nothing. For an exponent above one take [`power`](Coin::power) for its whole part.
/// - Proof: that of [`to_the`] with the hazards q/k.
/// - Source: Mendo 2019; the coin in the exponent is Occil's.
///
/// ```
/// use buffon::{Coin, Fair, Script, factories::to_the_coin};
/// let coin = to_the_coin(Fair, Fair); // (1/2)^(1/2)
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(false));
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn to_the_coin<P: Coin, Q: Coin>(p: P, q: Q) -> Hazard<P, Harmonic<Q>> {
    Hazard::new(p, Harmonic::new(q))
}
