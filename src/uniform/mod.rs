//! A uniform random number that is known only by its flips, inside a closure: the integrator of Buffon machines.
//!
//! If U is uniform on [0, 1] and a machine flips coins of probability U, the probability of its answer is an integral over
//! u (Flajolet, Pelletier, Soria 2011, §4). The flips share one U, so they are not independent of each other, and must not
//! outlive it: [`integrate`] lends the number to a closure, samples once, and throws it away. Inside, `u` is a coin and
//! composes like any other.
//!
//! | form | what it keeps | fair bits for a flip | prior |
//! |---|---|---|---|
//! | [`Urn`] | two counters (Pólya's urn) | at most 2, the first one 1 | any Beta(a, b) |
//! | [`Bag`] | the digits of U that were looked at | 2 and the digit if it is new, the first one 3 | uniform |
//!
//! A closure hides what it does. An [`Integrand`] shows its steps, so [`Integrand::urns`] makes a machine of known law and cost
//! of it, and [`Integrand::bags`] the same machine with bags.

#[cfg(feature = "alloc")]
mod bag;
#[cfg(feature = "exact")]
mod coin_step;
mod integral;
mod integrands;
#[cfg(feature = "exact")]
mod law;
mod urn;

#[cfg(feature = "alloc")]
pub use bag::{Bag, integrate_bag};
#[cfg(feature = "exact")]
pub use coin_step::CoinStep;
pub use integral::{Integral, Integrand};
pub use integrands::{Both, Complement, Exponential, InTurn, Monomial, Reciprocal, Root};
#[cfg(feature = "exact")]
pub use law::KnownIntegrand;
pub use urn::{Beta, Integrate, Urn, integrate};
