//! The conformance kit: is this compiled machine really the one that it claims to be?
//!
//! [`check`] explores the machine's code on every string of fair bits and compares the exact masses with a target; then it weighs
//! samples, if they are asked for. What it says is a [`Report`]: agreement within a certified distance, or the shortest
//! contradiction.
//!
//! | part | what for |
//! |---|---|
//! | [`check`], [`assert_conforms!`](crate::assert_conforms) | one call for anyone's machine |
//! | [`Seed`] | fixed seeds, fresh ones, and the line that repeats a run |
//! | [`Evidence`] | an e-process: samples against a law, valid at any time |
//! | [`Dependence`] | the same, against dependence of a sample on earlier ones |
//! | [`FalseAlarms`] | one false-alarm budget for a whole suite |
//! | [`Ledger`] | evidence that continues across runs |
//! | [`Healthy`] | health tests for a source of fair bits |
#![allow(
    clippy::float_arithmetic,
    reason = "evidence is weighed in floats; no sampling is done here"
)]

mod blocks;
mod budget;
mod check;
mod contexts;
mod costs;
mod deep;
mod dependence;
mod evidence;
mod finding;
mod further;
mod health;
mod ledger;
mod report;
mod samples;
mod seed;

pub use budget::FalseAlarms;
pub use check::{Check, Nothing, check, must_conform};
pub use dependence::Dependence;
pub use evidence::Evidence;
pub use finding::Finding;
pub use health::{HealthError, Healthy};
pub use ledger::{Ledger, LedgerError};
pub use report::Report;
pub use seed::{Replay, Seed, must_conform_from};
