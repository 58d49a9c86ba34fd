//! Fair bits from an unfair coin.
//!
//! Each source here is over an iterator of flips of one coin: independent, heads with the same unknown probability p each
//! time. What it serves are independent fair bits whatever p is, so every machine runs on such a coin, with its own law.
//!
//! | source | bits a flip | holds |
//! |---|---|---|
//! | [`VonNeumann`] | pq, at most 1/4 | one flip |
//! | [`Peres`] | towards the entropy H(p) with the depth: 0.9 for 8 at p = 1/2 | a block |
//! | [`Elias`] | towards the entropy H(p) with the length of the block | a block |
//!
//! A block is a fixed number of *flips*. To flip until so many bits are out, and to keep those, would favour the flips that
//! give many.

#[cfg(feature = "alloc")]
mod blocks;
#[cfg(feature = "exact")]
mod elias;
#[cfg(feature = "alloc")]
mod peres;
mod von_neumann;

#[cfg(feature = "exact")]
pub use elias::Elias;
#[cfg(feature = "alloc")]
pub use peres::Peres;
pub use von_neumann::VonNeumann;
