//! The exact law and cost of a machine, by algebra: no bit is drawn.
//!
//! [`KnownLaw`] gives outcome weights and expected fair bits as [`Bracket`]s, rational intervals of any wanted width,
//! exact where the value is rational. The cost algebra is Wald's identity: a machine that flips its parts a random number
//! of times, each decision made before the flip, costs Σ (expected flips of a part)·(cost of the part). So costs add along
//! call counts, and only the probabilities decide the counts.

mod bracket;
mod coins;
mod compile;
mod cost;
mod ends;
mod error;
mod family;
mod fixed;
mod known;
mod machines;
mod optimal;
mod outcomes;
mod runs;
pub(crate) mod series;
mod tail;

pub use bracket::Bracket;
pub use compile::Compiled;
pub use cost::Cost;
pub use error::LawError;
pub use family::{
    KnownFamily, NonIncreasing, WithBitsAfter, check_declaration, non_increasing,
    non_increasing_from, with_bits_after,
};
pub(crate) use fixed::Fixed;
pub use known::KnownLaw;
pub(crate) use optimal::{coin_cost, exponent, ratio_cost, roll_cost, share};
pub use outcomes::Law;
pub use tail::Tail;
