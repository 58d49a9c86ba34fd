#![allow(clippy::type_complexity, reason = "a graph of combinators, written out")]

use super::classes::Class;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::combinators::{AndThen, Certain, Mix, Retry, Run, Same, debug_fields};
use crate::machine::Machine;

/// One round of the von Neumann schema: the number of heads of λ before the first tails, if the class takes it.
///
/// - Answers: `Some(n)` or `None`.
/// - Law: P(Some(n)) = (1 − λ)λⁿ·Pₙ/n!.
/// - Expected fair bits: c_λ/(1 − λ) + Σ (1 − λ)λⁿ·c(Pₙ/n!).
/// - Tail: exponential if the coins' are. It never ends at λ = 1.
/// - Refuses: nothing, since λ is not known; with a known law λ = 1 is [`NeverHalts`](crate::LawError::NeverHalts).
/// - Source: Flajolet, Pelletier, Soria 2011.
///
/// Whether a round succeeds is a coin of its own, at a better price than any that waits for success:
///
/// | class | `one_round(lambda, class).map(\|n\| n.is_some())` | with `lambda.not()` |
/// |---|---|---|
/// | [`Sorted`](super::Sorted) | (1 − λ)e^λ | λe^(1−λ) |
/// | [`Cyclic`](super::Cyclic) | (1 − λ)·ln(1/(1 − λ)) | λ·ln(1/λ) |
/// | [`Even`](super::AlternatingEven) | (1 − λ)/cos λ | λ/cos(1 − λ) |
/// | [`Odd`](super::AlternatingOdd) | (1 − λ)·tan λ | λ·tan(1 − λ) |
/// | [`RFoldCyclic<R>`](super::RFoldCyclic) | (1 − λ)·Li_R(λ) | λ·Li_R(1 − λ) |
///
/// ```
/// use buffon::{Fair, Machine, Script, catalogue::{Cyclic, OneRound}};
/// let round = OneRound::new(Fair, Cyclic);
/// assert_eq!(round.try_sample(&mut Script::from_str("HHTH")?), Ok(Some(2))); // two heads, and 1/2 takes them
/// assert_eq!(round.try_sample(&mut Script::from_str("T")?), Ok(None)); // no cycle of nothing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct OneRound<L, K> {
    lambda: L,
    class: K,
}

// A class may be a closure.
debug_fields!(OneRound<L, K>, lambda: L);

impl<L, K> OneRound<L, K> {
    /// A round with the coin `lambda` and the class.
    #[inline]
    pub const fn new(lambda: L, class: K) -> Self {
        Self { lambda, class }
    }
}

impl<L: Coin, K: Class> OneRound<L, K> {
    /// The round as a graph.
    pub(super) fn graph(
        &self,
    ) -> AndThen<
        Run<Same<&L>>,
        impl Fn(u64) -> Mix<K::Coin, Certain<Option<u64>>, Certain<Option<u64>>>,
    > {
        let judged = |n| self.class.coin(n).mix(Certain::new(Some(n)), Certain::new(None));
        (&self.lambda).run().and_then(judged)
    }
}

impl<L: Coin, K: Class> Machine for OneRound<L, K> {
    type Output = Option<u64>;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Option<u64>, B::Error> {
        self.graph().try_sample(bits)
    }
}

/// The von Neumann schema: rounds of one coin and one class of permutations, until the class takes the number of heads.
///
/// - Answers: the number n that is taken.
/// - Law: P(n) = Pₙλⁿ/(n!·P(λ)).
/// - Expected fair bits: 1/s rounds with s = (1 − λ)·P(λ), so 1/((1 − λ)s) flips of λ, and of the class's coins
///   Σ λⁿ·c(Pₙ/n!)/P(λ). With λ itself from fair bits:
///
///   | class | λ = 1/4 | 1/2 | 3/4 |
///   |---|---|---|---|
///   | [`Sorted`](super::Sorted) | 2.158 | 2.881 | 13.20 |
///   | [`Cyclic`](super::Cyclic) | 9.625 | 6.806 | 20.02 |
///   | [`AlternatingEven`](super::AlternatingEven) | 2.652 | 3.876 | 19.03 |
///   | [`AlternatingOdd`](super::AlternatingOdd) | 10.57 | 7.932 | 27.83 |
///
///   So as λ → 1 the cost grows like 1/(1 − λ)²; a [`Poisson`](super::Poisson) law is better put together from small ones.
/// - Tail: exponential if the coins' are, and λ < 1. It never ends at λ = 1, nor at λ = 0 if the class does not take 0.
/// - Refuses: nothing, since λ is not known; for λ known see [`Poisson`](super::Poisson) and [`logarithmic`](super::logarithmic).
/// - Proof: a round gives n with probability (1 − λ)λⁿ·Pₙ/n!, and rounds are alike.
/// - Source: Flajolet, Pelletier, Soria 2011, Theorem 2.1; there the order of n uniform numbers is looked at, of which only
///   its class matters: a coin of probability Pₙ/n!.
///
/// | class | law of n | coin | its probability |
/// |---|---|---|---|
/// | [`All`](super::All) | geometric, (1 − λ)λⁿ | | |
/// | [`Sorted`](super::Sorted) | Poisson, e^(−λ)λⁿ/n! | n = 0 | e^(−λ) |
/// | [`Cyclic`](super::Cyclic) | logarithmic, λⁿ/(n·ln(1/(1 − λ))) | n = 1 | λ/ln(1/(1 − λ)) |
/// | [`RFoldCyclic<R>`](super::RFoldCyclic) | polylogarithmic, λⁿ/(nᴿ·Li_R(λ)) | n = 1 | λ/Li_R(λ) |
/// | [`AlternatingEven`](super::AlternatingEven) | Eₙλⁿ/(n!·sec λ), n even | n = 0 | cos λ |
/// | [`AlternatingOdd`](super::AlternatingOdd) | Eₙλⁿ/(n!·tan λ), n odd | n = 1 | λ·cot λ |
/// | [`Alternating`](super::Alternating) | Eₙλⁿ/(n!·(sec λ + tan λ)) | n = 0 | 1/(sec λ + tan λ) |
///
/// ```
/// use buffon::{Coin, Fair, Machine, Script, catalogue::{AlternatingOdd, von_neumann}};
/// let coin = von_neumann(Fair, AlternatingOdd).map(|n| n == 1); // ½·cot ½
/// assert_eq!(coin.try_flip(&mut Script::from_str("THHTHT")?), Ok(true)); // 0 and 2 are even; then 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn von_neumann<L: Coin, K: Class>(lambda: L, class: K) -> Retry<OneRound<L, K>> {
    OneRound::new(lambda, class).retry()
}
