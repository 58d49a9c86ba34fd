//! The exact decision tree of a machine, by running its code on every string of fair bits.
//!
//! A machine asks for bits one at a time, so its runs form a binary tree: an inner node asks, a leaf answers. A leaf at
//! depth k is reached with probability 2^-k. [`explore`] runs the compiled machine once for each leaf and once for each
//! node still open at the wanted depth, and adds the masses up as rationals. Nothing is sampled, so nothing is left to
//! chance:
//!
//! - the mass of an outcome is a lower bound of its probability, and mass plus open mass an upper bound;
//! - the open mass at depth k is P(more than k bits), and its sum over k the expected fair bits;
//! - a target law that dominates the masses is within the open mass of the machine's law, in total variation.

mod below;
mod certificate;
mod chain;
mod collapse;
mod compare;
mod draw;
mod explorer;
mod in_a_row;
mod lettered;
mod letters;
mod logarithm;
mod polynomial;
mod sign;
mod states;
#[cfg(feature = "svg")]
mod svg;
mod tail;
mod tally;
mod tape;
mod target;
mod tree;
mod verdict;
mod weighed;

pub use below::Below;
pub use chain::Chain;
pub use explorer::Explorer;
pub use in_a_row::{InARow, in_a_row};
pub use lettered::{Lettered, NotProved, Proof, Witness, explore_letters};
pub use letters::Letter;
pub use polynomial::Polynomial;
pub use sign::Sign;
pub use states::{Next, States, StatesError, StepByStep, check_cost, check_law, is_mean};
pub use tail::BrokenTail;
pub use tally::Tally;
pub use tape::Fault;
pub use target::{Each, Says, Target, Wanted};
pub use tree::{Leaf, Tree, explore};
pub use verdict::{Agreement, Contradiction, Refusal, Side};
pub use weighed::{Weighed, explore_weighted};
