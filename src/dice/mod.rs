//! Dice and choosers.

mod die;
#[cfg(feature = "exact")]
mod law;
#[cfg(feature = "alloc")]
mod sequential;
mod three_way;
pub mod viglietta;
#[cfg(feature = "alloc")]
mod weighted;
#[cfg(feature = "alloc")]
mod weighted_tree;
#[cfg(feature = "alloc")]
mod weights;

pub use die::Die;
#[cfg(feature = "alloc")]
pub use sequential::Sequential;
pub use three_way::ThreeWay;
pub use viglietta::Viglietta;
#[cfg(feature = "alloc")]
pub use weighted::Weighted;
#[cfg(feature = "alloc")]
pub use weights::Weight;
