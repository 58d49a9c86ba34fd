#![allow(clippy::type_complexity, reason = "a graph of combinators, written out")]

use core::marker::PhantomData;

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::Rational;
use crate::combinators::{Certain, Map, Mix, OrElse, Retry, Then};
use crate::error::ParameterError;
use crate::machine::Machine;

use super::quotients::{Verdict, verdict};

/// Samples a chooser, then the machine at that place of a list; answers the place and what that machine answered.
///
/// - Answers: the pair. A place past the end of the list answers `T::default()`: tails, `None`.
/// - Law: P(i, x) = w(i)·Pᵢ(x), with w the chooser's law. Seen as a coin by `.map(|(_, heads)| heads)` it is the convex
///   combination Σ w(i)·pᵢ, to any number of coins; the weights may come of any chooser, a [`Heads`](super::Heads) too.
/// - Expected fair bits: c_w + Σ w(i)·cᵢ. One machine of the list is sampled, never another.
/// - Tail: the heaviest part's.
/// - Refuses: nothing.
/// - Source: Wästlund 1999, Theorem 2.7.
///
/// ```
/// use buffon::{Coin, Die, Machine, OneOver, Script, factories::Choose};
/// let coins = [OneOver::try_from(1)?, OneOver::try_from(2)?, OneOver::try_from(4)?, OneOver::try_from(8)?];
/// let mean = Choose::new(Die::new(4)?.map(|side| side as usize), coins).map(|(_, heads)| heads); // 15/32
/// assert_eq!(mean.try_flip(&mut Script::from_str("HTH")?), Ok(true)); // side 1, then its coin
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Choose<W, P, M> {
    pub(super) chooser: W,
    pub(super) list: P,
    of: PhantomData<M>,
}

impl<W, P: AsRef<[M]>, M> Choose<W, P, M> {
    /// The chooser, and a list of machines: an array, a `Vec`, a slice.
    #[inline]
    pub const fn new(chooser: W, list: P) -> Self {
        Self { chooser, list, of: PhantomData }
    }
}

impl<W, P, M> Machine for Choose<W, P, M>
where
    W: Machine<Output = usize>,
    P: AsRef<[M]>,
    M: Machine,
    M::Output: Default,
{
    type Output = (usize, M::Output);

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error> {
        let place = self.chooser.try_sample(bits)?;
        let answer = match self.list.as_ref().get(place) {
            Some(machine) => machine.try_sample(bits)?,
            None => M::Output::default(),
        };
        Ok((place, answer))
    }
}

/// The first coin to win a race of any number: a chooser picks one, and it wins by heads; after tails the chooser picks again.
///
/// - Answers: the place of the winner.
/// - Law: P(i) = w(i)·pᵢ/Σ w(j)·pⱼ.
/// - Expected fair bits: (c_w + Σ w(i)·cᵢ)/Σ w(i)·pᵢ.
/// - Tail: exponential if the parts' are. It never ends where every coin that can be picked is never heads.
/// - Refuses: nothing.
/// - Proof: a round ends with i with probability w(i)·pᵢ.
/// - Source: Dughmi, Hartline, Kleinberg, Niazadeh 2017; with weights Schmon, Doucet, Deligiannidis 2019.
///
/// ```
/// use buffon::{Die, Machine, OneOver, Script, factories::race_of};
/// let coins = [OneOver::try_from(2)?, OneOver::try_from(4)?];
/// let winner = race_of(Die::new(2)?.map(|side| side as usize), coins); // 2/3 and 1/3
/// assert_eq!(winner.try_sample(&mut Script::from_str("TTHTH")?), Ok(1)); // coin 0: tails; coin 1: heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn race_of<W, P, C>(
    chooser: W,
    coins: P,
) -> Retry<Map<Choose<W, P, C>, impl Fn((usize, bool)) -> Option<usize> + Copy>>
where
    W: Machine<Output = usize>,
    P: AsRef<[C]>,
    C: Coin,
{
    Choose::new(chooser, coins).map(|(place, heads): (usize, bool)| heads.then_some(place)).retry()
}

/// The convex combination Σ w(i)·pᵢ of coins.
///
/// - Answers: that of the coin that the chooser picks; tails if it picks a place past the end.
/// - Law: Σ w(i)·pᵢ. The weights may be endless, the coins a list: what is past its end counts as 0.
/// - Expected fair bits: c_w + Σ w(i)·cᵢ.
/// - Tail: the heaviest part's.
/// - Refuses: nothing.
/// - Source: Wästlund 1999, Theorem 2.7.
///
/// A monomial is `p.power(a).then(p.not().power(b))`, so polynomials with positive coefficients are convex combinations
/// too; [`bernstein`] flips less.
///
/// ```
/// use buffon::{Coin, Fair, Machine, OneOver, Script, factories::convex};
/// let pick = Fair.run().map(|n| n as usize); // weights 1/2, 1/4, 1/8, …
/// let coin = convex(pick, [OneOver::try_from(1)?, OneOver::try_from(2)?]); // 1/2 + 1/8
/// assert_eq!(coin.try_flip(&mut Script::from_str("T")?), Ok(true));
/// assert_eq!(coin.try_flip(&mut Script::from_str("HHT")?), Ok(false)); // past the end
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convex<W, P, C>(
    chooser: W,
    coins: P,
) -> Map<Choose<W, P, C>, impl Fn((usize, bool)) -> bool + Copy>
where
    W: Machine<Output = usize>,
    P: AsRef<[C]>,
    C: Coin,
{
    Choose::new(chooser, coins).map(|(_, heads): (usize, bool)| heads)
}

/// How many of `n` flips of a coin are heads: the binomial law.
///
/// - Answers: the number of heads, from 0 to n.
/// - Law: P(j) = C(n, j)·pʲ(1 − p)ⁿ⁻ʲ.
/// - Expected fair bits: n·c_p, the n flips all made.
/// - Tail: the coin's.
/// - Refuses: nothing.
///
/// ```
/// use buffon::{Fair, Machine, Script, factories::Heads};
/// assert_eq!(Heads::new(Fair, 3).try_sample(&mut Script::from_str("HTH")?), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Heads<C> {
    pub(super) coin: C,
    pub(super) n: usize,
}

impl<C> Heads<C> {
    /// The number of heads among `n` flips of `coin`.
    #[inline]
    pub const fn new(coin: C, n: usize) -> Self {
        Self { coin, n }
    }
}

impl<C: Coin> Machine for Heads<C> {
    type Output = usize;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
        (0..self.n).try_fold(0, |heads, _| Ok(heads + usize::from(self.coin.try_flip(bits)?)))
    }
}

/// A polynomial in p, by its Bernstein coefficients: n flips of `p`, and of n + 1 coins the one whose number is that of the heads.
///
/// - Answers: that of the coin picked.
/// - Law: Σ C(n, j)·pʲ(1 − p)ⁿ⁻ʲ·aⱼ, for n + 1 coins a₀ … aₙ. The coefficients are those of the Bernstein form, not of the
///   powers of p; one above 1 or below 0 in a low degree may come between 0 and 1 in a higher one.
/// - Expected fair bits: n·c_p + Σ P(j)·κ(aⱼ).
/// - Tail: the heaviest part's.
/// - Refuses: nothing; without a coin it is tails. A polynomial that touches 0 or 1 inside (0, 1) has no such form, in any
///   degree: see [the module](crate::factories).
/// - Source: Goyal, Sigman 2012; Qian, Riedel, Rosenberg 2011.
///
/// ```
/// use buffon::{Coin, Fair, Rational, Script, factories::bernstein};
/// // 0, 1/2, 1 in degree two: p itself, of the fair coin.
/// let half = |n| Rational::<u64>::new(n, 2);
/// let coin = bernstein(Fair, [half(0)?, half(1)?, half(2)?]);
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTH")?), Ok(true)); // one heads of two, then 1/2
/// assert_eq!(coin.try_flip(&mut Script::from_str("HH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bernstein<C, P, A>(
    p: C,
    coefficients: P,
) -> Map<Choose<Heads<C>, P, A>, impl Fn((usize, bool)) -> bool + Copy>
where
    C: Coin,
    P: AsRef<[A]>,
    A: Coin,
{
    let n = coefficients.as_ref().len().saturating_sub(1);
    convex(Heads::new(p, n), coefficients)
}

/// Heads, tails or another round, with rational probabilities: made by [`odds`].
pub type Odds = Mix<Rational<u128>, Verdict<Rational<u128>>, Certain<Option<bool>>>;

/// Heads, tails or another round, with these weights.
///
/// - Answers: `Some(true)`, `Some(false)` or `None`.
/// - Law: the weights over their sum.
/// - Expected fair bits: those of the coin (heads + tails)/sum, and, after its heads, of heads/(heads + tails).
/// - Tail: exponential, or bounded if both coins are dyadic.
///
/// # Errors
///
/// [`NeverEnds`](ParameterError::NeverEnds) if the three weights are zero.
///
/// ```
/// use buffon::{Machine, Script, factories::odds};
/// let step = odds(1, 1, 2)?;
/// assert_eq!(step.try_sample(&mut Script::from_str("HT")?), Ok(Some(false)));
/// assert_eq!(step.try_sample(&mut Script::from_str("T")?), Ok(None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn odds(heads: u64, tails: u64, again: u64) -> Result<Odds, ParameterError> {
    let [heads, tails, again] = [heads, tails, again].map(u128::from);
    let done = heads + tails;
    if done + again == 0 {
        return Err(ParameterError::NeverEnds);
    }
    // Where no weight is on heads or tails that coin is not flipped: any will do.
    let side = Rational::<u128>::proven(heads, done.max(1));
    let side = verdict(side, Some(true), Some(false));
    Ok(Rational::<u128>::proven(done, done + again).mix(side, Certain::new(None)))
}

/// A rational function of p: n flips of `p` decide which odds a round has, and rounds go on until one is heads or tails.
///
/// - Answers: heads or tails.
/// - Law: D(p)/E(p), with D = Σ Bⱼ(p)·hⱼ and E = Σ Bⱼ(p)·(hⱼ + tⱼ), where Bⱼ(p) = C(n, j)·pʲ(1 − p)ⁿ⁻ʲ and hⱼ, tⱼ are the
///   shares of heads and tails in the odds number j. Every rational function (0, 1) → (0, 1) has such a form.
/// - Expected fair bits: (n·c_p + Σ P(j)·c(oddsⱼ))/E(p); 1/E(p) rounds.
/// - Tail: exponential if the coin's is and E(p) > 0. It never ends where E(p) = 0, as at p = 0 if the first odds are all
///   on another round.
/// - Proof: a round ends with probability E(p), in heads with D(p).
/// - Source: Mossel, Peres 2005; Thomas, Blanchet 2011.
///
/// # Errors
///
/// [`NeverEnds`](ParameterError::NeverEnds) if no odds at all have heads or tails.
///
/// ```
/// use buffon::{Coin, Fair, Script, factories::{odds, rational_function}};
/// // p²/(p² + (1 − p)²): two flips that agree.
/// let coin = rational_function(Fair, [odds(0, 1, 0)?, odds(0, 0, 1)?, odds(1, 0, 0)?])?;
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTTHHH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rational_function<C, P>(
    p: C,
    odds: P,
) -> Result<
    Retry<Map<Choose<Heads<C>, P, Odds>, impl Fn((usize, Option<bool>)) -> Option<bool> + Copy>>,
    ParameterError,
>
where
    C: Coin,
    P: AsRef<[Odds]>,
{
    if odds.as_ref().iter().all(|odds| *odds.coin.numer() == 0) {
        return Err(ParameterError::NeverEnds);
    }
    let n = odds.as_ref().len().saturating_sub(1);
    let round = Choose::new(Heads::new(p, n), odds);
    Ok(round.map(|(_, verdict): (usize, Option<bool>)| verdict).retry())
}

/// The coin (d + λ)/c, for whole numbers d < c.
///
/// - Answers: heads with probability d/c; else, with probability 1/(c − d), that of `lambda`, and tails otherwise.
/// - Law: (d + λ)/c.
/// - Expected fair bits: κ(d/c) + (1 − d/c)·κ(1/(c − d)) + c_λ/c, at most 4 + c_λ/c.
/// - Tail: exponential if the coin's is.
/// - Proof: d/c + (1 − d/c)·λ/(c − d).
/// - Source: Occil, "Bernoulli Factory Algorithms".
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if c is zero, [`TooLarge`](ParameterError::TooLarge) if d ≥ c.
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::affine};
/// let coin = affine(1, OneOver::try_from(2)?, 2)?; // (1 + 1/2)/2
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn affine<L: Coin>(
    d: u64,
    lambda: L,
    c: u64,
) -> Result<OrElse<Rational<u64>, Then<Rational<u64>, L>>, ParameterError> {
    match c.checked_sub(d) {
        _ if c == 0 => Err(ParameterError::ZeroDenominator),
        None | Some(0) => Err(ParameterError::TooLarge),
        Some(rest) => {
            Ok(Rational::<u64>::proven(d, c).or_else(Rational::<u64>::proven(1, rest).then(lambda)))
        }
    }
}
