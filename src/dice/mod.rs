//! Dice and choosers.

mod die;

pub use die::Die;
