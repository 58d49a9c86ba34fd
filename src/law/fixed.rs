//! Brackets on a grid: the arithmetic of long series, in which nothing is brought to lowest terms on the way.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::bracket::Bracket;
use super::ends::dyadic;

/// A bracket whose ends are whole multiples of 2^-grid.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    low: BigInt,
    high: BigInt,
    grid: u64,
}

impl Fixed {
    pub(crate) fn zero(grid: u64) -> Self {
        Self { low: BigInt::zero(), high: BigInt::zero(), grid }
    }

    pub(crate) fn one(grid: u64) -> Self {
        let one = BigInt::one() << grid;
        Self { low: one.clone(), high: one, grid }
    }

    /// The bracket, opened outwards to the grid.
    pub(crate) fn of(bracket: &Bracket, grid: u64) -> Self {
        let (low, high) = (bracket.low(), bracket.high());
        Self {
            low: (low.numer() << grid).div_floor(low.denom()),
            high: (high.numer() << grid).div_ceil(high.denom()),
            grid,
        }
    }

    /// The product of numbers that are not negative, opened outwards to the grid.
    pub(crate) fn times(&self, factor: &Bracket) -> Self {
        let (low, high) = (factor.low(), factor.high());
        Self {
            low: (&self.low * low.numer()).div_floor(low.denom()),
            high: (&self.high * high.numer()).div_ceil(high.denom()),
            grid: self.grid,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.low += &other.low;
        self.high += &other.high;
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.low -= &other.high;
        self.high -= &other.low;
    }

    /// The number over 2^n, opened outwards to the grid.
    pub(super) fn over_two_to(&self, n: u64) -> Self {
        // A shift to the right goes down.
        Self { low: &self.low >> n, high: -(-&self.high >> n), grid: self.grid }
    }

    /// Moves the upper end up by the upper end of `other`.
    pub(crate) fn raise(&mut self, other: &Self) {
        self.high += &other.high;
    }

    /// Moves the lower end down by the upper end of `other`.
    pub(crate) fn sink(&mut self, other: &Self) {
        self.low -= &other.high;
    }

    /// Whether the upper end is at most 2^-places.
    pub(crate) fn is_below(&self, places: u32) -> bool {
        self.high.is_zero() || self.high.bits() + u64::from(places) <= self.grid
    }

    /// Whether the ends are at most 2^-places apart.
    pub(super) fn is_narrow(&self, places: u32) -> bool {
        (&self.high - &self.low).bits() + u64::from(places) <= self.grid
    }

    pub(crate) fn bracket(self) -> Bracket {
        Bracket::ordered(dyadic(self.low, self.grid), dyadic(self.high, self.grid))
    }
}
