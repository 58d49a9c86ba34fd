//! Dice made of flips, or of other dice, by throwing rolls away: Gidney's ladder from 4 fair bits for a roll of six sides
//! down towards log2 6 = 2.58496…
//!
//! | rung | machine | fair bits for a roll | Gidney |
//! |---|---|---|---|
//! | three flips, two of the eight again | `Die::new(8)?.condition(|&n| n < 6)` | 4 | 4 |
//! | stop at the flip that decides | `PowerPair::new(6, 1, Fair, 3)?` | 11/3 = 3.667 | 3.667 |
//! | 6 is 2·3 | `Fair.zip(PowerPair::new(3, 1, Fair, 2)?)` | 11/3 = 3.667 | 3.333 |
//! | 3³ in 2⁵ | `Fair.repeat(3).zip(PowerPair::new(3, 3, Fair, 5)?)` | 233/81 = 2.877 | 2.852 |
//! | 3⁵ in 2⁸ | `Fair.repeat(5).zip(PowerPair::new(3, 5, Fair, 8)?)` | 359/135 = 2.659 | |
//! | 3¹⁷ in 2²⁷ | `Fair.repeat(17).zip(PowerPair::new(3, 17, Fair, 27)?)` | 2.6013 | |
//! | 3²⁹ in 2⁴⁶ | `Fair.repeat(29).zip(PowerPair::new(3, 29, Fair, 46)?)` | 2.5919 | |
//!
//! Two of the text's figures are too low. They count one flip for a failed attempt at 3 in 4, which takes two, and three
//! for one at 27 in 32, which takes 17/5 on average. No machine that starts from nothing each time has them: Knuth and Yao
//! proved that one roll takes at least 11/3 fair bits, and three together at least 8.614, 2.871 each. It also prints
//! (3³⁹, 2⁴⁶) for the last pair, which does not fit; (3²⁹, 2⁴⁶) does.
//!
//! Taking the 2 out of 6 changes nothing: `PowerPair::new(6, 3, Fair, 8)?` costs what the fourth rung costs. Nor is the
//! ladder the best way up. [`Die`](crate::Die) keeps what a failed attempt leaves over, and is optimal for one roll; the
//! [`Transmuter`](crate::Transmuter) keeps everything. What the ladder has for it is that it is simple, and fast.
//!
//! [`PowerPairs`] finds the pairs for any two dice.

mod power_pair;
#[cfg(feature = "exact")]
mod search;

pub use power_pair::{FairDie, PowerPair, Rolls};
#[cfg(feature = "exact")]
pub use search::{Pair, PowerPairs};
