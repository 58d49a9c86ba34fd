//! Bernoulli factories: coins whose probability is a given function of an *unknown* one.
//!
//! The coins p, q, λ here may be any machine that answers heads or tails: one of this crate, or [`External`](crate::External)
//! for a physical coin. Nothing is known of them but their flips, and each machine's law holds for every value that they may
//! have. The costs count expected flips of them and the fair bits of the machine itself.
//!
//! # What has no constructor here, and why
//!
//! A request is refused by having no constructor where no algorithm can meet it, whatever its cost. A function f of an
//! unknown p has a factory only if f is constant, or continuous with min(f, 1 − f) ≥ min(p, 1 − p)ⁿ for some n
//! (Keane and O'Brien 1994). So there is none for
//!
//! - **2p, or c·p with c > 1,** on a domain that touches 1/c, and min(1, c·p): they reach 1 inside of (0, 1);
//! - **1 − 2p:** it reaches 0 at 1/2, where the coin is as random as can be; [`one_minus_over_one_plus`] is what there is;
//! - **a step,** "is p above 1/2?": it is not continuous; no number of flips tells;
//! - **exp(−1/p):** it falls faster than every power of p as p → 0;
//! - **p − q and p/q** of two unknown coins: 0 and 1 are reached where they are equal. Dividing by
//!   [`condition`](crate::Machine::condition) is another thing, a joint experiment's P(both)/P(given).
//!
//! With a promise, a known [`Gap`] between the coin and the place where the function breaks, some of these exist: c·p is
//! [`linear`], and there are [`sum`], [`difference`], [`known_over`] and [`division`]. A broken promise fails in silence.
//!
//! Where p itself may be 0 or 1 and no fair bits were at hand, f would have to be 0 or 1 there too; here fair bits always
//! are. A machine of finitely many flips makes just the polynomials whose Bernstein coefficients lie in [0, 1] in some
//! degree, and one of finitely many states just the rational functions (Mossel and Peres 2005). With an exponential tail
//! only real-analytic functions can be had, and with a finite mean only Lipschitz ones (Nacu and Peres 2005): √p has an
//! infinite mean at 0, in every factory.

mod choices;
mod early;
mod envelope;
#[cfg(feature = "exact")]
mod envelope_law;
mod hazards;
#[cfg(feature = "exact")]
mod law;
mod promises;
mod quotients;
mod series;

pub use choices::{
    Choose, Heads, Odds, affine, bernstein, convex, odds, race_of, rational_function,
};
pub use early::EarlyBernstein;
pub use envelope::ExpOverFour;
pub use hazards::{Hazard, ToThe, to_the, to_the_coin};
pub use promises::{Gap, KnownOver, Linear, difference, division, known_over, linear, sum};
pub use quotients::{
    Rounds, SechRound, Verdict, logistic, one_minus_over_one_plus, one_over_one_plus, over_shifted,
    portkey, product_of_odds, quotient, race, share, twice_over_one_plus_square,
};
pub use series::{ExpMinusPower, Pgf, Scaled, exp_minus_of, exp_minus_power};
