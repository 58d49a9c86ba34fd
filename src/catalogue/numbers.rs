use super::classes::{Class, Cyclic, RFoldCyclic, Sorted};
use super::von_neumann::{OneRound, von_neumann};
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::{Rational, Ratios};
use crate::combinators::{Map, Retry};
use crate::error::ParameterError;
use crate::machine::Machine;

/// The Poisson law of a rational mean λ = `num/den` of any size.
///
/// - Answers: a number n ≥ 0, the sum of ⌈2λ⌉ independent ones.
/// - Law: P(n) = e^(−λ)λⁿ/n!.
/// - Expected fair bits: ⌈2λ⌉ times those of the schema for the mean λ/⌈2λ⌉ ≤ 1/2: 2.8810 for λ = 1/2, 5.7620 for 1. It is
///   linear in λ, in time too; one schema alone would cost without bound as λ nears 1, where it never ends.
/// - Tail: exponential.
/// - Proof: sums of Poisson numbers are Poisson; for the parts see [`von_neumann`] and [`Sorted`].
/// - Source: Flajolet, Pelletier, Soria 2011.
///
/// ```
/// use buffon::{Machine, Script, catalogue::Poisson};
/// let two = Poisson::new(1, 1)?; // two numbers of mean 1/2
/// assert_eq!(two.try_sample(&mut Script::from_str("HTT")?), Ok(1)); // 1 by "HT", 0 by "T"; 0! and 1! are free
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Poisson {
    pub(super) part: Retry<OneRound<Rational<u128>, Sorted>>,
    pub(super) parts: u128,
    pub(super) num: u64,
    pub(super) den: u64,
}

impl Poisson {
    /// The Poisson law of mean `num/den`.
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
    pub fn new(num: u64, den: u64) -> Result<Self, ParameterError> {
        if den == 0 { Err(ParameterError::ZeroDenominator) } else { Ok(Self::proven(num, den)) }
    }

    /// The same, `den` not being zero.
    fn proven(num: u64, den: u64) -> Self {
        let parts = (2 * u128::from(num)).div_ceil(u128::from(den));
        // den·⌈2·num/den⌉ < 2·num + den: it fits.
        let mean = Rational::<u128>::proven(u128::from(num), u128::from(den) * parts.max(1));
        Self { part: von_neumann(mean, Sorted), parts, num, den }
    }
}

impl Machine for Poisson {
    type Output = u64;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        let mut sum = 0u64;
        for _ in 0..self.parts {
            sum = sum.saturating_add(self.part.try_sample(bits)?);
        }
        Ok(sum)
    }
}

/// The Poisson law whose mean is the probability λ of an unknown coin, on all of [0, 1].
///
/// - Answers: how many of N flips of `lambda` are heads, N having the Poisson law of mean 1.
/// - Law: P(n) = e^(−λ)λⁿ/n!. The schema of [`von_neumann`] has it too, but never ends at λ = 1.
/// - Expected fair bits: 5.7620 for N, and one flip of λ.
/// - Tail: exponential if the coin's is.
/// - Refuses: nothing.
/// - Proof: a Poisson number of things, each kept independently, leaves a Poisson number.
/// - Source: thinning, as Occil uses it for factories.
///
/// Whether n = 0 is the coin exp(−λ); [`Pgf`](crate::factories::Pgf)`::new(Poisson::new(1, 1)?, lambda.not())` is it by only
/// (1 − e^(−λ))/λ flips of λ, 0.632 at λ = 1, where [`exp_minus_of`](crate::factories::exp_minus_of) takes 1.718 and 2.353 bits.
///
/// ```
/// use buffon::{Always, Machine, Script, catalogue::ThinnedPoisson};
/// let one = ThinnedPoisson::new(Always);
/// assert_eq!(one.try_sample(&mut Script::from_str("HTT")?), Ok(1)); // N = 1, all kept
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct ThinnedPoisson<L> {
    pub(super) one: Poisson,
    pub(super) lambda: L,
}

impl<L: Coin> ThinnedPoisson<L> {
    /// The Poisson law of the mean P(heads) of `lambda`.
    pub fn new(lambda: L) -> Self {
        Self { one: Poisson::proven(1, 1), lambda }
    }
}

impl<L: Coin> Machine for ThinnedPoisson<L> {
    type Output = u64;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<u64, B::Error> {
        let all = self.one.try_sample(bits)?;
        (0..all).try_fold(0, |kept, _| Ok(kept + u64::from(self.lambda.try_flip(bits)?)))
    }
}

/// A rational λ with 0 < λ < 1, as the laws on n ≥ 1 need it.
const fn inside(num: u64, den: u64) -> Result<Rational<u64>, ParameterError> {
    if den == 0 {
        Err(ParameterError::ZeroDenominator)
    } else if num > den {
        Err(ParameterError::TooLarge)
    } else if num == 0 || num == den {
        Err(ParameterError::NeverEnds)
    } else {
        Ok(Rational::<u64>::proven(num, den))
    }
}

/// The logarithmic law of a rational λ = `num/den`.
///
/// - Answers: a number n ≥ 1.
/// - Law: P(n) = λⁿ/(n·ln(1/(1 − λ))). So the coin n = 1 is λ/ln(1/(1 − λ)), and not λe^(−λ), which a library has in its place.
/// - Expected fair bits: 9.625 for λ = 1/4, 6.806 for 1/2, 20.02 for 3/4, without bound as λ → 1; see [`von_neumann`].
/// - Tail: exponential.
/// - Proof: the schema with [`Cyclic`] permutations.
/// - Source: Flajolet, Pelletier, Soria 2011.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1,
/// [`NeverEnds`](ParameterError::NeverEnds) at 0 and 1.
///
/// ```
/// use buffon::{Coin, Machine, Script, catalogue::logarithmic};
/// let coin = logarithmic(1, 2)?.map(|n| n == 1); // 1/(2·ln 2)
/// assert_eq!(coin.try_flip(&mut Script::from_str("THT")?), Ok(true)); // 0 is no cycle; then 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn logarithmic(
    num: u64,
    den: u64,
) -> Result<Retry<OneRound<Rational<u64>, Cyclic>>, ParameterError> {
    Ok(von_neumann(inside(num, den)?, Cyclic))
}

/// The polylogarithmic law of order R ≥ 1 of a rational λ = `num/den`; order 1 is the [`logarithmic`] one.
///
/// - Answers: a number n ≥ 1.
/// - Law: P(n) = λⁿ/(nᴿ·Li_R(λ)). The coin n = 1 is λ/Li_R(λ).
/// - Expected fair bits: as [`von_neumann`] says; without bound as λ → 1.
/// - Tail: exponential.
/// - Proof: the schema with R cyclic permutations at once.
/// - Source: Flajolet, Pelletier, Soria 2011.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1,
/// [`NeverEnds`](ParameterError::NeverEnds) at 0 and 1.
///
/// ```
/// use buffon::{Machine, Script, catalogue::polylogarithmic};
/// let law = polylogarithmic::<2>(1, 2)?;
/// assert_eq!(law.try_sample(&mut Script::from_str("HHTTH")?), Ok(2)); // 1/4 takes it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn polylogarithmic<const R: usize>(
    num: u64,
    den: u64,
) -> Result<Retry<OneRound<Rational<u64>, RFoldCyclic<R>>>, ParameterError> {
    Ok(von_neumann(inside(num, den)?, RFoldCyclic::<R>))
}

/// The coin (1/λ − 1)·Li_R(λ) of an unknown coin λ: of the fair coin it is Li_R(1/2), ln 2 for R = 1.
///
/// - Answers: heads of 1/nᴿ, where n is one more than the run of heads of `lambda`.
/// - Law: Σ (1 − λ)λⁿ⁻¹/nᴿ = (1/λ − 1)·Li_R(λ).
/// - Expected fair bits: c_λ/(1 − λ) + Σ (1 − λ)λⁿ⁻¹·κ(1/nᴿ). Li₁(½) = ln 2: 2.7178, Li₂(½): 2.867, Li₃(½): 2.936. The
///   [integrator](crate::integrate()) makes ln 2 at 2.2515.
/// - Tail: exponential if the coin's is. It never ends at λ = 1.
/// - Refuses: nothing, since λ is not known; with a known law λ = 1 is [`NeverHalts`](crate::LawError::NeverHalts).
/// - Proof: as the law.
/// - Source: Flajolet, Pelletier, Soria 2011, §2.
///
/// ```
/// use buffon::{Coin, Fair, Script, catalogue::polylog};
/// let ln_2 = polylog::<1, _>(Fair);
/// assert_eq!(ln_2.try_flip(&mut Script::from_str("T")?), Ok(true)); // n = 1
/// assert_eq!(ln_2.try_flip(&mut Script::from_str("HTT")?), Ok(false)); // n = 2: 1/2 is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn polylog<const R: usize, L: Coin>(
    lambda: L,
) -> Map<OneRound<L, impl Class<Coin = Ratios<u128, R>> + Copy>, impl Fn(Option<u64>) -> bool + Copy>
{
    let class = |n| Ratios::proven([(1, u128::from(n) + 1); R]);
    OneRound::new(lambda, class).map(|taken: Option<u64>| taken.is_some())
}
