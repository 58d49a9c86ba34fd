//! The conformance kit: is this compiled machine really the one that it claims to be?
//!
//! [`check`] explores the machine's code on every string of fair bits and compares the exact masses with a target; then it weighs
//! samples, if they are asked for. What it says is a [`Report`]: agreement within a certified distance, or the shortest
//! contradiction.
//!
//! | part | what for |
//! |---|---|
//! | [`check`], [`assert_conforms!`](crate::assert_conforms) | one call for anyone's machine |
//! | [`Evidence`] | an e-process: samples against a law, valid at any time |
//! | [`Dependence`] | the same, against dependence of a sample on earlier ones |
//! | [`FalseAlarms`] | one false-alarm budget for a whole suite |
//! | [`Ledger`] | evidence that continues across runs |
//! | [`Healthy`] | health tests for a source of fair bits |
#![allow(
    clippy::float_arithmetic,
    reason = "evidence is weighed in floats; no sampling is done here"
)]

mod budget;
mod check;
mod dependence;
mod evidence;
mod further;
mod health;
mod ledger;
mod report;
mod samples;
mod words;

pub use budget::FalseAlarms;
pub use check::{Check, Nothing, check, must_conform};
pub use dependence::Dependence;
pub use evidence::Evidence;
pub use health::{HealthError, Healthy};
pub use ledger::{Ledger, LedgerError};
pub use report::{Finding, Report};
