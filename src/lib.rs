//! Exact, composable Buffon machines: coins, dice and choosers built from fair bits.
//!
//! - [`Machine`] is the one trait: an immutable description of how fair bits become an answer. [`Coin`] is sugar for
//!   machines that answer heads or tails.
//! - [`BitSource`] is where fair bits come from: [`BitBuffer`] over a random number generator, [`Counted`], [`Budget`], and
//!   [`Script`] for flips that are written down.
//! - [`combinators`] has the table of what machines can be composed of; [`run()`] and [`parity_of_run()`] take families of
//!   coins.
//! - [`KnownLaw`] tells a machine's exact law and expected fair bits by algebra, and [`explore()`] draws the exact decision
//!   tree of its compiled code.
//! - [`catalogue`] has irrational coins such as 1/e and π/4, [`factories`] functions of coins of unknown bias, [`walks`] roots and
//!   1/π, and [`uniform`] integrals; each is a composition of the above.
//!
//! Each machine's page says, in this order: what it answers, its law, its expected fair bits, its tail and when it never
//! ends, what it refuses, and its source. `true` is heads.
//!
//! ```
//! use buffon::{BitBuffer, Coin, Counted, OneOver, Rational, parity_of_run};
//! use rand::{SeedableRng, rngs::StdRng};
//!
//! let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(1)));
//! let third = Rational::<u64>::new(1, 3)?;
//! let coin = third.then(parity_of_run(OneOver::new)); // 1/(3e)
//! let heads = (0..10_000).filter(|_| coin.flip(&mut bits)).count();
//! assert!((1_100..1_400).contains(&heads)); // 1226 expected
//! assert!((27_000..29_000).contains(&bits.count())); // 2 + 2.3532/3 fair bits a flip
//! # Ok::<(), buffon::ProbabilityError>(())
//! ```
//!
//! # Exactness
//!
//! No floating-point number takes part in sampling. The laws are proved for independent fair bits; the proofs stand in the
//! docs and beside the code, and the tests compute the law of the compiled machines, leaf by leaf, as rationals.
//!
//! # Features
//!
//! `std` and `exact` are on by default; without them the crate is `no_std` and allocates nothing. `alloc` has the machines
//! that own a table, `exact` the laws and the explorer; `conformance` checks anyone's machine, and `svg` draws decision trees.
#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_possible_wrap)]
#![deny(clippy::float_arithmetic)] // no float takes part in sampling
#![doc(test(attr(deny(warnings))))]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "conformance")]
extern crate std;

mod bits;
pub mod catalogue;
mod coin;
mod coins;
pub mod combinators;
#[cfg(feature = "conformance")]
pub mod conformance;
mod dice;
mod error;
#[cfg(feature = "exact")]
pub mod explore;
pub mod factories;
mod lanes;
#[cfg(feature = "exact")]
pub mod law;
mod machine;
mod ratio;
pub mod transmuter;
pub mod uniform;
pub mod walks;

#[cfg(all(doctest, feature = "exact"))]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(feature = "exact")]
pub use bits::Elias;
#[cfg(feature = "alloc")]
pub use bits::Peres;
#[cfg(feature = "alloc")]
pub use bits::Script;
pub use bits::{BitBuffer, BitSource, Budget, Counted, Recycler, VonNeumann};
pub use coin::Coin;
pub use coins::{
    Always, Dyadic, Fair, Fraction, Harmonic, Hypergeometric, LinearRatio, Never, OneOver,
    Rational, Ratios, Reciprocals,
};
#[doc(inline)]
pub use combinators::{Certain, External, from_fn, parity_of_run, run};
#[cfg(feature = "alloc")]
pub use dice::{Alias, Sequential, Weight, Weighted};
#[cfg(feature = "exact")]
pub use dice::{Batch, BiasedSlices, Cut, Slices};
pub use dice::{Die, FastDie, OneHead, Roulette, ThreeWay, Viglietta, ladder, viglietta};
pub use error::{
    BlockError, BudgetError, FlipsEnded, NotAFlip, ParameterError, PowerError, ProbabilityError,
    RollOutOfRange, ScriptEnded, SidesOutOfRange, SliceError, WeightError, ZeroSides,
};
#[cfg(feature = "exact")]
#[doc(inline)]
pub use explore::{
    Explorer, Leaf, Tally, Tree, Weighed, explore, explore_letters, explore_weighted,
};
pub use lanes::{LaneFamily, Lanes};
#[cfg(feature = "exact")]
#[doc(inline)]
pub use law::{Bracket, Cost, KnownLaw, Law, LawError, Tail};
pub use machine::Machine;
#[doc(inline)]
pub use transmuter::Transmuter;
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use uniform::{Bag, integrate_bag};
#[doc(inline)]
pub use uniform::{Beta, Integrate, Urn, integrate};
