use core::fmt;

use super::roll::Roll;
use super::tower::Tower;

/// Rolls of an m-sided die, made of rolls of an n-sided one without loss. Created by
/// [`Transmuter::lossless`](crate::Transmuter::lossless); see its documentation for more.
#[must_use = "iterators are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct Lossless<I> {
    rolls: I,
    n: u64,
    tower: Tower,
}

impl<I> Lossless<I> {
    pub(super) fn new(rolls: I, n: u64, m: u64) -> Self {
        Self { rolls, n, tower: Tower::new(n, m) }
    }
}

impl<I: Iterator<Item: Roll>> Iterator for Lossless<I> {
    type Item = Result<u32, <I::Item as Roll>::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(digit) = self.tower.pull() {
                return Some(Ok(digit));
            }
            match self.rolls.next()?.side(self.n) {
                Ok(roll) => self.tower.push(roll),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<I: fmt::Debug> fmt::Debug for Lossless<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lossless")
            .field("rolls", &self.rolls)
            .field("n", &self.n)
            .finish_non_exhaustive()
    }
}
