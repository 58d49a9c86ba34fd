use crate::coins::{Fair, Hypergeometric, LinearRatio, Rational};
use crate::combinators::{Mix, ParityOfRun, Then, parity_of_run};
use crate::error::ParameterError;

/// An alternating hypergeometric series: the parity of the run of its ratios.
pub type Series<const N: usize> = ParityOfRun<Hypergeometric<N>>;

const fn series<const N: usize>(ratios: [LinearRatio; N]) -> Series<N> {
    parity_of_run(Hypergeometric::proven(ratios))
}

/// Whether `num/den` is a number of [0, 1].
pub(super) const fn check(num: u64, den: u64) -> Result<(), ParameterError> {
    if den == 0 {
        Err(ParameterError::ZeroDenominator)
    } else if num > den {
        Err(ParameterError::TooLarge)
    } else {
        Ok(())
    }
}

/// The same for a series whose mean is infinite at 1.
pub(super) const fn check_below_one(num: u64, den: u64) -> Result<(), ParameterError> {
    match check(num, den) {
        Ok(()) if num == den => Err(ParameterError::InfiniteMean),
        checked => checked,
    }
}

/// The coin cos x for a rational x = `num/den` of [0, 1].
///
/// - Answers: heads if the run of the coins x²/(1·2), x²/(3·4), x²/(5·6), … is even.
/// - Law: cos x.
/// - Expected fair bits: 2.0862 for x = 1, 2.0053 for 1/2, 2.0003 for 1/4.
/// - Tail: exponential; the runs end factorially fast.
/// - Proof: 1 − x²/2! + x⁴/4! − …, each term x²/((2k − 1)2k) of the one before.
/// - Source: the parity of rational coins; the functions are those of Flajolet, Pelletier, Soria 2011.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{Coin, Script, catalogue::cos};
/// let coin = cos(1, 1)?; // the first two ratios are 1/2 and 1/12
/// assert_eq!(coin.try_flip(&mut Script::from_str("T")?), Ok(true));
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTH")?), Ok(false)); // 1/12 = 0.00… in binary
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn cos(num: u64, den: u64) -> Result<Series<4>, ParameterError> {
    match check(num, den) {
        Ok(()) => {
            let x = ((0, num), (0, den));
            Ok(series([x, x, ((0, 1), (2, 1)), ((0, 1), (2, 2))]))
        }
        Err(error) => Err(error),
    }
}

/// The coin (sin x)/x for a rational x = `num/den` of [0, 1]. The coin x and then this one is sin x.
///
/// - Answers: heads if the run of the coins x²/(2·3), x²/(4·5), x²/(6·7), … is even.
/// - Law: (sin x)/x, which is 1 at x = 0.
/// - Expected fair bits: 2.3504 for x = 1.
/// - Tail: exponential; the runs end factorially fast.
/// - Proof: 1 − x²/3! + x⁴/5! − …, each term x²/(2k(2k + 1)) of the one before.
/// - Source: the parity of rational coins; the functions are those of Flajolet, Pelletier, Soria 2011.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{Coin, Rational, Script, catalogue::sinc};
/// let sine = Rational::<u64>::new(1, 2)?.then(sinc(1, 2)?); // sin(1/2)
/// assert_eq!(sine.try_flip(&mut Script::from_str("HH")?), Ok(true)); // 1/2: heads; 1/24 = 0.0… is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "sin")]
pub const fn sinc(num: u64, den: u64) -> Result<Series<4>, ParameterError> {
    match check(num, den) {
        Ok(()) => {
            let x = ((0, num), (0, den));
            Ok(series([x, x, ((0, 1), (2, 2)), ((0, 1), (2, 3))]))
        }
        Err(error) => Err(error),
    }
}

/// The coin J₀(x), a Bessel function, for a rational x = `num/den` of [0, 1].
///
/// - Answers: heads if the run of the coins x²/(4k²), k = 1, 2, … is even.
/// - Law: the Bessel function J₀(x).
/// - Expected fair bits: 2.0009 for x = 1.
/// - Tail: exponential; the runs end factorially fast.
/// - Proof: J₀(x) = Σ (−1)ᵏ(x²/4)ᵏ/(k!)².
/// - Source: the parity of rational coins.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{Coin, Script, catalogue::bessel_j0};
/// let coin = bessel_j0(1, 1)?; // the first ratio is 1/4
/// assert_eq!(coin.try_flip(&mut Script::from_str("H")?), Ok(true)); // 1/4 = 0.01 in binary: tails at once
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn bessel_j0(num: u64, den: u64) -> Result<Series<4>, ParameterError> {
    match check(num, den) {
        Ok(()) => {
            let (x, half) = (((0, num), (0, den)), ((0, 1), (2, 2)));
            Ok(series([x, x, half, half]))
        }
        Err(error) => Err(error),
    }
}

/// The coin (1/x)∫₀ˣ exp(−w²) dw for a rational x = `num/den` of [0, 1]: the error function but for a factor.
///
/// - Answers: heads if the run of the coins x²(2k − 1)/(k(2k + 1)), k = 1, 2, … is even.
/// - Law: (1/x)∫₀ˣ exp(−w²) dw; at x = 1, √π/2·erf 1 = 0.746824….
/// - Expected fair bits: 2.9253 for x = 1.
/// - Tail: exponential; the runs end factorially fast.
/// - Proof: the integral is Σ (−1)ᵏx²ᵏ⁺¹/(k!(2k + 1)), term by term.
/// - Source: the parity of rational coins; the functions are those of Flajolet, Pelletier, Soria 2011, there by integration.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1.
///
/// ```
/// use buffon::{Coin, Script, catalogue::gauss_integral};
/// let coin = gauss_integral(1, 1)?; // the first ratio is 1/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "erf")]
pub const fn gauss_integral(num: u64, den: u64) -> Result<Series<4>, ParameterError> {
    match check(num, den) {
        Ok(()) => {
            let x = ((0, num), (0, den));
            Ok(series([x, x, ((0, 1), (1, 1)), ((2, 1), (2, 3))]))
        }
        Err(error) => Err(error),
    }
}

/// The coin (arctan x)/x for a rational x = `num/den` of [0, 1). The coin x and then this one is arctan x.
///
/// - Answers: heads if the run of the coins x²(2k − 1)/(2k + 1), k = 1, 2, … is even.
/// - Law: (arctan x)/x, which is 1 at x = 0.
/// - Expected fair bits: 2.1972 for x = 1/2 (2·arctan ½), 2.0794 for 1/3 (3·arctan ⅓).
/// - Tail: exponential.
/// - Proof: 1 − x²/3 + x⁴/5 − ….
/// - Source: the parity of rational coins; the functions are those of Flajolet, Pelletier, Soria 2011.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1, and
/// [`InfiniteMean`](ParameterError::InfiniteMean) at 1: there it would be π/4 by the series of Leibniz,
/// whose terms add up to infinity. See [`quarter_pi`] and the [integrator](crate::integrate()).
///
/// ```
/// use buffon::{Coin, Script, catalogue::arctan_over};
/// let coin = arctan_over(1, 2)?; // the first ratio is 1/12
/// assert_eq!(coin.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "arctan")]
pub const fn arctan_over(num: u64, den: u64) -> Result<Series<3>, ParameterError> {
    match check_below_one(num, den) {
        Ok(()) => {
            let x = ((0, num), (0, den));
            Ok(series([x, x, ((2, 1), (2, 3))]))
        }
        Err(error) => Err(error),
    }
}

/// The coin ln(1 + x)/x for a rational x = `num/den` of [0, 1). The coin x and then this one is ln(1 + x).
///
/// - Answers: heads if the run of the coins xk/(k + 1), k = 1, 2, … is even.
/// - Law: ln(1 + x)/x, which is 1 at x = 0.
/// - Expected fair bits: 2.2515 for x = 1/2 (2·ln 3/2).
/// - Tail: exponential.
/// - Proof: 1 − x/2 + x²/3 − ….
/// - Source: the parity of rational coins; the functions are those of Flajolet, Pelletier, Soria 2011.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1, and
/// [`InfiniteMean`](ParameterError::InfiniteMean) at 1: there it would be ln 2 by
/// 1 − 1/2 + 1/3 − …, whose terms add up to infinity. See [`polylog`](super::polylog) and the [integrator](crate::integrate()).
///
/// ```
/// use buffon::{Coin, Script, catalogue::ln_one_plus_over};
/// let coin = ln_one_plus_over(1, 2)?; // the first two ratios are 1/4 and 1/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("THH")?), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "log")]
pub const fn ln_one_plus_over(num: u64, den: u64) -> Result<Series<2>, ParameterError> {
    match check_below_one(num, den) {
        Ok(()) => Ok(series([((0, num), (0, den)), ((1, 1), (1, 2))])),
        Err(error) => Err(error),
    }
}

/// The coin 1/√(1 + x) for a rational x = `num/den` of [0, 1).
///
/// - Answers: heads if the run of the coins x(2k − 1)/(2k), k = 1, 2, … is even.
/// - Law: 1/√(1 + x).
/// - Expected fair bits: 2.0435 for x = 1/4.
/// - Tail: exponential.
/// - Proof: 1 − x/2 + x²(1·3)/(2·4) − …, the binomial series.
/// - Source: the parity of rational coins.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) above 1, and
/// [`InfiniteMean`](ParameterError::InfiniteMean) at 1: there it would be 1/√2, by terms that
/// add up to infinity. See [`to_the`](crate::factories::to_the).
///
/// ```
/// use buffon::{Coin, Script, catalogue::inverse_sqrt_one_plus};
/// let coin = inverse_sqrt_one_plus(1, 4)?; // 2/√5; the first ratio is 1/8
/// assert_eq!(coin.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn inverse_sqrt_one_plus(num: u64, den: u64) -> Result<Series<2>, ParameterError> {
    match check_below_one(num, den) {
        Ok(()) => Ok(series([((0, num), (0, den)), ((2, 1), (2, 2))])),
        Err(error) => Err(error),
    }
}

/// The coin η(s), Dirichlet's eta function at a whole number s ≥ 2. `eta::<1>()`, ln 2 by a series that takes infinitely many
/// bits in expectation, does not compile.
///
/// - Answers: heads if the run of the coins (k/(k + 1))ˢ, k = 1, 2, … is even.
/// - Law: η(s) = (1 − 2^(1−s))·ζ(s) for s = 2, 3, …: π²/12, ¾ζ(3), ⅞·π⁴/90, 15/16·ζ(5).
/// - Expected fair bits: 2.7753 for s = 2, 2.1529 for 3, 2.0113 for 5, in ζ(s) coins.
/// - Tail: P(more than k coins) falls like k^−s: a finite mean, and infinite higher moments.
/// - Refuses: nothing.
/// - Proof: 1 − 1/2ˢ + 1/3ˢ − ….
/// - Source: the parity of rational coins. The factors 7/8 of ζ(3) and 31/32 of ζ(5), which can be read elsewhere, are misprints.
///
/// ```
/// use buffon::{Coin, Script, catalogue::eta};
/// let coin = eta::<3>(); // the first ratio is 1/8
/// assert_eq!(coin.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "zeta")]
pub const fn eta<const S: usize>() -> Series<S> {
    const { assert!(S >= 2, "by this series ln 2 = η(1) takes infinitely many bits in expectation") };
    series([((1, 1), (1, 2)); S])
}

/// The coin β(s), Dirichlet's beta function at a whole number s ≥ 2: Catalan's constant for s = 2. `beta::<1>()`, π/4 by a
/// series that takes infinitely many bits in expectation, does not compile.
///
/// - Answers: heads if the run of the coins ((2k − 1)/(2k + 1))ˢ, k = 1, 2, … is even.
/// - Law: β(s) = 1 − 1/3ˢ + 1/5ˢ − … for s = 2, 3, …: Catalan's constant 0.915966…, π³/32.
/// - Expected fair bits: 2.4674 for s = 2.
/// - Tail: P(more than k coins) falls like k^−s: a finite mean, and infinite higher moments.
/// - Refuses: nothing.
/// - Proof: the terms are 1/(2k + 1)ˢ.
/// - Source: the parity of rational coins.
///
/// ```
/// use buffon::{Coin, Script, catalogue::beta};
/// let catalan = beta::<2>(); // the first ratio is 1/9
/// assert_eq!(catalan.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "catalan")]
pub const fn beta<const S: usize>() -> Series<S> {
    const { assert!(S >= 2, "by this series π/4 = β(1) takes infinitely many bits in expectation") };
    series([((2, 1), (2, 3)); S])
}

/// (arctan x)/x at 1/n.
const fn arctan_of_one_over(n: u64) -> Series<3> {
    series([((0, 1), (0, n)), ((0, 1), (0, n)), ((2, 1), (2, 3))])
}

/// Machin's π/4: a fair choice between two series.
pub type QuarterPi = Mix<Fair, Series<3>, Then<Rational<u64>, Series<3>>>;

/// The coin π/4, by Machin's formula arctan ½ + arctan ⅓.
///
/// - Answers: by a fair flip, that of 2·arctan ½ or that of ⅔ and then 3·arctan ⅓.
/// - Law: π/4 = ½(2·arctan ½) + ½·⅔(3·arctan ⅓).
/// - Expected fair bits: 3.7917595…. The [integrator](crate::integrate()) with an urn makes π/4 at 3.2138.
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Proof: tan(α + β) = (½ + ⅓)/(1 − ⅙) = 1.
/// - Source: Flajolet, Pelletier, Soria 2011, with series of rational coins.
///
/// ```
/// use buffon::{Coin, Script, catalogue::quarter_pi};
/// assert_eq!(quarter_pi().try_flip(&mut Script::from_str("HH")?), Ok(true)); // 1/12 is tails at once
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn quarter_pi() -> QuarterPi {
    Mix::new(
        Fair,
        arctan_of_one_over(2),
        Then::new(Rational::<u64>::proven(2, 3), arctan_of_one_over(3)),
    )
}

/// The coin π/8: a fair choice between arctan ½ and arctan ⅓.
pub type EighthPi = Mix<Fair, Then<Rational<u64>, Series<3>>, Then<Rational<u64>, Series<3>>>;

/// The coin π/8, the mean of arctan ½ and arctan ⅓.
///
/// - Answers: by a fair flip, that of ½ and then 2·arctan ½, or that of ⅓ and then 3·arctan ⅓.
/// - Law: π/8.
/// - Expected fair bits: 3.3958797….
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Proof: half of [`quarter_pi`].
/// - Source: Flajolet, Pelletier, Soria 2011, with series of rational coins.
///
/// ```
/// use buffon::{Coin, Script, catalogue::eighth_pi};
/// assert_eq!(eighth_pi().try_flip(&mut Script::from_str("HHH")?), Ok(true)); // 1/2; 1/12 is tails at once
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn eighth_pi() -> EighthPi {
    let half = Then::new(Rational::<u64>::proven(1, 2), arctan_of_one_over(2));
    Mix::new(Fair, half, Then::new(Rational::<u64>::proven(1, 3), arctan_of_one_over(3)))
}
