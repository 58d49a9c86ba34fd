//! Exact, composable Buffon machines: coins, dice and choosers built from fair bits.
#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![doc(test(attr(deny(warnings))))]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod bits;
mod coin;
mod coins;
pub mod combinators;
mod dice;
mod error;
#[cfg(feature = "exact")]
mod explore;
#[cfg(feature = "exact")]
mod law;
mod machine;
mod ratio;

#[cfg(feature = "alloc")]
pub use bits::Script;
pub use bits::{BitBuffer, BitSource, Budget, Counted};
pub use coin::Coin;
pub use coins::{Always, Dyadic, Fair, Fraction, Never, OneOver, Rational};
pub use combinators::{External, from_fn, parity_of_run, run};
pub use dice::{Die, ThreeWay, Viglietta, viglietta};
#[cfg(feature = "alloc")]
pub use dice::{Sequential, Weight, Weighted};
pub use error::{BudgetError, NotAFlip, ProbabilityError, ScriptEnded, WeightError, ZeroSides};
#[cfg(feature = "exact")]
pub use explore::{Leaf, Tree, Weighed, explore, explore_weighted};
#[cfg(feature = "exact")]
pub use law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};
pub use machine::Machine;
