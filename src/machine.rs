//! The one primitive: an immutable description of how fair bits become an answer.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use crate::combinators::Erased;
#[cfg(feature = "alloc")]
use crate::combinators::Repeat;
use crate::combinators::{AndThen, Array, Condition, Map, Retry, Samples, Zip};
use core::convert::Infallible;

use crate::bits::BitSource;

/// A Buffon machine: it turns independent fair bits into an exactly distributed answer (Flajolet, Pelletier, Soria 2011).
///
/// One method is required. A machine is a description, immutable and without a random number generator, so that the same
/// value can be sampled by many threads, used twice in one composition with independent results, and interpreted by any
/// [`BitSource`]. References, boxes and [`Erased`](crate::combinators::Erased) machines are machines.
///
/// The combinators build small structs and do nothing until sampled; every part that they sample more than once is
/// sampled afresh. Long chains have long types: return `impl Machine<Output = …>` from a function, or call
/// [`erased`](Self::erased), where a name is wanted.
///
/// ```
/// use buffon::{BitSource, Machine, Script};
///
/// /// How many of three flips are heads.
/// struct Heads;
///
/// impl Machine for Heads {
///     type Output = u32;
///     fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u32, B::Error> {
///         Ok(bits.try_bits(3)?.count_ones())
///     }
/// }
///
/// let mut bits = Script::from_str("HTHTTT")?;
/// assert_eq!(Heads.zip(Heads).try_sample(&mut bits), Ok((2, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a machine is a description and does nothing until it is sampled"]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a Buffon machine",
    note = "a coin, die or chooser of this crate is one, and so is any type that implements `Machine`"
)]
pub trait Machine {
    /// What it answers.
    type Output;

    /// Samples once from `bits`.
    ///
    /// # Errors
    ///
    /// The source's own error, as soon as it occurs; both machine and source can be used again.
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error>;

    /// Samples once from a source that cannot fail.
    #[inline(always)]
    fn sample<B: BitSource<Error = Infallible> + ?Sized>(&self, bits: &mut B) -> Self::Output {
        let Ok(answer) = self.try_sample(bits);
        answer
    }

    /// Applies a function to the answer.
    ///
    /// Law: the image law. Cost and tail: this machine's. The function should be deterministic; it runs once a sample.
    ///
    /// ```
    /// use buffon::{Die, Machine, Script};
    /// let face = Die::new(6)?.map(|n| n + 1);
    /// assert_eq!(face.try_sample(&mut Script::from_str("HTT")?), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn map<T, F: Fn(Self::Output) -> T>(self, f: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map::new(self, f)
    }

    /// Samples this machine, then the machine that `f` makes of the answer.
    ///
    /// Law: P(y) = Σ_x P(x)·P(f(x) = y). Cost: this one's plus Σ_x P(x)·cost(f(x)). Tail: the heaviest part's.
    ///
    /// ```
    /// use buffon::{Die, Fair, Machine, Script};
    /// // A roll that is kept after heads and lost after tails.
    /// let kept = Die::new(2)?.and_then(|n| Fair.map(move |heads| if heads { n } else { 0 }));
    /// assert_eq!(kept.try_sample(&mut Script::from_str("HH")?), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn and_then<M: Machine, F: Fn(Self::Output) -> M>(self, f: F) -> AndThen<Self, F>
    where
        Self: Sized,
    {
        AndThen::new(self, f)
    }

    /// Samples this machine and then `other`, independently; answers both.
    ///
    /// Law: the product law. Cost: the sum. Tail: the heavier one's.
    ///
    /// ```
    /// use buffon::{Fair, Machine, Script};
    /// assert_eq!(Fair.zip(Fair).try_sample(&mut Script::from_str("HT")?), Ok((true, false)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn zip<M: Machine>(self, other: M) -> Zip<Self, M>
    where
        Self: Sized,
    {
        Zip::new(self, other)
    }

    /// Samples this machine `N` times, independently, in order.
    ///
    /// Law: the N-fold product. Cost: N times this one's. Tail: this one's.
    ///
    /// ```
    /// use buffon::{Fair, Machine, Script};
    /// let three = Fair.array::<3>();
    /// assert_eq!(three.try_sample(&mut Script::from_str("HTT")?), Ok([true, false, false]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn array<const N: usize>(self) -> Array<Self, N>
    where
        Self: Sized,
    {
        Array::new(self)
    }

    /// Samples this machine `n` times, independently, in order, into a `Vec`.
    ///
    /// Law: the n-fold product. Cost: n times this one's. Tail: this one's. See [`array`](Self::array) for a form without
    /// allocation.
    ///
    /// ```
    /// use buffon::{Fair, Machine, Script};
    /// assert_eq!(Fair.repeat(2).try_sample(&mut Script::from_str("TH")?), Ok(vec![false, true]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    fn repeat(self, n: usize) -> Repeat<Self>
    where
        Self: Sized,
    {
        Repeat::new(self, n)
    }

    /// Samples the whole machine again until `holds` is true of the answer.
    ///
    /// Law: P(x)/P(holds) for the x that hold. Cost: this one's divided by P(holds). Tail: exponential if this one's is,
    /// with ratio at most 1 − P(holds) per round. It never ends where P(holds) = 0.
    ///
    /// ```
    /// use buffon::{Fair, Machine, Script};
    /// // Two flips, given that they are not both tails.
    /// let pair = Fair.zip(Fair).condition(|&(a, b)| a || b);
    /// assert_eq!(pair.try_sample(&mut Script::from_str("TTTTHT")?), Ok((true, false)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn condition<F: Fn(&Self::Output) -> bool>(self, holds: F) -> Condition<Self, F>
    where
        Self: Sized,
    {
        Condition::new(self, holds)
    }

    /// Samples the whole machine again until it answers `Some`.
    ///
    /// Law: P(Some(x))/P(Some). Cost: this one's divided by P(Some). Tail: as [`condition`](Self::condition). It never ends
    /// where P(Some) = 0.
    ///
    /// ```
    /// use buffon::{Fair, Machine, Script};
    /// // Von Neumann's trick: two unlike flips decide, two like ones are taken again.
    /// let fair = Fair.zip(Fair).map(|(a, b)| (a != b).then_some(a)).retry();
    /// assert_eq!(fair.try_sample(&mut Script::from_str("HHTTTH")?), Ok(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn retry<T>(self) -> Retry<Self>
    where
        Self: Sized + Machine<Output = Option<T>>,
    {
        Retry::new(self)
    }

    /// An endless iterator of independent samples from a source that cannot fail.
    ///
    /// Borrow either part to keep it: `(&machine).samples(&mut bits)`.
    ///
    /// ```
    /// use buffon::{BitBuffer, Die, Machine};
    /// use rand::{SeedableRng, rngs::StdRng};
    /// let bits = BitBuffer::new(StdRng::seed_from_u64(7));
    /// let rolls: Vec<u64> = Die::new(6)?.samples(bits).take(4).collect();
    /// assert!(rolls.iter().all(|&n| n < 6));
    /// # Ok::<(), buffon::ZeroSides>(())
    /// ```
    #[inline]
    fn samples<B: BitSource<Error = Infallible>>(self, bits: B) -> Samples<Self, B>
    where
        Self: Sized,
    {
        Samples::new(self, bits)
    }

    /// This machine behind a pointer, so that different machines of one answer type can stand in one `Vec`.
    ///
    /// Law, cost, tail and answers on a script are this machine's; the price is one allocation now, and an indirect
    /// call for each sample and for each instruction to the source: a lone coin takes 4.2 times as long, 1/e of 2.7 coins 1.7
    /// times (`benches/README.md`). The result is cheap to clone. It is not there on the few targets whose pointers are
    /// not atomic.
    ///
    /// ```
    /// use buffon::{Coin, Fair, Machine, OneOver, Script};
    /// let coins = vec![Fair.erased(), OneOver::try_from(3)?.erased(), Fair.then(Fair).erased()];
    /// let mut bits = Script::from_str("HTHHT")?;
    /// for (coin, answer) in coins.iter().zip([true, true, false]) {
    ///     assert_eq!(coin.try_flip(&mut bits), Ok(answer));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    fn erased(self) -> Erased<Self::Output>
    where
        Self: Sized + Send + Sync + 'static,
    {
        Erased::new(self)
    }
}

/// Forwards to the machine behind a pointer.
macro_rules! forward {
    ($($pointer:ty)+) => {$(
        impl<M: Machine + ?Sized> Machine for $pointer {
            type Output = M::Output;
            #[inline(always)]
            fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<M::Output, B::Error> {
                (**self).try_sample(bits)
            }
        }
    )+};
}

forward!(&M);
#[cfg(feature = "alloc")]
forward!(alloc::boxed::Box<M> alloc::rc::Rc<M>);
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
forward!(alloc::sync::Arc<M>);
