//! Dice and choosers.

#[cfg(feature = "alloc")]
mod alias;
#[cfg(feature = "exact")]
mod batch;
#[cfg(feature = "exact")]
mod biased;
mod die;
mod fast_die;
pub mod ladder;
#[cfg(feature = "exact")]
mod law;
mod roulette;
#[cfg(feature = "alloc")]
mod sequential;
#[cfg(feature = "exact")]
mod slices;
mod three_way;
pub mod viglietta;
#[cfg(feature = "alloc")]
mod weighted;
#[cfg(feature = "alloc")]
mod weighted_tree;
#[cfg(feature = "alloc")]
mod weights;
#[cfg(feature = "alloc")]
mod whole;

#[cfg(feature = "alloc")]
pub use alias::Alias;
#[cfg(feature = "exact")]
pub use batch::Batch;
#[cfg(feature = "exact")]
pub use biased::BiasedSlices;
pub use die::Die;
pub use fast_die::FastDie;
pub use roulette::{OneHead, Roulette};
#[cfg(feature = "alloc")]
pub use sequential::Sequential;
#[cfg(feature = "exact")]
pub use slices::{Cut, Slices};
pub use three_way::ThreeWay;
pub use viglietta::Viglietta;
#[cfg(feature = "alloc")]
pub use weighted::Weighted;
#[cfg(feature = "alloc")]
pub use weights::Weight;
