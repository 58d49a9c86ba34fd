//! Compositions and their hand-written twins, side by side.
//!
//! With the argument `count` nothing is timed: each twin runs once, for `zero_cost.sh`, which counts instructions.

#![allow(missing_docs, reason = "a bench")]

mod common;
mod twins;

use common::Row;
use criterion::Criterion;

fn main() {
    if std::env::args().any(|argument| argument == "count") {
        for twin in twins::all() {
            let (composed, by_hand) = ((twin.composed)(20_000), (twin.by_hand)(20_000));
            assert_eq!(composed, by_hand, "{} and its twin answer otherwise", twin.name);
        }
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    for twin in twins::all() {
        Row::new(twin.name, "SmallRng")
            .add("composed", f64::NAN, twin.composed)
            .add("by hand", f64::NAN, twin.by_hand)
            .finish(&mut criterion);
    }
    criterion.final_summary();
}
