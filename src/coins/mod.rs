//! Coins of known probability.

mod dyadic;
mod fair;
mod families;
#[cfg(feature = "exact")]
mod family_law;
mod fraction;
#[cfg(feature = "exact")]
mod law;
mod one_over;
mod rational;
mod ratios;

pub use dyadic::Dyadic;
pub use fair::{Always, Fair, Never};
pub use families::{Harmonic, Reciprocals};
pub use fraction::Fraction;
pub use one_over::OneOver;
pub use rational::Rational;
pub use ratios::Ratios;
