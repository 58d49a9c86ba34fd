//! The Buffon catalogue: coins of irrational probability and laws of whole numbers, from fair bits alone.
//!
//! Each is a graph of the public combinators, and none needs a number that does not fit a machine word. Their laws and costs
//! are known by algebra ([`KnownLaw`](crate::KnownLaw)).
//!
//! # Runs of rational coins
//!
//! If the coins r₁, r₂, … are flipped up to the first tails, the run has at least k heads with probability aₖ = r₁…rₖ, so it is
//! even with probability 1 − a₁ + a₂ − …: every alternating series whose terms do not increase is a coin, at
//! Σ aₖ₋₁·κ(rₖ) fair bits, where κ is 2, or 2 − 2^(1−m) for a dyadic a/2^m. The mean is finite just if the series converges
//! absolutely.
//!
//! | machine | law | expected fair bits |
//! |---|---|---|
//! | [`inverse_e()`] | 1/e | 2.3532 |
//! | [`exp_minus(num, den)`](exp_minus) | e^(−x), any x ≥ 0 | at most 3.7227, and e^(−⌊x⌋) times those of the fraction |
//! | [`randomized_response(num, den)`](randomized_response) | e^ε/(1 + e^ε) | 3.1824 for ε = 1 |
//! | [`tanh_of_half(num, den)`](tanh_of_half) | tanh(z/2) | 4.9027 for z = 1 |
//! | [`inverse_cosh(num, den)`](inverse_cosh) | 1/cosh x | 6.569 for x = 1 |
//! | [`cos(num, den)`](cos) | cos x | 2.0862 for x = 1 |
//! | [`sinc(num, den)`](sinc) | (sin x)/x | 2.3504 for x = 1 |
//! | [`bessel_j0(num, den)`](bessel_j0) | J₀(x) | 2.0009 for x = 1 |
//! | [`gauss_integral(num, den)`](gauss_integral) | (1/x)∫₀ˣ exp(−w²) dw | 2.9253 for x = 1 |
//! | [`arctan_over(num, den)`](arctan_over) | (arctan x)/x | 2.1972 for x = 1/2 |
//! | [`ln_one_plus_over(num, den)`](ln_one_plus_over) | ln(1 + x)/x | 2.2515 for x = 1/2 |
//! | [`inverse_sqrt_one_plus(num, den)`](inverse_sqrt_one_plus) | 1/√(1 + x) | 2.0435 for x = 1/4 |
//! | [`eta::<S>()`](eta) | (1 − 2^(1−s))·ζ(s) | 2.7753, 2.1529, …, 2.0113 for s = 2, 3, 5 |
//! | [`beta::<S>()`](beta) | 1 − 1/3ˢ + 1/5ˢ − …; Catalan's constant | 2.4674 for s = 2 |
//! | [`continued_fraction(quotients)`](continued_fraction) | 1/(k₁ + 1/(k₂ + …)); 1/φ, √2 − 1 | 3.2361 for 1/φ |
//! | [`quarter_pi()`], [`eighth_pi()`] | π/4, π/8 | 3.7918, 3.3959 |
//!
//! # The von Neumann schema
//!
//! | machine | law | expected fair bits |
//! |---|---|---|
//! | [`von_neumann(lambda, class)`](von_neumann) | P(n) = Pₙλⁿ/(n!·P(λ)) | see there |
//! | [`Poisson::new(num, den)`](Poisson) | e^(−λ)λⁿ/n!, any λ ≥ 0 | 5.7620 for λ = 1 |
//! | [`ThinnedPoisson::new(lambda)`](ThinnedPoisson) | e^(−λ)λⁿ/n!, λ a coin, up to 1 | 5.7620 and one flip of λ |
//! | [`logarithmic(num, den)`](logarithmic), [`polylogarithmic::<R>`](polylogarithmic) | λⁿ/(nᴿ·Li_R(λ)) | 6.806 for R = 1, λ = 1/2 |
//! | [`polylog::<R, _>(lambda)`](polylog) | (1/λ − 1)·Li_R(λ); ln 2 | 2.7178 for ln 2 |
//!
//! # Integrals
//!
//! [`integrals`] has ln 2 at 2.2515 bits, π/4, arcsin, elliptic integrals and more, by numbers that are known only by their
//! flips.

mod classes;
mod continued;
mod exponentials;
pub mod integrals;
#[cfg(feature = "exact")]
mod law;
mod numbers;
mod series;
mod von_neumann;
mod zigzag;

pub use classes::{
    All, Alternating, AlternatingEven, AlternatingOdd, Class, Cyclic, OneOverFactorial,
    RFoldCyclic, Sorted,
};
pub use continued::{ContinuedFraction, continued_fraction};
pub use exponentials::{
    ExpMinus, ExpMinusExp, exp_minus, exp_minus_exp, inverse_cosh, inverse_e, randomized_response,
    tanh_of_half,
};
pub use numbers::{Poisson, ThinnedPoisson, logarithmic, polylog, polylogarithmic};
pub use series::{
    EighthPi, QuarterPi, Series, arctan_over, bessel_j0, beta, cos, eighth_pi, eta, gauss_integral,
    inverse_sqrt_one_plus, ln_one_plus_over, quarter_pi, sinc,
};
pub use von_neumann::{OneRound, von_neumann};
pub use zigzag::Zigzag;
