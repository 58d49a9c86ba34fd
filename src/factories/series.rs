use core::num::NonZeroU64;

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::Harmonic;
use crate::combinators::{Family, ParityOfRun, Power, parity_of_run};
use crate::error::ParameterError;
use crate::machine::Machine;

/// The coin exp(−p) of an unknown coin p: the parity of a run of the coins 1/k and p.
///
/// - Answers: heads if an even number of rounds k = 1, 2, … are heads, in which 1/k and then `p` are.
/// - Law: exp(−p), on all of [0, 1]. Of the coin ln 2 it is exactly 1/2.
/// - Expected fair bits: (e^p − 1)/p flips of `p`, 1.7183 at most, and Σ p^(k−1)/(k − 1)!·κ(1/k) of its own, 2.3532 at most.
///   The cheap coins come first; with `p` first there would be e^p flips of it.
/// - Tail: that of the coin, exponential at best; the rounds end factorially fast.
/// - Refuses: nothing. exp(−1/p) cannot be made: see [the module](crate::factories).
/// - Proof: P(at least k rounds) = pᵏ/k!, and 1 − p + p²/2! − … = exp(−p).
/// - Source: Łatuszyński, Kosmidis, Papaspiliopoulos, Roberts 2011, with ratio coins in place of a uniform number.
///
/// | function of p | machine |
/// |---|---|
/// | exp(−cp), c = 1, 2, … | `exp_minus_of(p).power(c)` |
/// | exp(−(m + p)) | [`inverse_e`](crate::catalogue::inverse_e)`().power(m).then(exp_minus_of(p))` |
/// | exp(−pᵏ) | `exp_minus_of(p.power(k))` |
/// | exp(−(m + p)ᵏ) | [`exp_minus_power`]`(m, p, k)` |
/// | exp(−(1 − p)) | `exp_minus_of(p.not())` |
/// | exp(−exp(m + p)) | [`exp_minus_exp`](crate::catalogue::exp_minus_exp)`(m, p)` |
///
/// ```
/// use buffon::{Coin, Fair, Script, factories::exp_minus_of};
/// let coin = exp_minus_of(Fair); // exp(−1/2)
/// assert_eq!(coin.try_flip(&mut Script::from_str("HT")?), Ok(false)); // 1/1 is free and p heads; 1/2 tails
/// assert_eq!(coin.try_flip(&mut Script::from_str("T")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn exp_minus_of<P: Coin>(p: P) -> ParityOfRun<Harmonic<P>> {
    parity_of_run(Harmonic::new(p))
}

/// The coin exp(−(m + p)ᵏ) of an unknown coin p, for whole numbers m and k.
///
/// - Answers: for j = 0, 1, …, k, C(k, j)·mᵏ⁻ʲ flips of the coin [`exp_minus_of`] pʲ must be heads, up to the first tails.
/// - Law: Π exp(−C(k, j)·mᵏ⁻ʲ·pʲ) = exp(−(m + p)ᵏ).
/// - Expected fair bits: the terms' in turn, each weighed with the product of those before it: 3.8586 for exp(−9/4), of a fair
///   coin p.
/// - Tail: that of the coin, exponential at best.
/// - Proof: by the binomial theorem.
/// - Source: Occil, "Bernoulli Factory Algorithms".
///
/// # Errors
///
/// [`TooLarge`](ParameterError::TooLarge) if a number C(k, j)·mᵏ⁻ʲ does not fit 64 bits; never for m = 0.
///
/// ```
/// use buffon::{Fair, KnownLaw, factories::exp_minus_power};
/// let coin = exp_minus_power(1, Fair, 2)?; // exp(−9/4)
/// assert_eq!(format!("{:.12}", coin.probability(50)), "0.105399224561…");
/// # Ok::<(), buffon::ParameterError>(())
/// ```
pub fn exp_minus_power<P: Coin>(m: u64, p: P, k: u32) -> Result<ExpMinusPower<P>, ParameterError> {
    let coin = ExpMinusPower { m, p, k };
    let fits = coin.terms().all(|(_, times)| times.is_some());
    if fits { Ok(coin) } else { Err(ParameterError::TooLarge) }
}

/// Created by [`exp_minus_power`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct ExpMinusPower<P> {
    m: u64,
    p: P,
    k: u32,
}

impl<P: Coin> ExpMinusPower<P> {
    /// The exponents j, and C(k, j)·mᵏ⁻ʲ where it fits, of those that are not 0.
    fn terms(&self) -> impl Iterator<Item = (u32, Option<u64>)> + '_ {
        // Of powers of m = 0 only the last is not 0, and C(k, k) = C(k, 0) = 1.
        let first = if self.m == 0 { self.k } else { 0 };
        let mut ways = Some(1u128);
        (first..=self.k).map(move |j| {
            let power = self.m.checked_pow(self.k - j);
            let times = ways.zip(power).and_then(|(ways, power)| ways.checked_mul(power.into()));
            let next =
                |ways: u128| Some(ways.checked_mul((self.k - j).into())? / (u128::from(j) + 1));
            ways = ways.and_then(next);
            (j, times.and_then(|times| u64::try_from(times).ok()))
        })
    }

    /// The factors.
    pub(super) fn coins(&self) -> impl Iterator<Item = Power<ParityOfRun<Harmonic<Power<&P>>>>> {
        self.terms().map(|(j, times)| {
            exp_minus_of((&self.p).power(j.into())).power(times.unwrap_or(u64::MAX))
        })
    }
}

impl<P: Coin> Machine for ExpMinusPower<P> {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        for coin in self.coins() {
            if !coin.try_flip(bits)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The family of which coin n is that of another family, and after heads one coin that is always the same.
///
/// So an alternating power series with known ratios becomes one of an unknown p:
/// [`parity_of_run`](crate::parity_of_run())`(Scaled::new(family, p))` has the probability Σ (−1)ᵏaₖpᵏ with aₖ = r₁…rₖ.
///
/// - Law of its parity of run: 1 − a₁p + a₂p² − ….
/// - Expected fair bits: Σ aₖ₋₁pᵏ⁻¹·(c(rₖ) + rₖ·c_p).
/// - Tail: exponential if the coins' are and p < 1, or the rₖ stay below some ρ < 1.
/// - Refuses: nothing; aₖ may not increase, since a ratio is a probability.
/// - Source: Łatuszyński, Kosmidis, Papaspiliopoulos, Roberts 2011, Algorithm 3.
///
/// ```
/// use buffon::{Coin, Fair, Hypergeometric, Script, factories::Scaled, parity_of_run};
/// let ratios = Hypergeometric::new([((1, 1), (1, 2))])?; // 1/2, 2/3, 3/4, …
/// let coin = parity_of_run(Scaled::new(ratios, Fair)); // 1 − p/2 + p²/3 − … = ln(1 + p)/p
/// assert_eq!(coin.try_flip(&mut Script::from_str("HHTH")?), Ok(false)); // 2/3 = 0.10… in binary
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scaled<F, P> {
    pub(super) family: F,
    pub(super) coin: P,
}

impl<F, P> Scaled<F, P> {
    /// The family of the coins of `family`, each followed by `coin`.
    #[inline]
    #[must_use]
    pub const fn new(family: F, coin: P) -> Self {
        Self { family, coin }
    }
}

impl<F: Family, P: Coin> Family for Scaled<F, P> {
    #[inline]
    fn try_flip_nth<B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        bits: &mut B,
    ) -> Result<bool, B::Error> {
        Ok(self.family.try_flip_nth(n, bits)? && self.coin.try_flip(bits)?)
    }
}

/// The coin E[p^N]: `p` must be heads as many times as a machine says. The generating function of N, at an unknown p.
///
/// - Answers: heads if N flips of `p` are all heads, up to the first tails.
/// - Law: G(p) = Σ P(N = n)·pⁿ, with p⁰ = 1.
/// - Expected fair bits: c_N and c_p·(1 − G(p))/(1 − p), which is c_p times the mean of N at p = 1.
/// - Tail: the heavier one's, if p < 1.
/// - Refuses: nothing.
/// - Proof: the n flips are all heads with probability pⁿ; E[1 + p + … + p^(N−1)] = (1 − G(p))/(1 − p).
/// - Source: Dughmi, Hartline, Kleinberg, Niazadeh 2017.
///
/// ```
/// use buffon::{Coin, Fair, Script, factories::Pgf};
/// let coin = Pgf::new(Fair.run(), Fair); // Σ 2^-(n+1)·2^-n = 2/3
/// assert_eq!(coin.try_flip(&mut Script::from_str("HTH")?), Ok(true)); // N = 1, and heads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Pgf<M, P> {
    pub(super) machine: M,
    pub(super) coin: P,
}

impl<M, P> Pgf<M, P> {
    /// The coin E[p^N], with N from `machine`.
    #[inline]
    pub const fn new(machine: M, coin: P) -> Self {
        Self { machine, coin }
    }
}

impl<M: Machine<Output = u64>, P: Coin> Machine for Pgf<M, P> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let n = self.machine.try_sample(bits)?;
        (&self.coin).power(n).try_flip(bits)
    }
}
