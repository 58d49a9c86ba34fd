//! Coins of known probability.

mod dyadic;
mod fair;
mod families;
#[cfg(feature = "exact")]
mod family_law;
mod fraction;
mod hypergeometric;
#[cfg(feature = "exact")]
mod hypergeometric_law;
#[cfg(feature = "exact")]
pub(crate) mod law;
mod one_over;
mod rational;
mod ratios;

pub use dyadic::Dyadic;
pub use fair::{Always, Fair, Never};
pub use families::{Harmonic, Reciprocals};
pub use fraction::Fraction;
pub use hypergeometric::{Hypergeometric, LinearRatio};
pub use one_over::OneOver;
pub use rational::Rational;
pub use ratios::Ratios;
pub(crate) use ratios::{grouped, try_all};
