#![allow(clippy::type_complexity, reason = "a graph of combinators, written out")]

use core::num::NonZeroU64;

use crate::coin::Coin;
use crate::coins::{Always, Fair, Rational};
use crate::combinators::{Certain, Mix, Not, Retry};
use crate::error::ParameterError;
use crate::machine::Machine;

/// A coin whose sides are verdicts of a round: heads, tails, or `None` for another round.
pub type Verdict<C> = Mix<C, Certain<Option<bool>>, Certain<Option<bool>>>;

/// Rounds of a chooser and one of two coins, until a verdict: what [`race`] and [`quotient`] make.
pub type Rounds<R, A, B> = Retry<Mix<R, Verdict<A>, Verdict<B>>>;

#[inline]
pub(super) fn verdict<C: Coin>(coin: C, heads: Option<bool>, tails: Option<bool>) -> Verdict<C> {
    coin.mix(Certain::new(heads), Certain::new(tails))
}

/// Which of two coins wins a race: `chooser` picks one, and it wins by heads; after tails the chooser picks again.
///
/// - Answers: heads if `a` wins, which runs after the chooser's heads; tails if `b` wins.
/// - Law: ra/(ra + (1 − r)b). With r = c/(c + d) it is ca/(ca + db): two unknown coins, two known weights.
/// - Expected fair bits: (c_r + r·c_a + (1 − r)·c_b)/D with D = ra + (1 − r)b; so many flips of each, in expectation:
///   r/D of `a` and (1 − r)/D of `b`.
/// - Tail: exponential if the parts' are. It never ends where both coins that can be picked are never heads; see [`portkey`].
/// - Refuses: nothing.
/// - Proof: a round ends with `a` with probability ra and with `b` with (1 − r)b, and the rounds are alike.
/// - Source: Gonçalves, Łatuszyński, Roberts 2017 (the two-coin algorithm).
///
/// ```
/// use buffon::{Coin, Fair, OneOver, Script, factories::race};
/// let coin = race(Fair, OneOver::try_from(2)?, OneOver::try_from(4)?); // (1/2)/(1/2 + 1/4) = 2/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTTTH")?), Ok(false)); // a: tails; b: heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn race<R: Coin, A: Coin, B: Coin>(chooser: R, a: A, b: B) -> Rounds<R, A, B> {
    let (a, b) = (verdict(a, Some(true), None), verdict(b, Some(false), None));
    chooser.mix(a, b).retry()
}

/// A quotient: after the chooser's heads the answer is that of `a`; after its tails heads of `b` is the answer tails, and
/// tails of `b` another round.
///
/// - Answers: heads or tails, as said.
/// - Law: ra/(r + (1 − r)b).
/// - Expected fair bits: (c_r + r·c_a + (1 − r)·c_b)/(r + (1 − r)b).
/// - Tail: exponential if the parts' are and r > 0. It never ends where r = 0 and b = 0.
/// - Refuses: nothing.
/// - Proof: a round ends with probability r + (1 − r)b, in heads with ra.
/// - Source: the pattern behind the quotients of Occil's "Bernoulli Factory Algorithms".
///
/// | function of λ | machine |
/// |---|---|
/// | λ/(2 − λ) | `quotient(Fair, lambda, lambda.not())` |
/// | 1/(2 − λ) | [`one_over_one_plus`]`(lambda.not())` |
/// | (1 − λ)/(1 + λ) | [`one_minus_over_one_plus`]`(lambda)` |
/// | d/(c + λ), c ≥ d | [`over_shifted`]`(c, Rational::new(d, c)?, lambda)` |
/// | (d + μ)/(c + λ), c > d | [`over_shifted`]`(c, affine(d, mu, c)?, lambda)` |
/// | a power of any of them | `….power(k)` |
///
/// ```
/// use buffon::{Coin, Fair, OneOver, Script, factories::quotient};
/// let quarter = OneOver::try_from(4)?;
/// let coin = quotient(Fair, quarter, quarter.not()); // (1/4)/(2 − 1/4) = 1/7
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTH")?), Ok(true)); // 1/4 = 0.01 in binary
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTHHTT")?), Ok(false)); // again; tails of the first quarter
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn quotient<R: Coin, A: Coin, B: Coin>(chooser: R, a: A, b: B) -> Rounds<R, A, B> {
    let (a, b) = (verdict(a, Some(true), Some(false)), verdict(b, Some(false), None));
    chooser.mix(a, b).retry()
}

/// The coin 1/(1 + p) at bounded cost: a fair flip wins by heads, or loses by heads of `p` after its tails.
///
/// - Answers: heads after the fair coin's heads; tails after its tails and heads of `p`; else once more.
/// - Law: 1/(1 + p).
/// - Expected fair bits: (2 + c_p)/(1 + p), at most 2 + c_p whatever p is, with 1/(1 + p) flips of `p`.
///   [`parity_of_run`](Coin::parity_of_run) has the same law at c_p/(1 − p), without bound as p nears 1; it is the cheaper
///   one if p < 1/(1 + c_p).
/// - Tail: exponential if the coin's is; a round is the last with probability 1/2 at least. It always ends, at p = 1 too.
/// - Refuses: nothing.
/// - Proof: [`race`] with r = 1/2 and a = 1.
/// - Source: Gonçalves, Łatuszyński, Roberts 2017.
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::one_over_one_plus};
/// let coin = one_over_one_plus(OneOver::try_from(2)?); // 2/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTTH")?), Ok(false));
/// assert_eq!(coin.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn one_over_one_plus<P: Coin>(p: P) -> Rounds<Fair, Always, P> {
    race(Fair, Always, p)
}

/// The coin (1 − p)/(1 + p); of p = exp(−z) it is tanh(z/2).
///
/// - Answers: after a fair heads, tails of `p` is heads; after its tails, heads of `p` is tails, else once more.
/// - Law: (1 − p)/(1 + p).
/// - Expected fair bits: 2(1 + c_p)/(1 + p).
/// - Tail: as [`one_over_one_plus`]. It always ends.
/// - Refuses: nothing. 1 − 2p, which looks alike, cannot be made: see [the module](crate::factories).
/// - Proof: [`quotient`] with r = 1/2, a = 1 − p and b = p.
/// - Source: Gonçalves, Łatuszyński, Roberts 2017, for the rounds.
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::one_minus_over_one_plus};
/// let coin = one_minus_over_one_plus(OneOver::try_from(2)?); // 1/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("HT")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn one_minus_over_one_plus<P: Coin + Clone>(p: P) -> Rounds<Fair, Not<P>, P> {
    quotient(Fair, p.clone().not(), p)
}

/// The logistic coin Cp/(1 + Cp), for C = `num/den` of any size: odds of C·p to 1.
///
/// - Answers: heads if `p` wins against certainty, where `p` is picked with probability C/(1 + C).
/// - Law: Cp/(1 + Cp).
/// - Expected fair bits: ((1 + C)·κ(1/(1 + C)) + C·c_p)/(1 + Cp), with C/(1 + Cp) flips of `p`; κ is the cost of a rational coin.
/// - Tail: exponential if the coin's is; a round is the last with probability 1/(1 + C) at least, so it always ends.
/// - Proof: [`race`] with r = C/(1 + C) and b = 1.
/// - Source: Huber 2016, whose Poisson process is not needed: the embedded rounds have the same law.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::logistic};
/// let coin = logistic(2, 1, OneOver::try_from(4)?)?; // (2/4)/(1 + 2/4) = 1/3
/// // 2/3 = 0.1010… in binary: heads at once picks the quarter, which is tails, and then the first digit 0 loses.
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTTTH")?), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn logistic<P: Coin>(
    num: u64,
    den: u64,
    p: P,
) -> Result<Rounds<Rational<u128>, P, Always>, ParameterError> {
    if den == 0 {
        return Err(ParameterError::ZeroDenominator);
    }
    Ok(race(share(num, den)?, p, Always))
}

/// The coin c·a/(c + λ): a known whole number c ≥ 1, and two coins.
///
/// - Answers: that of `a` with probability c/(1 + c); else tails after heads of `lambda`, and once more after its tails.
/// - Law: c·a/(c + λ). So d/(c + λ) with a = d/c, and (d + μ)/(c + λ) with a = (d + μ)/c, an [`affine`](super::affine) coin.
/// - Expected fair bits: ((1 + c)·κ(1/(1 + c)) + c·c_a + c_λ)/(c + λ), with 1/(c + λ) flips of `lambda`.
/// - Tail: exponential if the coins' are; a round is the last with probability c/(1 + c) at least.
/// - Refuses: nothing; c is not zero.
/// - Proof: [`quotient`] with r = c/(1 + c), both sides of the fraction times 1 + c.
/// - Source: Occil, "Bernoulli Factory Algorithms".
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::over_shifted};
/// use std::num::NonZeroU64;
/// // 1/(3 + 1/2) = 2/7
/// let coin = over_shifted(NonZeroU64::new(3).expect("3"), OneOver::try_from(3)?, OneOver::try_from(2)?);
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTH")?), Ok(true)); // 3/4: heads; 1/3: heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn over_shifted<A: Coin, L: Coin>(
    c: NonZeroU64,
    a: A,
    lambda: L,
) -> Rounds<Rational<u128>, A, L> {
    let (c, all) = (u128::from(c.get()), u128::from(c.get()) + 1);
    quotient(Rational::<u128>::proven(c, all), a, lambda)
}

/// The race that cannot hang: before each round, with probability 1 − β, it is over and the answer is tails.
///
/// - Answers: as [`race`], or tails at an early end.
/// - Law: βra/(βD + 1 − β) with D = ra + (1 − r)b. As an acceptance probability in Markov-chain Monte Carlo it is as good as
///   the race's, since it still satisfies Barker's balance for symmetric bounds.
/// - Expected fair bits: (c_β + β·(c_r + r·c_a + (1 − r)·c_b))/(βD + 1 − β), so bounded for β < 1 whatever the coins are.
/// - Tail: exponential if the parts' are and β < 1, also where both coins are never heads.
/// - Refuses: nothing.
/// - Proof: a round is the last with probability 1 − β + βD, and heads with βra.
/// - Source: Vats, Gonçalves, Łatuszyński, Roberts 2022.
///
/// ```
/// use buffon::{Coin, Fair, Never, OneOver, Script, factories::portkey};
/// let coin = portkey(OneOver::try_from(2)?, Fair, Never, Never); // a race without end, and yet
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTT")?), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn portkey<G: Coin, R: Coin, A: Coin, B: Coin>(
    beta: G,
    chooser: R,
    a: A,
    b: B,
) -> Retry<Mix<G, Mix<R, Verdict<A>, Verdict<B>>, Certain<Option<bool>>>> {
    let (a, b) = (verdict(a, Some(true), None), verdict(b, Some(false), None));
    beta.mix(chooser.mix(a, b), Certain::new(Some(false))).retry()
}

/// The coin whose odds are the product of the odds of `p` and `q`: both are flipped until they agree.
///
/// - Answers: what both show, once they show the same.
/// - Law: pq/(pq + (1 − p)(1 − q)). With q = e^z/(1 + e^z) it is the exponential tilt p·e^z/(p·e^z + 1 − p).
/// - Expected fair bits: (c_p + c_q)/(pq + (1 − p)(1 − q)).
/// - Tail: exponential if the parts' are. It never ends where one is certain of heads and the other of tails.
/// - Refuses: nothing.
/// - Proof: a round ends in heads with probability pq and in tails with (1 − p)(1 − q).
/// - Source: Peres, Lee, Keich 2021, by way of Occil.
///
/// ```
/// use buffon::{Coin, Fair, OneOver, Script, factories::product_of_odds};
/// let coin = product_of_odds(Fair, OneOver::try_from(4)?); // the odds 1:1 and 1:3
/// assert_eq!(coin.try_flip(&mut Script::from_str("HHTTT")?), Ok(false)); // disagree; both tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn product_of_odds<P: Coin, Q: Coin + Clone>(p: P, q: Q) -> Rounds<P, Q, Q> {
    let (both, neither) = (verdict(q.clone(), Some(true), None), verdict(q, None, Some(false)));
    p.mix(both, neither).retry()
}

/// A coin, or else a fair flip and the coin again: what [`twice_over_one_plus_square`] repeats.
pub type SechRound<Q> = Mix<Q, Certain<Option<bool>>, Mix<Fair, Verdict<Q>, Certain<Option<bool>>>>;

/// The coin 2q/(1 + q²); of q = exp(−x) it is 1/cosh x.
///
/// - Answers: heads after heads of `q`; else after a fair heads and tails of `q` tails; else once more.
/// - Law: 2q/(1 + q²).
/// - Expected fair bits: 2(c + (1 − q)(1 + c/2))/(1 + q²) with c = c_q.
/// - Tail: exponential if the coin's is; a round is the last with probability (1 + q²)/2 at least. It always ends.
/// - Refuses: nothing.
/// - Proof: a round is heads with probability q and tails with (1 − q)²/2: 2q/(2q + 1 − 2q + q²).
/// - Source: Ducas, Durmus, Lepoint, Lyubashevsky 2013.
///
/// ```
/// use buffon::{Coin, Fair, Script, factories::twice_over_one_plus_square};
/// let coin = twice_over_one_plus_square(Fair); // 4/5
/// assert_eq!(coin.try_flip(&mut Script::from_str("TTTHT")?), Ok(false)); // again; fair heads, then tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn twice_over_one_plus_square<Q: Coin + Clone>(q: Q) -> Retry<SechRound<Q>> {
    let again = Certain::new(None);
    let other = Fair.mix(verdict(q.clone(), None, Some(false)), again);
    q.mix(Certain::new(Some(true)), other).retry()
}

/// The coin c/(c + d) of the weights of a [`race`], whose sum need not fit 64 bits.
///
/// # Errors
///
/// [`NeverEnds`](ParameterError::NeverEnds) if both are zero: nobody would run.
pub fn share(c: u64, d: u64) -> Result<Rational<u128>, ParameterError> {
    match (u128::from(c), u128::from(d)) {
        (0, 0) => Err(ParameterError::NeverEnds),
        (c, d) => Ok(Rational::<u128>::proven(c, c + d)),
    }
}
