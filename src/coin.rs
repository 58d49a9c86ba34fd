//! Machines that answer heads or tails, and what can be said of them alone.

use core::convert::Infallible;

use crate::bits::BitSource;
use crate::combinators::{Mix, Not, OrElse, ParityOfRun, Power, Run, Same, Then, Xor};
use crate::machine::Machine;

/// A machine that answers `true` (heads) or `false` (tails).
///
/// It is implemented for every such [`Machine`], and adds nothing to implement. Each combinator flips **independently**:
/// `p.then(p)` has probability p², not p. In the docs p and q stand for the probabilities and c_p, c_q for the expected
/// fair bits of this coin and the other one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coin",
    note = "a coin is a `Machine` whose `Output` is `bool`"
)]
pub trait Coin: Machine<Output = bool> {
    /// Flips once: [`try_sample`](Machine::try_sample) by another name.
    ///
    /// # Errors
    ///
    /// The source's own error.
    #[inline(always)]
    fn try_flip<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        self.try_sample(bits)
    }

    /// Flips once, from a source that cannot fail.
    #[inline(always)]
    fn flip<B: BitSource<Error = Infallible> + ?Sized>(&self, bits: &mut B) -> bool {
        self.sample(bits)
    }

    /// Heads where this coin is tails.
    ///
    /// Law: 1 − p. Cost and tail: this coin's.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Script};
    /// assert_eq!(Fair.not().try_flip(&mut Script::from_str("H")?), Ok(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn not(self) -> Not<Self>
    where
        Self: Sized,
    {
        Not::new(self)
    }

    /// Both: heads if this coin and then `other` are heads. `other` is flipped only after heads.
    ///
    /// Law: pq. Cost: c_p + p·c_q; for the least cost put first the coin with the smaller c/(1 − p). Tail: the heavier
    /// one's.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Script};
    /// let mut bits = Script::from_str("THH")?;
    /// let quarter = Fair.then(Fair);
    /// assert_eq!(quarter.try_flip(&mut bits), Ok(false)); // one flip
    /// assert_eq!(quarter.try_flip(&mut bits), Ok(true)); // two
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "and")]
    #[inline]
    fn then<C: Coin>(self, other: C) -> Then<Self, C>
    where
        Self: Sized,
    {
        Then::new(self, other)
    }

    /// Heads if `n` flips of this coin are all heads. It stops at the first tails.
    ///
    /// Law: pⁿ. Cost: c_p·(1 + p + … + pⁿ⁻¹) = c_p·(1 − pⁿ)/(1 − p), less than c_p/(1 − p) however large n is. Tail: this
    /// coin's; with n = 0 it is heads without a bit. A coin that is certain is flipped n times, free of bits but not of time.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Script};
    /// let rare = Fair.power(u64::MAX);
    /// assert_eq!(rare.try_flip(&mut Script::from_str("HHT")?), Ok(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn power(self, n: u64) -> Power<Self>
    where
        Self: Sized,
    {
        Power::new(self, n)
    }

    /// Either: heads if this coin, or failing that `other`, is heads. `other` is flipped only after tails.
    ///
    /// Law: p + (1 − p)q. Cost: c_p + (1 − p)·c_q; for the least cost put first the coin with the smaller c/p. Tail: the
    /// heavier one's.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Script};
    /// let mut bits = Script::from_str("HTT")?;
    /// let most = Fair.or_else(Fair);
    /// assert_eq!(most.try_flip(&mut bits), Ok(true)); // one flip
    /// assert_eq!(most.try_flip(&mut bits), Ok(false)); // two
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "or")]
    #[inline]
    fn or_else<C: Coin>(self, other: C) -> OrElse<Self, C>
    where
        Self: Sized,
    {
        OrElse::new(self, other)
    }

    /// Heads if exactly one of this coin and `other` is heads. Both are flipped, this one first.
    ///
    /// Law: p + q − 2pq. Cost: c_p + c_q. Tail: the heavier one's.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Script};
    /// assert_eq!(Fair.xor(Fair).try_flip(&mut Script::from_str("HT")?), Ok(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn xor<C: Coin>(self, other: C) -> Xor<Self, C>
    where
        Self: Sized,
    {
        Xor::new(self, other)
    }

    /// Samples `heads` if this coin is heads and `tails` if it is tails; never both.
    ///
    /// Law: p·P(heads = x) + (1 − p)·P(tails = x). Cost: c_p + p·cost(heads) + (1 − p)·cost(tails). Tail: the heaviest
    /// part's.
    ///
    /// ```
    /// use buffon::{Coin, Die, Fair, Machine, Script};
    /// let die = Fair.mix(Die::new(4)?, Die::new(2)?);
    /// assert_eq!(die.try_sample(&mut Script::from_str("HTH")?), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "ite")]
    #[inline]
    fn mix<X, Y>(self, heads: X, tails: Y) -> Mix<Self, X, Y>
    where
        Self: Sized,
        X: Machine,
        Y: Machine<Output = X::Output>,
    {
        Mix::new(self, heads, tails)
    }

    /// How many heads come before the first tails.
    ///
    /// Law: P(N = n) = (1 − p)pⁿ, the geometric law. Cost: c_p/(1 − p). Tail: exponential if this coin's is. It never
    /// ends where p = 1.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Machine, Script};
    /// assert_eq!(Fair.run().try_sample(&mut Script::from_str("HHT")?), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "geometric")]
    #[inline]
    fn run(self) -> Run<Same<Self>>
    where
        Self: Sized,
    {
        Run::new(Same::new(self))
    }

    /// Heads if the [`run`](Self::run) of heads is even, zero included.
    ///
    /// Law: 1/(1 + p), since Σ (1 − p)p²ᵏ = (1 − p)/(1 − p²). Cost: c_p/(1 − p), which grows without bound as p nears 1.
    /// Tail: exponential if this coin's is. It never ends where p = 1.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Script};
    /// let two_thirds = Fair.parity_of_run();
    /// assert_eq!(two_thirds.try_flip(&mut Script::from_str("HHT")?), Ok(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn parity_of_run(self) -> ParityOfRun<Same<Self>>
    where
        Self: Sized,
    {
        ParityOfRun::new(Same::new(self))
    }
}

impl<M: Machine<Output = bool> + ?Sized> Coin for M {}
