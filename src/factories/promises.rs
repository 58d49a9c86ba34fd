#![allow(clippy::type_complexity, reason = "a graph of combinators, written out")]

use super::quotients::{Rounds, Verdict, one_over_one_plus, race, verdict};
use crate::bits::{BitSource, try_wide};
use crate::coin::Coin;
use crate::coins::{Fair, Rational};
use crate::combinators::{Certain, Mix, Not, Retry};
use crate::error::ParameterError;
use crate::machine::Machine;

/// A promise about unknown coins: that what a factory needs keeps a distance of `num/den` from where it would not exist.
///
/// Nothing checks it, since nothing is known of the coins but their flips. **A broken promise fails in silence:** the machine
/// answers with a wrong law, or takes very long. Which quantity keeps the distance is said at each factory:
/// [`linear`], [`sum`], [`difference`], [`known_over`], [`division`]. Where a coin has a known law that breaks the promise,
/// [`KnownLaw`](crate::KnownLaw) says so.
///
/// ```
/// use buffon::{ParameterError, factories::Gap};
/// assert!(Gap::new(1, 5).is_ok());
/// assert_eq!(Gap::new(0, 5), Err(ParameterError::TooSmall));
/// assert_eq!(Gap::new(5, 5), Err(ParameterError::TooLarge));
/// assert_eq!(Gap::new(2, 10), Gap::new(1, 5)); // in lowest terms
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gap {
    num: u128,
    den: u128,
}

/// A fraction of den > 0 in lowest terms, so that equal ones are the same.
const fn reduced(num: u128, den: u128) -> (u128, u128) {
    let (mut common, mut rest) = (num, den);
    while rest > 0 {
        (common, rest) = (rest, common % rest);
    }
    (num / common, den / common)
}

impl Gap {
    /// A distance of `num/den`.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooSmall`](ParameterError::TooSmall) if the gap is
    /// zero, [`TooLarge`](ParameterError::TooLarge) if it is 1 or more.
    pub const fn new(num: u64, den: u64) -> Result<Self, ParameterError> {
        match (num, den) {
            (_, 0) => Err(ParameterError::ZeroDenominator),
            (0, _) => Err(ParameterError::TooSmall),
            _ if num >= den => Err(ParameterError::TooLarge),
            _ => {
                let (num, den) = reduced(num as u128, den as u128);
                Ok(Self { num, den })
            }
        }
    }
}

/// The coin C·p of an unknown coin, for C = `num/den` of any size. Promise: **C·p ≤ 1 − ε**, where ε is the gap.
///
/// - Answers: for C ≤ 1 heads if a coin C and `p` are. Else of a walk on the heights 1, 2, …: from height 1, heads of `p` is a step
///   down, and tails as many steps up as a coin 1/C has heads in a row; height 0 is heads. At a height i of k = ⌈23/(5ε)⌉ or more
///   the answer is tails, unless a coin 1/(1 + ε/2) is heads i times; if it is, C is multiplied by 1 + ε/2, ε halved, k doubled, and
///   the walk goes on.
/// - Law: C·p under the promise. **If the promise is broken the law is another one, and nothing tells.**
/// - Expected fair bits: at most 9.5·C/ε flips of `p` (Huber), of which no factory can do with fewer than 0.004·C/ε; 25.7 for C = 2,
///   ε = 1/5, p = 2/5. Besides, each flip of `p` takes fair bits for coins 1/C, at most 2(1 − p)·C/(C − 1), and for the
///   thinnings; 1.7 of both for that example.
/// - Tail: a finite mean. P(more than n flips) falls like a power of n, about n^−3.3, since it takes twice as many steps to a
///   height of 2k, where one of ten goes on. C ≤ 1 is no slower than its coins.
/// - Proof: let r = C·p < 1. The chance rⁱ of coming down from i is the mean of its next values, p·rⁱ⁻¹ + (1 − p)·rⁱ·E r^X with
///   E r^X = (1 − 1/C)/(1 − r/C) = (1 − 1/C)/(1 − p); and it is the true chance, as the walk drifts up and rⁱ → 0. At a height i,
///   rⁱ = (1 + ε/2)⁻ⁱ·(r(1 + ε/2))ⁱ, and r(1 + ε/2) ≤ (1 − ε)(1 + ε/2) ≤ 1 − ε/2: the promise of the new C and ε. The law holds for every
///   k; this one keeps the mean small.
/// - Source: Huber 2016, "Nearly optimal Bernoulli factories for linear functions".
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooSmall`](ParameterError::TooSmall) if C is zero.
///
/// ```
/// use buffon::{Coin, OneOver, Script, factories::{Gap, linear}};
/// // Twice a coin of which only this is known: it is heads at most two times of five.
/// let coin = linear(2, 1, OneOver::try_from(4)?, Gap::new(1, 5)?)?;
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(true)); // 1/4 = 0.01 in binary: down to 0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linear<P: Coin>(num: u64, den: u64, p: P, gap: Gap) -> Result<Linear<P>, ParameterError> {
    match (num, den) {
        (_, 0) => Err(ParameterError::ZeroDenominator),
        (0, _) => Err(ParameterError::TooSmall),
        _ => Ok(Linear::new(reduced(num.into(), den.into()), p, (gap.num, gap.den))),
    }
}

/// Created by [`linear`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Linear<P> {
    /// C > 0.
    pub(super) factor: (u128, u128),
    pub(super) p: P,
    /// 0 < ε < 1; numerators and denominators are products of two words at most.
    pub(super) gap: (u128, u128),
    highest: u128,
}

impl<P> Linear<P> {
    fn new(factor: (u128, u128), p: P, gap: (u128, u128)) -> Self {
        // ⌈23/(5ε)⌉, or a little more where 128 bits are too few.
        let (num, den) = gap;
        let wide = den.checked_mul(23).zip(num.checked_mul(5));
        let highest = wide.map_or_else(
            || (den / num).saturating_add(1).saturating_mul(5),
            |(top, bottom)| top.div_ceil(bottom),
        );
        Self { factor, p, gap, highest }
    }

    /// The coin 1/(1 + ε/2ⁿ): by its fraction where 128 bits hold it, else by rounds of ε and n fair flips.
    fn thins<B: BitSource + ?Sized>(&self, n: u32, bits: &mut B) -> Result<bool, B::Error> {
        let (num, den) = self.gap;
        let scaled = den.checked_shl(n).filter(|scaled| scaled >> n == den);
        match scaled.and_then(|den| Some((den, den.checked_add(num)?))) {
            Some((den, all)) => try_wide(&den, &all, bits),
            None => {
                let small = Fair.power(n.into()).then(Rational::<u128>::proven(num, den));
                one_over_one_plus(small).try_flip(bits)
            }
        }
    }
}

impl<P: Coin> Linear<P> {
    /// The coin 1/C after so many thinnings: every factor 1 + ε/2ʲ is a coin.
    fn goes_up<B: BitSource + ?Sized>(&self, level: u32, bits: &mut B) -> Result<bool, B::Error> {
        let (num, den) = self.factor;
        let mut up = try_wide(&den, &num, bits)?;
        for n in 1..=level {
            up = up && self.thins(n, bits)?;
        }
        Ok(up)
    }
}

impl<P: Coin> Machine for Linear<P> {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let (num, den) = self.factor;
        if num <= den {
            return Ok(try_wide(&num, &den, bits)? && self.p.try_flip(bits)?);
        }
        let (mut height, mut highest, mut level) = (1u128, self.highest, 0u32);
        while height > 0 {
            if height >= highest {
                for _ in 0..height {
                    if !self.thins(level + 1, bits)? {
                        return Ok(false);
                    }
                }
                (highest, level) = (highest.saturating_mul(2), level.saturating_add(1));
            }
            if self.p.try_flip(bits)? {
                height -= 1;
            } else {
                while self.goes_up(level, bits)? {
                    height = height.saturating_add(1); // 2^128 steps never come
                }
            }
        }
        Ok(true)
    }
}

/// The sum p + q of two unknown coins. Promise: **p + q ≤ 1 − ε**, where ε is the gap.
///
/// - Answers: [`linear`], of the factor 2, of a coin that is `p` or `q` by a fair flip.
/// - Law: p + q under the promise, another one without.
/// - Expected fair bits: at most 19/ε flips, half of each coin, and a bit for each, besides those of [`linear`].
/// - Tail: a finite mean.
/// - Refuses: nothing; [`Gap::new`] refuses a gap of 0.
/// - Source: Nacu, Peres 2005, Proposition 14.
///
/// ```
/// use buffon::{KnownLaw, OneOver, factories::{Gap, sum}};
/// let coin = sum(OneOver::try_from(3)?, OneOver::try_from(4)?, Gap::new(1, 3)?);
/// assert_eq!(coin.probability(1).to_string(), "7/12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sum<P: Coin, Q: Coin>(p: P, q: Q, gap: Gap) -> Linear<Mix<Fair, P, Q>> {
    Linear::new((2, 1), Fair.mix(p, q), (gap.num, gap.den))
}

/// The difference p − q of two unknown coins. Promise: **p − q ≥ ε**, where ε is the gap.
///
/// - Answers: tails where the [`sum`] of 1 − p and q is heads.
/// - Law: p − q under the promise, another one without. Without a known gap there is no such factory.
/// - Expected fair bits: those of [`sum`].
/// - Tail: that of [`sum`], a finite mean.
/// - Refuses: nothing; [`Gap::new`] refuses a gap of 0.
/// - Source: Nacu, Peres 2005, Proposition 14.
///
/// ```
/// use buffon::{KnownLaw, OneOver, factories::{Gap, difference}};
/// let coin = difference(OneOver::try_from(2)?, OneOver::try_from(6)?, Gap::new(1, 3)?);
/// assert_eq!(coin.probability(1).to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn difference<P: Coin, Q: Coin>(p: P, q: Q, gap: Gap) -> Not<Linear<Mix<Fair, Not<P>, Q>>> {
    sum(p.not(), q, gap).not()
}

/// The coin a/λ, for a known a = `num/den` and an unknown coin λ. Promise: **λ ≥ a + ε**, where ε is the gap.
///
/// - Answers: in rounds, heads with probability a; else, where the [`linear`] coin (1 − λ)/(1 − a) is tails, tails.
/// - Law: a/λ under the promise, another one without.
/// - Expected fair bits: 1/λ rounds; each flips λ at most 9.5/ε times if it comes to that.
/// - Tail: a finite mean.
/// - Proof: a round is heads with probability a and tails with (1 − a)(1 − (1 − λ)/(1 − a)) = λ − a; and (1 − λ)/(1 − a) ≤
///   1 − ε/(1 − a).
/// - Source: Lee, Doucet, Łatuszyński 2014.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooSmall`](ParameterError::TooSmall) if a is zero,
/// [`TooLarge`](ParameterError::TooLarge) if a + ε is above 1: no λ keeps the promise.
///
/// ```
/// use buffon::{Fair, KnownLaw, factories::{Gap, known_over}};
/// let coin = known_over(1, 5, Fair, Gap::new(1, 4)?)?;
/// assert_eq!(coin.probability(1).to_string(), "2/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn known_over<L: Coin>(
    num: u64,
    den: u64,
    lambda: L,
    gap: Gap,
) -> Result<KnownOver<L>, ParameterError> {
    let (a, b, e, f) = (u128::from(num), u128::from(den), gap.num, gap.den);
    if b == 0 {
        return Err(ParameterError::ZeroDenominator);
    }
    if a == 0 {
        return Err(ParameterError::TooSmall);
    }
    // 1 − a/b, and ε/(1 − a/b), which must be at most 1. At 1 only λ = 1 keeps the promise, and the walk any gap: a great one is
    // soon over.
    let rest =
        b.checked_sub(a).filter(|&rest| e * b <= f * rest).ok_or(ParameterError::TooLarge)?;
    let gap = if e * b == f * rest { (99, 100) } else { reduced(e * b, f * rest) };
    let other = Linear::new(reduced(b, rest), lambda.not(), gap);
    let (heads, again) = (Certain::new(Some(true)), verdict(other, None, Some(false)));
    Ok(Rational::<u64>::proven(num, den).mix(heads, again).retry())
}

/// Created by [`known_over`]. See its documentation for more.
pub type KnownOver<L> = Retry<Mix<Rational<u64>, Certain<Option<bool>>, Verdict<Linear<Not<L>>>>>;

/// The quotient p/q of two unknown coins. Promise: **q − p ≥ ε**, where ε is the gap.
///
/// - Answers: the [`race`] of `p` and the [`difference`] q − p, which a fair flip picks in each round.
/// - Law: p/q under the promise, another one without. Without a known gap there is no such factory.
///   [`condition`](crate::Machine::condition) is another thing: it divides by the probability of an event of the *same* experiment.
/// - Expected fair bits: 2/q rounds, half of which flip `p` once, and half both coins at most 19/ε times together.
/// - Tail: a finite mean.
/// - Proof: p/(p + (q − p)).
/// - Refuses: nothing; [`Gap::new`] refuses a gap of 0.
/// - Source: Morina 2021.
///
/// ```
/// use buffon::{KnownLaw, OneOver, factories::{Gap, division}};
/// let coin = division(OneOver::try_from(6)?, OneOver::try_from(2)?, Gap::new(1, 3)?);
/// assert_eq!(coin.probability(1).to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn division<P: Coin + Clone, Q: Coin>(
    p: P,
    q: Q,
    gap: Gap,
) -> Rounds<Fair, P, Not<Linear<Mix<Fair, Not<Q>, P>>>> {
    race(Fair, p.clone(), difference(q, p, gap))
}

#[cfg(feature = "exact")]
#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;
    use crate::bits::{BitBuffer, Script};
    use crate::explore::{Explorer, Polynomial, explore};

    fn q(num: u128, den: u128) -> BigRational {
        BigRational::new(num.into(), den.into())
    }

    /// With a height of 1 or 2 the walk is thinned at once, and again: the deep levels, within reach of the explorer.
    #[test]
    fn thinning_at_any_height_keeps_the_law_for_every_promised_p() {
        let [t] = Polynomial::letters();
        for (highest, depth) in [(1, 18), (2, 18), (3, 18)] {
            for (factor, gap, most) in [((2, 1), (1, 2), (1, 4)), ((5, 2), (1, 5), (8, 25))] {
                // p = (1 − ε)/C·t, for every t of [0, 1]: then C·p = (1 − ε)·t.
                let walk = |t| Linear {
                    factor,
                    p: Rational::<u128>::proven(most.0, most.1).then(t),
                    gap,
                    highest,
                };
                let found = Explorer::new(depth).letters_weighted(|[t]| walk(t));
                let law = Polynomial::from(q(gap.1 - gap.0, gap.1)) * &t;
                let proof = found.proves(&true, &law, &Polynomial::from(1));
                assert!(proof.is_ok(), "{factor:?} {gap:?} {highest}: {proof:?}");
            }
        }
    }

    #[test]
    fn walks_that_are_thinned_early_have_the_frequency_of_their_law() {
        use rand::{SeedableRng, rngs::StdRng};
        let mut bits = BitBuffer::new(StdRng::seed_from_u64(14));
        // C·p = 1 − ε. Without the change of C or of ε beyond a height, heads would lack or exceed thousands.
        let p = Rational::<u128>::proven(6, 25);
        for highest in [5, 7] {
            let walk = Linear { factor: (5, 2), p, gap: (2, 5), highest };
            let heads: u32 = (0..400_000).map(|_| u32::from(walk.flip(&mut bits))).sum();
            assert!(heads.abs_diff(240_000) < 1_550, "{highest}: {heads}"); // five standard errors
        }
    }

    #[test]
    fn a_thinning_beyond_128_bits_has_the_same_law() {
        // 1/(1 + ε/2ⁿ) for ε = 1/3 and n = 2, by its fraction and by rounds; for n = 127 only the rounds are left.
        let walk = Linear::new((2, 1), Fair, (1, 3));
        let coin = crate::from_fn(move |bits| walk.thins(2, bits));
        assert!(explore(&coin, 14).probability(&true).contains(&q(12, 13)));
        let coin = crate::from_fn(move |bits| walk.thins(127, bits));
        let found = explore(&coin, 14);
        assert!(found.mass(&false) == q(0, 1) && found.mass(&true) > q(9, 10));
        let flips = Script::from_str("H");
        assert!(flips.is_ok_and(|mut flips| walk.thins(127, &mut flips) == Ok(true)));
    }
}
