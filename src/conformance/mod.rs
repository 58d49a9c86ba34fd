//! The conformance kit: is this compiled machine really the one that it claims to be?
#![allow(
    clippy::float_arithmetic,
    reason = "evidence is weighed in floats; no sampling is done here"
)]

mod evidence;
mod health;
mod ledger;

pub use evidence::Evidence;
pub use health::{HealthError, Healthy};
pub use ledger::{Ledger, LedgerError};
