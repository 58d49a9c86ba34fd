//! Random walks as coins: square roots, trees of grammars, and Ramanujan's 1/π.
//!
//! A walk that a coin may end early turns the generating function of its first passage into a probability: the coin of
//! probability E λ^τ flips λ once for each of the τ steps. So algebraic functions of an unknown coin are walks (Flajolet,
//! Pelletier, Soria 2011, §3; Mossel and Peres 2005), with a counter in place of a stack.
//!
//! | here | law | expected fair bits |
//! |---|---|---|
//! | [`Walk`] | E λ^τ, τ the first step at height 0 | R·c_λ + λR·c_step, R rounds on average |
//! | [`first_return(λ)`](first_return) | √(1 − λ) | c_λ/√(1 − λ) + 2λ/√(1 − λ) |
//! | [`ballot(λ)`](ballot) | √(1 − λ) | c_λ/(1 − λ), and the balance |
//! | [`grammar(λ, r)`](grammar) | the root T of 2T = λ(1 + T^r) | 2.2377 for r = 3 and a fair λ |
//! | [`Balanced`] | C(2n, n)/4^n | at most 2n |
//! | [`inverse_pi()`] | 1/π | 9.6365 |

mod balanced;
#[cfg(feature = "exact")]
mod law;
#[cfg(feature = "exact")]
mod lengths;
mod walk;

pub use balanced::{Balanced, Ballot, InversePi, ballot, inverse_pi};
#[cfg(feature = "exact")]
pub use balanced::{InversePiByDigits, central, inverse_pi_by_digits};
pub use walk::{Branching, FirstReturn, Grammar, TwoSteps, Walk, first_return, grammar};
