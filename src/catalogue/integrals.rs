//! Constants and functions that are integrals, by numbers known only by their flips.
//!
//! If U is uniform, and a machine of one coin has the law f, then flipping U in place of the coin it has the law
//! E f(U) = ∫₀¹ f; with x·U in place of the coin, (1/x)∫₀ˣ f (Flajolet, Pelletier, Soria 2011, §4). Here U is Pólya's
//! [urn](Urn), two counters; [`integrand()`](crate::uniform::Integral::integrand) gives the same function back, and
//! [`bags`](crate::uniform::Integrand::bags) of it is the paper's machine, of the same law.
//!
//! | machine | law | fair bits by urns | by bags, about |
//! |---|---|---|---|
//! | [`ln_2()`] | ln 2 | 2.2514761167352152 | 2 + 2·ln 2 = 3.3863 |
//! | [`quarter_pi()`] | π/4 | 3.2137788985002265 | 4.68 |
//! | [`eighth_pi()`] | π/8 | 4.2159934048 | 4.38 |
//! | [`twelfth_pi()`] | π/12 | 3.0712596328 | 3.56 |
//! | [`machin()`] | π/4 | 5.4319868098 | 5.77 |
//! | [`eta::<2>()`](eta) | π²/12 | 3.1960764417 | 5.10 |
//! | [`eta::<3>()`](eta) | ¾·ζ(3) | 3.8198701217 | 6.20 |
//! | [`arctan_over(num, den)`](arctan_over) | (arctan x)/x | the more, the greater x | |
//! | [`ln_one_plus_over(num, den)`](ln_one_plus_over) | ln(1 + x)/x | | |
//! | [`gauss_integral(num, den)`](gauss_integral) | (1/x)∫₀ˣ exp(−w²) dw | 3.2271859326 for x = 1 | 5.80 |
//! | [`half_arcsine(num, den)`](half_arcsine) | ½·arcsin x | 3.6924858279 for x = 1/2 | 3.98 |
//! | [`inverse_root_2()`] | √½ | 2.2609418929 | – |
//! | [`elliptic(num, den)`](elliptic) | (2/π)·E(k) | 2.1940791224 for k² = 1/2 | – |
//! | [`inverse_agm(num, den)`](inverse_agm) | 1/agm(1, √(1 + x)) | 3.1562293953 for x = 1 | – |
//!
//! By the digits of the constant each would cost 2 bits ([`compile`](crate::KnownLaw::compile)), and the runs of the
//! [catalogue](super) are cheaper than most. These need no digits and no division, and take unknown coins in place of x:
//! [`Monomial`].
//!
//! # What is not here: infinite means
//!
//! That a machine ends with an exponential tail for every u says nothing of the mean over U. The shorter machine
//! `integrate(Beta::UNIFORM, |u, bits| u.parity_of_run().try_flip(bits))` has the law ln 2 too, and its run has the mean
//! ∫ du/(1 − u) = ∞; so has the parity of the run of u² for π/4, and the run of u that is accepted if its length is 0 or 1 mod 4,
//! the series of Madhava, Gregory and Leibniz. Averages of such a machine never settle. The rounds of
//! [`one_over_one_plus`](crate::factories::one_over_one_plus) have the same law and a mean of at most 2 rounds for every u.

use super::series::{check, check_below_one};
use crate::coin::Coin;
use crate::coins::{Always, Fair, Rational};
use crate::combinators::{Mix, Not, Power, Then};
use crate::error::ParameterError;
use crate::factories::{ToThe, to_the};
use crate::uniform::{
    Beta, Both, Complement, Exponential, Integral, Integrand, Monomial, Reciprocal, Root, Urn,
};

/// The mean of 1/(1 + w), w = (c·u₁u₂…)ⁿ, over K uniform numbers: what [`ln_2`], [`eta`] and their like are.
pub type OneOverOnePlus<C, const K: usize> = Integral<Reciprocal<Monomial<C>>, Urn, K>;

const fn ratio(num: u64, den: u64) -> Rational<u64> {
    Rational::<u64>::proven(num, den)
}

/// 1/(1 + w) over uniform numbers.
fn one_over_one_plus<C: Coin, const K: usize>(coin: C, n: u32) -> OneOverOnePlus<C, K> {
    Monomial::new(coin, n).one_over_one_plus().urns([Beta::UNIFORM; K])
}

/// The coin ln 2.
///
/// - Answers: rounds until a fair heads, which is heads, or heads of U, which is tails.
/// - Law: ∫₀¹ du/(1 + u) = ln 2.
/// - Expected fair bits: 2.2514761167352152….
/// - Tail: exponential; each round is the last with probability 1/2 at least.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §4, with the rounds of Gonçalves, Łatuszyński and Roberts 2017 and an urn.
///
/// ```
/// use buffon::{Coin, KnownLaw, Script, catalogue::integrals::ln_2, factories::exp_minus_of};
/// assert_eq!(ln_2().try_flip(&mut Script::from_str("TH")?), Ok(false));
/// // exp(−ln 2) = 1/2, by a machine that does not know.
/// let half = exp_minus_of(ln_2());
/// assert_eq!(format!("{:.8}", half.expected_bits(40)), "4.52729038…");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ln_2() -> OneOverOnePlus<Always, 1> {
    one_over_one_plus(Always, 1)
}

/// The coin π/4.
///
/// - Answers: as [`ln_2`], with two flips of U that must both be heads.
/// - Law: ∫₀¹ du/(1 + u²) = π/4.
/// - Expected fair bits: 3.2137788985002265….
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: that of [`ln_2`].
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::quarter_pi};
/// assert_eq!(format!("{:.15}", quarter_pi().probability(60)), "0.785398163397448…");
/// ```
pub fn quarter_pi() -> OneOverOnePlus<Always, 1> {
    one_over_one_plus(Always, 2)
}

/// The coin η(K) = (1 − 2^(1−K))·ζ(K), by K numbers at once: π²/12, ¾·ζ(3), ….
///
/// - Answers: as [`ln_2`], with one flip of each number, all of which must be heads.
/// - Law: E 1/(1 + U₁⋯U_K) = Σ (−1)ⁿ·(E Uⁿ)ᴷ = 1 − 2^-K + 3^-K − …. The paper prints ⅞·ζ(3) and 31/32·ζ(5), where it is ¾ and
///   15/16.
/// - Expected fair bits: 3.1960764417… for K = 2, 3.8198701217… for 3. By the parity of their run K urns cost Σ n^-K times the
///   flips of a round: 2.609 for K = 3, with a tail that falls like a power; the flips are then those of
///   [`eta`](super::eta()), whose ratios are n/(n + 1), one by one.
/// - Tail: exponential.
/// - Refuses: nothing; for K = 0 it is 1/2.
/// - Source: Flajolet, Pelletier, Soria 2011, §4.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::eta};
/// assert_eq!(format!("{:.9}", eta::<2>().probability(40)), "0.822467033…"); // π²/12
/// ```
pub fn eta<const K: usize>() -> OneOverOnePlus<Always, K> {
    one_over_one_plus(Always, 1)
}

/// The coin (arctan x)/x for a rational x = `num/den` of [0, 1].
///
/// - Answers: as [`quarter_pi`], two flips of the coin x being heads too.
/// - Law: ∫₀¹ du/(1 + x²u²) = (arctan x)/x.
/// - Expected fair bits: those of [`quarter_pi`] at most, and 2 bits for each flip of the coin x.
/// - Tail: exponential.
/// - Proof: the substitution w = xu.
/// - Source: Flajolet, Pelletier, Soria 2011, §4.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::arctan_over};
/// assert_eq!(format!("{:.9}", arctan_over(1, 4)?.probability(40)), "0.979914652…");
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn arctan_over(num: u64, den: u64) -> Result<OneOverOnePlus<Rational<u64>, 1>, ParameterError> {
    check(num, den)?;
    Ok(one_over_one_plus(ratio(num, den), 2))
}

/// The coin ln(1 + x)/x for a rational x = `num/den` of [0, 1].
///
/// - Answers: as [`ln_2`], a flip of the coin x being heads too.
/// - Law: ∫₀¹ du/(1 + xu) = ln(1 + x)/x.
/// - Expected fair bits: those of [`ln_2`] at most, and 2 bits for each flip of the coin x.
/// - Tail: exponential.
/// - Proof: the substitution w = xu.
/// - Source: Flajolet, Pelletier, Soria 2011, §4.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::ln_one_plus_over};
/// assert_eq!(format!("{:.9}", ln_one_plus_over(1, 2)?.probability(40)), "0.810930216…"); // 2·ln 3/2
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn ln_one_plus_over(
    num: u64,
    den: u64,
) -> Result<OneOverOnePlus<Rational<u64>, 1>, ParameterError> {
    check(num, den)?;
    Ok(one_over_one_plus(ratio(num, den), 1))
}

/// Created by [`gauss_integral`]. See its documentation for more.
pub type GaussIntegral = Integral<Exponential<Monomial<Rational<u64>>>, Urn, 1>;

/// The coin (1/x)∫₀ˣ exp(−w²) dw for a rational x = `num/den` of [0, 1]: √π/2·erf(x)/x.
///
/// - Answers: the rounds of [`exp_minus_of`](crate::factories::exp_minus_of) for the coin (xU)².
/// - Law: ∫₀¹ exp(−x²u²) du.
/// - Expected fair bits: 3.2271859326… for x = 1.
/// - Tail: exponential; the rounds end factorially fast.
/// - Proof: the substitution w = xu.
/// - Source: Flajolet, Pelletier, Soria 2011, §4.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::gauss_integral};
/// assert_eq!(format!("{:.9}", gauss_integral(1, 1)?.probability(40)), "0.746824132…");
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn gauss_integral(num: u64, den: u64) -> Result<GaussIntegral, ParameterError> {
    check(num, den)?;
    Ok(Monomial::new(ratio(num, den), 2).exp_minus().urns([Beta::UNIFORM]))
}

/// A scaled arctangent, the coin a and then (arctan x)/x: a part of [`eighth_pi`] and [`machin`].
pub type Arctan = Then<Rational<u64>, OneOverOnePlus<Rational<u64>, 1>>;

/// a·(arctan x)/x.
fn arctan(a: (u64, u64), x: (u64, u64)) -> Arctan {
    ratio(a.0, a.1).then(one_over_one_plus(ratio(x.0, x.1), 2))
}

/// The coin π/8 = ½(arctan ½ + arctan ⅓).
///
/// - Answers: that of one of two coins arctan x, x = 1/2 or 1/3, picked by a fair flip.
/// - Law: π/8, as arctan ½ + arctan ⅓ = π/4.
/// - Expected fair bits: 4.2159934048….
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §4.
///
/// ```
/// use buffon::{Coin, Script, catalogue::integrals::eighth_pi};
/// assert_eq!(eighth_pi().try_flip(&mut Script::from_str("HT")?), Ok(false)); // x = 1/2 is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn eighth_pi() -> Mix<Fair, Arctan, Arctan> {
    Fair.mix(arctan((1, 2), (1, 2)), arctan((1, 3), (1, 3)))
}

/// The coin π/4 by Machin's method: ½(2·arctan ½) + ½·⅔(3·arctan ⅓).
///
/// - Answers: that of one of two coins, picked by a fair flip.
/// - Law: π/4 = arctan ½ + arctan ⅓.
/// - Expected fair bits: 5.4319868098…; without the detour [`quarter_pi`] is cheaper.
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §4; Machin 1706 for the method.
///
/// ```
/// use buffon::{Coin, Script, catalogue::integrals::machin};
/// assert_eq!(machin().try_flip(&mut Script::from_str("HH")?), Ok(true)); // x = 1/2; a fair heads ends its first round
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn machin() -> Mix<Fair, Arctan, Arctan> {
    Fair.mix(arctan((1, 1), (1, 2)), arctan((2, 3), (1, 3)))
}

/// The coin π/12: a third, and then [`quarter_pi`].
///
/// - Answers: heads if both are.
/// - Law: π/12.
/// - Expected fair bits: 3.0712596328…, less than the 3.6924858279… of [`half_arcsine(1, 2)`](half_arcsine).
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: that of [`quarter_pi`].
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::twelfth_pi};
/// assert_eq!(format!("{:.9}", twelfth_pi().probability(40)), "0.261799387…");
/// ```
pub fn twelfth_pi() -> Then<Rational<u64>, OneOverOnePlus<Always, 1>> {
    ratio(1, 3).then(quarter_pi())
}

/// √(1 − w).
type RootOfComplement = Root<Complement<Monomial<Rational<u64>>>>;

/// √(1 − w²)/(1 + w).
type ArcsineIntegrand = Both<Reciprocal<Monomial<Rational<u64>>>, RootOfComplement>;

/// Created by [`half_arcsine`]. See its documentation for more.
pub type HalfArcsine = Mix<
    Fair,
    Then<Rational<u64>, Integral<ArcsineIntegrand, Urn, 1>>,
    Not<ToThe<Not<Power<Rational<u64>>>>>,
>;

/// The coin ½·arcsin x for a rational x = `num/den` of [0, 1); π/12 for x = 1/2.
///
/// - Answers: picked by a fair flip, the integral x·E √(1 − w²)/(1 + w) with w = xU, or 1 − √(1 − x²).
/// - Law: ½·arcsin x.
/// - Expected fair bits: 3.6924858279… for x = 1/2, without bound as x nears 1.
/// - Tail: exponential.
/// - Proof: √(1 − w²)/(1 + w) = (1 − w)/√(1 − w²), whose integral from 0 to x is arcsin x + √(1 − x²) − 1.
/// - Source: Flajolet, Pelletier, Soria 2011, §4, with Mendo's roots in place of ballots.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1,
/// [`InfiniteMean`](ParameterError::InfiniteMean) at 1.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::half_arcsine};
/// assert_eq!(format!("{:.9}", half_arcsine(1, 2)?.probability(40)), "0.261799387…"); // π/12
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn half_arcsine(num: u64, den: u64) -> Result<HalfArcsine, ParameterError> {
    check_below_one(num, den)?;
    let x = ratio(num, den);
    let w = |n| Monomial::new(x, n);
    let integrand = w(1).one_over_one_plus().then(w(2).not().to_the(1, 2)?);
    let root = to_the(x.power(2).not(), 1, 2)?;
    Ok(Fair.mix(x.then(integrand.urns([Beta::UNIFORM])), root.not()))
}

/// The coin √½, as the mean of 1/(1 + U) for the arcsine law.
///
/// - Answers: as [`ln_2`], U being of the law Beta(1/2, 1/2).
/// - Law: E 1/(1 + U) = Σ (−1)ⁿ·C(2n, n)/4ⁿ = 1/√2.
/// - Expected fair bits: 2.2609418929….
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: this crate; the moments of the arcsine law are C(2n, n)/4ⁿ.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::inverse_root_2};
/// assert_eq!(format!("{:.9}", inverse_root_2().probability(40)), "0.707106781…");
/// ```
pub fn inverse_root_2() -> OneOverOnePlus<Always, 1> {
    Monomial::new(Always, 1).one_over_one_plus().urns([Beta::ARCSINE])
}

/// Created by [`elliptic`]. See its documentation for more.
pub type Elliptic = Integral<RootOfComplement, Urn, 1>;

/// The coin (2/π)·E(k), the complete elliptic integral of the second kind, for a rational k² = `num/den` of [0, 1).
///
/// - Answers: flips of k²U until the first tails, which is heads, or until the hazard 1/2, 1/4, 1/6, … strikes, which is tails.
/// - Law: E √(1 − k²U), U of the arcsine law: the mean of √(1 − k²·sin²θ) over all angles. So an ellipse's circumference is
///   2π·a times it.
/// - Expected fair bits: 2.1940791224… for k² = 1/2, without bound as k nears 1.
/// - Tail: exponential; a flip ends it with probability 1 − k² at least.
/// - Proof: sin²θ has the arcsine law; [`to_the`] for the root.
/// - Source: this crate, of Mendo's roots and a Pólya urn.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1,
/// [`InfiniteMean`](ParameterError::InfiniteMean) at 1, where E of the flips is Σ (C(2n, n)/4ⁿ)² ~ Σ 1/(πn).
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::elliptic};
/// assert_eq!(format!("{:.9}", elliptic(1, 2)?.probability(40)), "0.859846600…");
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn elliptic(num: u64, den: u64) -> Result<Elliptic, ParameterError> {
    check_below_one(num, den)?;
    Ok(Monomial::new(ratio(num, den), 1).not().to_the(1, 2)?.urns([Beta::ARCSINE]))
}

/// Created by [`inverse_agm`]. See its documentation for more.
pub type InverseAgm = Integral<Root<Reciprocal<Monomial<Rational<u64>>>>, Urn, 1>;

/// The coin 1/agm(1, √(1 + x)) for a rational x = `num/den` of [0, 1]; Gauss's constant for x = 1.
///
/// - Answers: [`to_the`] of the coin 1/(1 + xU), with the exponent 1/2.
/// - Law: E 1/√(1 + xU), U of the arcsine law.
/// - Expected fair bits: 3.1562293953… for x = 1.
/// - Tail: exponential; the coin is heads with probability 1/2 at least.
/// - Proof: Gauss: 1/agm(1, b) is the mean of 1/√(cos²θ + b²·sin²θ) over all angles, and sin²θ has the arcsine law.
/// - Source: this crate.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{KnownLaw, catalogue::integrals::inverse_agm};
/// assert_eq!(format!("{:.12}", inverse_agm(1, 1)?.probability(50)), "0.834626841674…");
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn inverse_agm(num: u64, den: u64) -> Result<InverseAgm, ParameterError> {
    check(num, den)?;
    Ok(Monomial::new(ratio(num, den), 1).one_over_one_plus().to_the(1, 2)?.urns([Beta::ARCSINE]))
}
