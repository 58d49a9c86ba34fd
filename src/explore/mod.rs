//! The exact decision tree of a machine, by running its code on every string of fair bits.
//!
//! A machine asks for bits one at a time, so its runs form a binary tree: an inner node asks, a leaf answers. A leaf at
//! depth k is reached with probability 2^-k. [`explore`](explore()) runs the compiled machine once for each leaf and once
//! for each node still open at the wanted depth, and adds the masses up as rationals. Nothing is sampled, so nothing is left
//! to chance:
//!
//! - the mass of an outcome is a lower bound of its probability, and mass plus open mass an upper bound;
//! - the open mass at depth k is P(more than k bits), and its sum over k the expected fair bits;
//! - a target law that dominates the masses is within the open mass of the machine's law, in total variation;
//! - no exact machine has fewer open nodes at any depth than the optimal tree of Knuth and Yao.
//!
//! | question | call | answer |
//! |---|---|---|
//! | what is the law, in bits? | [`explore`](explore()), [`Explorer::tally`] | masses and open mass, leaf by leaf or counted |
//! | and of nested series? | [`explore_weighted`] | the same, an instruction being one question |
//! | and of machines that read whole words? | [`Explorer::words`] | masses, on an assumption about intervals |
//! | and for coins of unknown bias? | [`explore_letters`] | polynomials: proofs for all probabilities at once |
//! | is it this law? | [`Tally::against`], [`Tree::against`] | a certified distance, or the shortest [`Contradiction`] |
//! | what does it cost? | [`Tally::expected_bits`], [`Tally::tail`], [`Agreement::excess_bits`] | bits, bounds, and bits above the optimum |
//! | which digits are proved? | [`Tally::digits`] | a binary expansion of P(outcome) |
//! | are outputs independent? | [`in_a_row`], [`Each`] | the joint law against the product |
//! | what does its timing tell? | [`Tally::leak`] | the mutual information of answer and length |
//! | what happens deep down? | [`Tree::below`] | a machine of the conditional law |
//! | what is the law, in full? | [`Tree::collapse`], [`Chain::of`], [`check_law`] | rationals, for machines of few states |
//! | who checks the checker? | [`Tree::certificate`] | a text for the independent example `recheck` |
//! | how does it look? | [`Tree::to_dot`], `Tree::to_svg` with the feature `svg` | pictures |
//!
//! A machine may have at most 2^32 outcomes, and trees at most that depth. Machines should be explored when fresh: one that
//! remembers is found out by repeated runs ([`Fault`]) the first time it is explored.

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
mod proof;
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
mod words;

pub use below::Below;
pub use chain::Chain;
pub use explorer::Explorer;
pub use in_a_row::{InARow, in_a_row};
pub use lettered::{Lettered, explore_letters};
pub use letters::Letter;
pub use polynomial::Polynomial;
pub use proof::{NotProved, Proof, Witness};
pub use sign::Sign;
pub use states::{Next, States, StatesError, StepByStep, check_cost, check_law, is_mean};
pub use tail::BrokenTail;
pub use tally::Tally;
pub use tape::Fault;
pub use target::{Each, Says, Target, Wanted};
pub use tree::{Leaf, Tree, explore};
pub use verdict::{Agreement, Contradiction, Refusal, Side};
pub use weighed::{Weighed, explore_weighted};
