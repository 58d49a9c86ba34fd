//! The exact law and cost of a machine, by algebra: no bit is drawn.
//!
//! [`KnownLaw`] gives outcome weights and expected fair bits as [`Bracket`]s, rational intervals of any wanted width,
//! exact where the value is rational. The cost algebra is Wald's identity: a machine that flips its parts a random number
//! of times, each decision made before the flip, costs Σ (expected flips of a part)·(cost of the part). So costs add along
//! call counts, and only the probabilities decide the counts.

mod bracket;
mod coins;
mod family;
mod fixed;
mod instructions;
mod known;
mod machines;
mod outcomes;
mod runs;
pub(crate) mod series;
mod tail;

pub use bracket::{Bracket, Cost};
pub use family::{
    KnownFamily, NonIncreasing, WithBitsAfter, check_declaration, non_increasing,
    non_increasing_from, with_bits_after,
};
pub(crate) use fixed::Fixed;
pub(crate) use instructions::{ratio_cost, roll_cost, share};
pub use known::{KnownLaw, LawError};
pub use outcomes::Law;
pub use tail::Tail;
