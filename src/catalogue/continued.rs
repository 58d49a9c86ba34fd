use core::num::NonZeroU64;

use crate::bits::{BitSource, try_wide};
use crate::combinators::debug_fields;
use crate::machine::Machine;

/// The coin whose probability is a continued fraction 1/(k₁ + 1/(k₂ + 1/(k₃ + …))).
///
/// - Answers: on level n, in rounds: with probability kₙ/(kₙ + 1) the answer of the level is that of a coin 1/kₙ; else the
///   next level is asked, and if it is heads this one is tails. The answer of level 1 is the machine's.
/// - Law: the continued fraction x₁, where xₙ = 1/(kₙ + xₙ₊₁).
/// - Expected fair bits: c₁, where cₙ = ((kₙ + 1)·κ(kₙ/(kₙ + 1)) + kₙ·κ(1/kₙ) + cₙ₊₁)/(kₙ + xₙ₊₁): 2φ = 3.2361 for 1/φ, all kₙ
///   being 1, 4√2 = 5.6569 for √2 − 1, all being 2. By its digits every coin costs 2: this one is for its rule.
/// - Tail: exponential; a level asks the next one with probability 1/2 at most.
/// - Refuses: nothing; a quotient is not zero.
/// - Proof: a round of level n ends with probability kₙ/(kₙ + 1) + xₙ₊₁/(kₙ + 1), in heads with 1/(kₙ + 1).
/// - Source: Occil, "Bernoulli Factory Algorithms", after Flajolet, Pelletier, Soria 2011. A heads of level n + 1 makes level n
///   tails, which sends level n − 1 to its next round: so the level is all that has to be known, and nothing recurs.
///
/// ```
/// use buffon::{Coin, Script, catalogue::continued_fraction};
/// use std::num::NonZeroU64;
/// let inverse_phi = continued_fraction(|_| NonZeroU64::MIN);
/// assert_eq!(inverse_phi.try_flip(&mut Script::from_str("H")?), Ok(true));
/// assert_eq!(inverse_phi.try_flip(&mut Script::from_str("TH")?), Ok(false)); // the second level is heads
/// assert_eq!(inverse_phi.try_flip(&mut Script::from_str("TTHH")?), Ok(true)); // the third: the first has its next round
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn continued_fraction<F>(quotients: F) -> ContinuedFraction<F>
where
    F: Fn(NonZeroU64) -> NonZeroU64,
{
    ContinuedFraction { quotients }
}

/// Created by [`continued_fraction`]. See its documentation for more.
#[derive(Clone, Copy)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct ContinuedFraction<F> {
    pub(super) quotients: F,
}

debug_fields!(ContinuedFraction<F>);

impl<F: Fn(NonZeroU64) -> NonZeroU64> Machine for ContinuedFraction<F> {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let mut level = 1u64;
        loop {
            let number = NonZeroU64::new(level).unwrap_or(NonZeroU64::MIN);
            let k = u128::from((self.quotients)(number).get());
            if !try_wide(&k, &(k + 1), bits)? {
                level = level.saturating_add(1); // 2^64 levels never come
                continue;
            }
            let heads = try_wide(&1, &k, bits)?;
            match (level, heads) {
                (1, _) => return Ok(heads),
                (2, true) => return Ok(false),
                (_, true) => level -= 2,
                (_, false) => level -= 1,
            }
        }
    }
}
