//! Dice and choosers.

mod die;
pub mod viglietta;

pub use die::Die;
pub use viglietta::Viglietta;
