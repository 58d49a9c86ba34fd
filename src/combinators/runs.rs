use core::num::NonZeroU64;

use super::debug_fields;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::machine::Machine;

/// Coins numbered 1, 2, 3, …, flipped in turn by a run until the first tails.
///
/// A closure `Fn(NonZeroU64) -> C` is a family, and so is any function such as `OneOver::new`. [`Same`] is the family of
/// one coin again and again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of coins",
    note = "give a function from `NonZeroU64` to a coin, such as `OneOver::new`"
)]
pub trait Family {
    /// Flips coin number `n` once.
    ///
    /// # Errors
    ///
    /// The source's own error.
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error>;
}

impl<C: Coin, F: Fn(NonZeroU64) -> C> Family for F {
    #[inline(always)]
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error> {
        self(n).try_flip(bits)
    }
}

/// The family of one coin: every number is the same coin, flipped afresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Same<C> {
    pub(crate) coin: C,
}

impl<C> Same<C> {
    /// The family in which every coin is `coin`.
    #[inline]
    #[must_use]
    pub const fn new(coin: C) -> Self {
        Self { coin }
    }
}

impl<C: Coin> Family for Same<C> {
    #[inline(always)]
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        _: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error> {
        self.coin.try_flip(bits)
    }
}

/// How many coins of the family come up heads before the first tails.
///
/// Law: P(N ≥ n) = p₁p₂…pₙ, so P(N = n) = p₁…pₙ(1 − pₙ₊₁). Cost: Σ p₁…pₙ₋₁·cₙ over n = 1, 2, …; it is finite if
/// Σ p₁…pₙ is and the cₙ are bounded. Tail: ends with probability one if p₁…pₙ → 0, factorially fast for the family 1/n. It never ends if the
/// products stay away from 0, as when all but finitely many coins are certain.
///
/// ```
/// use buffon::{Machine, OneOver, Script, run};
/// // The coins 1/1, 1/2, 1/3: the first is certain and free, the second takes one flip.
/// assert_eq!(run(OneOver::new).try_sample(&mut Script::from_str("HH")?), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn run<F: Family>(family: F) -> Run<F> {
    Run::new(family)
}

/// Heads if the [`run`] of the family is even, zero included.
///
/// Law: P(N even) = 1 − p₁ + p₁p₂ − p₁p₂p₃ + …, since P(N even) = Σ P(N ≥ 2k) − P(N ≥ 2k + 1). Cost and tail: those of
/// [`run`].
///
/// So 1/e is `parity_of_run(OneOver::new)`: p₁…pₙ = 1/n!, and 1 − 1 + 1/2! − 1/3! + … = 1/e, at
/// Σ cₙ/(n − 1)! = 2.3531807204… fair bits (Flajolet, Pelletier, Soria 2011 build such coins; the parity of rational coins
/// is a construction of its own).
///
/// ```
/// use buffon::{Coin, OneOver, Script, parity_of_run};
/// let inverse_e = parity_of_run(OneOver::new);
/// assert_eq!(inverse_e.try_flip(&mut Script::from_str("T")?), Ok(false)); // 1 heads, the free one
/// assert_eq!(inverse_e.try_flip(&mut Script::from_str("HH")?), Ok(true)); // 2 heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn parity_of_run<F: Family>(family: F) -> ParityOfRun<F> {
    ParityOfRun::new(family)
}

/// A struct of a family.
macro_rules! of_family {
    ($name:ident, $function:literal) => {
        #[doc = concat!("Created by [`", $function, "`](", $function, "()) and [`Coin::", $function, "`].")]
        /// See their documentation for more.
        #[derive(Clone, Copy)]
        #[must_use = "a machine does nothing until it is sampled"]
        pub struct $name<F> {
            pub(crate) family: F,
        }

        impl<F> $name<F> {
            #[inline]
            pub(crate) const fn new(family: F) -> Self {
                Self { family }
            }
        }

        debug_fields!($name<F>);
    };
}

of_family!(Run, "run");
of_family!(ParityOfRun, "parity_of_run");

impl<F: Family> Machine for Run<F> {
    type Output = u64;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        let mut n = NonZeroU64::MIN;
        while self.family.try_flip_nth(n, bits)? {
            n = n.saturating_add(1); // 2^64 heads in a row are centuries away
        }
        Ok(n.get() - 1)
    }
}

impl<F: Family> Machine for ParityOfRun<F> {
    type Output = bool;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let mut n = NonZeroU64::MIN;
        while self.family.try_flip_nth(n, bits)? {
            n = n.saturating_add(1);
        }
        Ok(n.get() % 2 == 1)
    }
}
