use super::numbers::Poisson;
use crate::coin::Coin;
use crate::coins::{Always, Fair, Hypergeometric, Reciprocals};
use crate::combinators::{Not, ParityOfRun, Power, Retry, Then, parity_of_run};
use crate::error::ParameterError;
use crate::factories::{
    ExpOverFour, Pgf, Rounds, SechRound, one_minus_over_one_plus, one_over_one_plus,
    twice_over_one_plus_square,
};

/// The coin 1/e.
///
/// - Answers: heads if the run of the coins 1/1, 1/2, 1/3, … is even.
/// - Law: 1/e.
/// - Expected fair bits: Σ κ(1/k)/(k − 1)! = 2.3531807204…, in 2.718 coins of which the first is free.
/// - Tail: exponential; the runs end factorially fast.
/// - Refuses: nothing.
/// - Proof: P(at least k heads) = 1/k!, and 1 − 1 + 1/2! − 1/3! + … = 1/e.
/// - Source: von Neumann 1951 and Forsythe 1972 by uniform numbers; Canonne, Kamath, Steinke 2020 by rational coins.
///
/// ```
/// use buffon::{Coin, Script, catalogue::inverse_e};
/// assert_eq!(inverse_e().try_flip(&mut Script::from_str("HH")?), Ok(true)); // two heads: 1/1 and 1/2; 1/3 is tails
/// assert_eq!(inverse_e().try_flip(&mut Script::from_str("T")?), Ok(false)); // one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn inverse_e() -> ParityOfRun<Reciprocals> {
    parity_of_run(Reciprocals)
}

/// The coin exp(−x) of a rational x ≥ 0: made by [`exp_minus`].
pub type ExpMinus = Then<Power<ParityOfRun<Reciprocals>>, ParityOfRun<Hypergeometric<2>>>;

/// The coin exp(−x), for any rational x = `num/den`.
///
/// - Answers: ⌊x⌋ coins 1/e must be heads, up to the first tails, and then the coin exp(−γ) of the rest γ: the run of the
///   coins γ/1, γ/2, γ/3, … is even.
/// - Law: exp(−x).
/// - Expected fair bits: at most 2.3532/(1 − 1/e) = 3.7227, and exp(−⌊x⌋) times those of exp(−γ), however large x is.
///   The latter are Σ γ^(k−1)/(k − 1)!·κ(γ/k): 2e^γ if no γ/k is dyadic, so less than 5.4366; 2.0422 for γ = 1/2, 0 for γ = 0.
/// - Tail: exponential. x = 0 is heads without a bit.
/// - Proof: exp(−⌊x⌋)·exp(−γ), and exp(−γ) = 1 − γ + γ²/2! − …, where γᵏ/k! is the probability of k heads in a run.
/// - Source: Canonne, Kamath, Steinke 2020. γ/k is flipped as a product of ratios, without overflow for any `u64`s; a
///   shipped sampler was biased by forming it as a fraction of big numbers.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
///
/// ```
/// use buffon::{Coin, Script, catalogue::exp_minus};
/// let coin = exp_minus(1, 2)?; // exp(−1/2)
/// assert_eq!(coin.try_flip(&mut Script::from_str("T")?), Ok(true)); // no heads: 1/2 is tails
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTT")?), Ok(false)); // one; 1/4 is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn exp_minus(num: u64, den: u64) -> Result<ExpMinus, ParameterError> {
    let (Some(whole), Some(rest)) = (num.checked_div(den), num.checked_rem(den)) else {
        return Err(ParameterError::ZeroDenominator);
    };
    // γ/k with k = j + 1.
    let family = Hypergeometric::proven([((0, rest), (0, den)), ((0, 1), (1, 1))]);
    Ok(Then::new(Power::new(inverse_e(), whole), parity_of_run(family)))
}

/// Randomized response: the coin e^ε/(1 + e^ε) for a rational ε = `num/den` ≥ 0, the logistic function.
///
/// - Answers: the truth (heads) with odds of e^ε to 1.
/// - Law: e^ε/(1 + e^ε) = 1/(1 + exp(−ε)).
/// - Expected fair bits: (2 + c)/(1 + exp(−ε)) with c those of [`exp_minus`]: 2.5161 for ε = 1/2, 3.1824 for 1, 4.5968 for 2.
/// - Tail: exponential.
/// - Proof: [`one_over_one_plus`] of exp(−ε).
/// - Source: Warner 1965 for its use.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
///
/// ```
/// use buffon::{Coin, Script, catalogue::randomized_response};
/// let truth = randomized_response(1, 1)?; // ε = 1
/// assert_eq!(truth.try_flip(&mut Script::from_str("THH")?), Ok(false)); // a fair tails; 1/e is heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "logistic")]
#[doc(alias = "sigmoid")]
pub fn randomized_response(
    num: u64,
    den: u64,
) -> Result<Rounds<Fair, Always, ExpMinus>, ParameterError> {
    Ok(one_over_one_plus(exp_minus(num, den)?))
}

/// The coin tanh(z/2) for a rational z = `num/den` ≥ 0.
///
/// - Answers: heads after a fair heads and tails of exp(−z); tails after a fair tails and heads of it; else once more.
/// - Law: (1 − exp(−z))/(1 + exp(−z)) = tanh(z/2).
/// - Expected fair bits: 2(1 + c)/(1 + exp(−z)) with c those of [`exp_minus`]: 4.9027 for z = 1.
/// - Tail: exponential.
/// - Proof: [`one_minus_over_one_plus`] of exp(−z).
/// - Source: Gonçalves, Łatuszyński, Roberts 2017, for the rounds.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
///
/// ```
/// use buffon::{Coin, Script, catalogue::tanh_of_half};
/// let coin = tanh_of_half(1, 1)?; // tanh(1/2)
/// assert_eq!(coin.try_flip(&mut Script::from_str("HT")?), Ok(true)); // 1/e is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tanh_of_half(
    num: u64,
    den: u64,
) -> Result<Rounds<Fair, Not<ExpMinus>, ExpMinus>, ParameterError> {
    Ok(one_minus_over_one_plus(exp_minus(num, den)?))
}

/// The coin 1/cosh x for a rational x = `num/den` ≥ 0.
///
/// - Answers: heads after heads of exp(−x); else tails after a fair heads and tails of it; else once more.
/// - Law: 1/cosh x.
/// - Expected fair bits: 2(c + (1 − q)(1 + c/2))/(1 + q²) with q = exp(−x) and c the bits of [`exp_minus`]: 4.149 for
///   x = 1/2, 6.569 for 1.
/// - Tail: exponential.
/// - Proof: [`twice_over_one_plus_square`] of exp(−x).
/// - Source: Ducas, Durmus, Lepoint, Lyubashevsky 2013.
///
/// # Errors
///
/// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero.
///
/// ```
/// use buffon::{Coin, Script, catalogue::inverse_cosh};
/// let coin = inverse_cosh(1, 1)?;
/// assert_eq!(coin.try_flip(&mut Script::from_str("HH")?), Ok(true)); // 1/e is heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "sech")]
pub fn inverse_cosh(num: u64, den: u64) -> Result<Retry<SechRound<ExpMinus>>, ParameterError> {
    Ok(twice_over_one_plus_square(exp_minus(num, den)?))
}

/// The coin exp(−exp(m + p)) of an unknown coin p, for a whole number m: made by [`exp_minus_exp`].
pub type ExpMinusExp<P> = Pgf<Poisson, Not<Then<Power<ExpOverFour<Always>>, ExpOverFour<P>>>>;

/// The coin exp(−exp(m + p)) of an unknown coin p, for a whole number m.
///
/// - Answers: heads if none of N things is kept, N being of the [`Poisson`] law of mean 4^(m+1), each being kept with the
///   probability (e/4)^m·(e^p/4).
/// - Law: exp(−4^(m+1)·(e/4)^m·e^p/4) = exp(−e^m·e^p).
/// - Expected fair bits: 23.05 for N if m = 0, four times as many for each more, and those of the coins up to the first that
///   is kept.
/// - Tail: exponential if the coin's is.
/// - Proof: E(1 − q)^N = e^(−μq) for the Poisson law of mean μ; [`ExpOverFour`] for the coins.
/// - Source: Occil, "Bernoulli Factory Algorithms".
///
/// # Errors
///
/// [`TooLarge`](ParameterError::TooLarge) for m above 30, where 4^(m+1) does not fit.
///
/// ```
/// use buffon::{Fair, KnownLaw, catalogue::exp_minus_exp};
/// assert_eq!(format!("{:.9}", exp_minus_exp(0, Fair)?.probability(40)), "0.192295645…"); // exp(−√e)
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn exp_minus_exp<P: Coin>(m: u32, p: P) -> Result<ExpMinusExp<P>, ParameterError> {
    let mean = 4u64.checked_pow(m.saturating_add(1)).ok_or(ParameterError::TooLarge)?;
    let kept = ExpOverFour::new(Always).power(m.into()).then(ExpOverFour::new(p));
    Ok(Pgf::new(Poisson::new(mean, 1)?, kept.not()))
}
