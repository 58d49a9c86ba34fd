#[cfg(feature = "exact")]
use num_bigint::BigUint;
use typenum::{U1, U4, U5, U9};

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::Fraction;
#[cfg(feature = "exact")]
use crate::coins::Rational;
#[cfg(feature = "exact")]
use crate::combinators::AndThen;
use crate::combinators::{Map, Run, Same, Then, Zip};
use crate::machine::Machine;

/// Whether 2n fair flips come out even: as many heads as tails.
///
/// - Answers: heads if n of 2n fair flips are heads; tails as soon as one face has come more than n times.
/// - Law: C(2n, n)/4^n.
/// - Expected fair bits: Σ P(both faces at most n times in k flips) over k < 2n: 0, 2, 15/4 for n = 0, 1, 2.
/// - Tail: bounded by 2n bits.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §3.1, where it is the test of a ballot.
///
/// ```
/// use buffon::{Coin, Script, walks::Balanced};
/// assert_eq!(Balanced::new(2).try_flip(&mut Script::from_str("HTTH")?), Ok(true));
/// assert_eq!(Balanced::new(2).try_flip(&mut Script::from_str("HHH")?), Ok(false)); // decided
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Balanced {
    pub(super) n: u64,
}

impl Balanced {
    /// The coin of probability C(2n, n)/4^n.
    pub const fn new(n: u64) -> Self {
        Self { n }
    }
}

impl Machine for Balanced {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        // How many of each face may still come.
        let (mut heads, mut tails) = (self.n, self.n);
        while heads > 0 || tails > 0 {
            let left = if bits.try_bit()? { &mut heads } else { &mut tails };
            match left.checked_sub(1) {
                Some(less) => *left = less,
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Created by [`ballot`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Ballot<L> {
    pub(super) lambda: L,
}

impl<L: Coin> Machine for Ballot<L> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        (&self.lambda).run().and_then(Balanced::new).try_sample(bits)
    }
}

/// The coin of probability √(1 − λ), by a ballot of random length.
///
/// - Answers: N heads of λ before its first tails, then whether 2N fair flips come out even.
/// - Law: √(1 − λ) = Σ (1 − λ)λ^N·C(2N, N)/4^N.
/// - Expected fair bits: c_λ/(1 − λ) for N, and less than 2λ/(1 − λ) for the flips: 6 − 3/√2 = 3.8786… in all for a fair λ. [`first_return`](super::first_return) is
///   cheaper for every λ.
/// - Tail: exponential for λ < 1. It never ends for λ = 1.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §3.1.
///
/// ```
/// use buffon::{Coin, Fair, Script, walks::ballot};
/// assert_eq!(ballot(Fair).try_flip(&mut Script::from_str("HTHT")?), Ok(true)); // N = 1; heads, tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn ballot<L: Coin>(lambda: L) -> Ballot<L> {
    Ballot { lambda }
}

/// The length T = G + G' + B of Ramanujan's series: two runs of a coin of 1/4, and a coin of 5/9.
///
/// P(T = t) = (9/16)·4^-t·[(t + 1)·4/9 + t·4·5/9] = (6t + 1)/4·4^-t.
pub(super) type Length =
    Map<Zip<Zip<Run<Same<Quarter>>, Run<Same<Quarter>>>, Fraction<U5, U9>>, Sum>;
type Quarter = Fraction<U1, U4>;
type Sum = fn(((u64, u64), bool)) -> u64;

pub(super) fn length() -> Length {
    let sum: Sum = |((g, h), b)| g.saturating_add(h).saturating_add(u64::from(b));
    Quarter::new().run().zip(Quarter::new().run()).zip(Fraction::new()).map(sum)
}

/// Three times the same coin, all heads.
type Thrice<C> = Then<Then<C, C>, C>;

pub(super) fn thrice<C: Coin + Clone>(coin: C) -> Thrice<C> {
    coin.clone().then(coin.clone()).then(coin)
}

/// Created by [`inverse_pi()`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct InversePi(());

impl Machine for InversePi {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        length().and_then(|n| thrice(Balanced::new(n))).try_sample(bits)
    }
}

/// The coin of probability 1/π, by Ramanujan's series and nothing but small coins.
///
/// - Answers: a length T, the sum of two runs of heads of a coin of 1/4 and one flip of a coin of 5/9; heads if then 2T fair flips
///   come out even, three times.
/// - Law: 1/π = Σ C(2n, n)³(6n + 1)/2^(8n + 2) (Ramanujan 1914), with P(T = n) = (6n + 1)/4^(n + 1) and C(2n, n)/4^n for
///   each test. The paper prints 2^(8n + 4), a misprint.
/// - Expected fair bits: 9.636465742….
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §3.3.
///
/// ```
/// use buffon::{Coin, Script, walks::inverse_pi};
/// // Two runs of length 0, and tails of the 5/9 coin: T = 0, and no flips always come out even.
/// assert_eq!(inverse_pi().try_flip(&mut Script::from_str("HHTH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn inverse_pi() -> InversePi {
    InversePi(())
}

/// The coin of probability C(2n, n)/4^n by its binary digits: the law of [`Balanced`] at less than 2 fair bits.
///
/// - Answers, tail and source: those of a [`Rational`].
/// - Law: C(2n, n)/4^n.
/// - Expected fair bits: 2 − 2^(1−m) for the m digits that it has in lowest terms; 0 for n = 0.
/// - Refuses: nothing. The numbers have 2n bits: it is for small n.
///
/// ```
/// use buffon::{Rational, walks::central};
/// assert_eq!(central(2), Rational::try_from((3u32.into(), 8u32.into()))?);
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
#[cfg(feature = "exact")]
pub fn central(n: u64) -> Rational<BigUint> {
    // C(2n, n) = Π (n + k)/k, whole after each factor.
    let ways =
        (1..=n).fold(BigUint::from(1u8), |ways, k| ways * (u128::from(n) + u128::from(k)) / k);
    let all = BigUint::from(1u8) << (2 * u128::from(n));
    #[allow(clippy::expect_used, reason = "the balanced ways are some of all 4^n")]
    Rational::try_from((ways, all)).expect("a probability")
}

/// Created by [`inverse_pi_by_digits`]. See its documentation for more.
#[cfg(feature = "exact")]
pub type InversePiByDigits = AndThen<Length, fn(u64) -> Thrice<Rational<BigUint>>>;

/// The coin of probability 1/π as [`inverse_pi()`], each ballot replaced by the digits of its probability.
///
/// - Answers: a length T as there; heads if three coins of probability C(2T, T)/4^T are heads.
/// - Law: 1/π.
/// - Expected fair bits: 7.594….
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §3.3, with [`central`] coins.
///
/// ```
/// use buffon::{KnownLaw, walks::inverse_pi_by_digits};
/// assert_eq!(format!("{:.12}", inverse_pi_by_digits().probability(60)), "0.318309886183…");
/// ```
#[cfg(feature = "exact")]
pub fn inverse_pi_by_digits() -> InversePiByDigits {
    length().and_then(|n| thrice(central(n)))
}
