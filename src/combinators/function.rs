use core::cell::RefCell;
use core::error::Error;
use core::fmt::{self, Display, Formatter};

use super::debug_fields;
use crate::bits::BitSource;
use crate::machine::Machine;

/// The source of fair bits has failed, and keeps its own error aside: what a machine behind [`from_fn`] or
/// [`Erased`](super::Erased) sees in place of that error. Hand it on with `?`.
#[derive(Debug)]
pub struct Halted(Kept);

impl Display for Halted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the source of fair bits has failed")
    }
}

impl Error for Halted {}

/// Only this file can say that a source has halted: a `Halted` always has an error behind it.
#[derive(Debug)]
struct Kept;

/// A source that keeps its first error aside and answers `Halted` from then on.
struct Latch<'a, B: BitSource + ?Sized> {
    bits: &'a mut B,
    error: Option<B::Error>,
}

impl<B: BitSource + ?Sized> Latch<'_, B> {
    fn keep<T>(&mut self, draw: impl FnOnce(&mut B) -> Result<T, B::Error>) -> Result<T, Halted> {
        if self.error.is_some() {
            return Err(Halted(Kept));
        }
        draw(self.bits).map_err(|error| {
            self.error = Some(error);
            Halted(Kept)
        })
    }
}

impl<B: BitSource + ?Sized> BitSource for Latch<'_, B> {
    type Error = Halted;

    fn try_bit(&mut self) -> Result<bool, Halted> {
        self.keep(|bits| bits.try_bit())
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, Halted> {
        self.keep(|bits| bits.try_bits(n))
    }

    fn try_tails(&mut self) -> Result<u64, Halted> {
        self.keep(|bits| bits.try_tails())
    }

    fn try_tails_within(&mut self, limit: u64) -> Result<Option<u64>, Halted> {
        self.keep(|bits| bits.try_tails_within(limit))
    }

    fn try_ratio(&mut self, num: u64, den: u64) -> Result<bool, Halted> {
        self.keep(|bits| bits.try_ratio(num, den))
    }

    fn try_below(&mut self, n: u64) -> Result<u64, Halted> {
        self.keep(|bits| bits.try_below(n))
    }

    fn try_lanes(&mut self, lanes: &mut [u64]) -> Result<(), Halted> {
        self.keep(|bits| bits.try_lanes(lanes))
    }

    fn try_code(&mut self, table: &[u32]) -> Result<u32, Halted> {
        self.keep(|bits| bits.try_code(table))
    }

    fn answers_ratios(&self) -> bool {
        self.bits.answers_ratios()
    }
}

/// Samples by a function of a dyn source, and gives back the source's own error.
pub(crate) fn latched<T, B: BitSource + ?Sized>(
    bits: &mut B,
    sample: impl Fn(&mut dyn BitSource<Error = Halted>) -> Result<T, Halted>,
) -> Result<T, B::Error> {
    loop {
        let mut latch = Latch { bits: &mut *bits, error: None };
        let answer = sample(&mut latch);
        match (latch.error, answer) {
            (Some(error), _) => return Err(error),
            (None, Ok(answer)) => return Ok(answer),
            // A `Halted` from another sample than this one says nothing about this source: sample again.
            (None, Err(Halted(Kept))) => {}
        }
    }
}

/// A machine from a function of a source: the shortest way to one's own, and a place to cut long types off.
///
/// Law, cost and tail: whatever the function does with the bits. The source's error comes to it as [`Halted`], which it
/// hands on; should it swallow one, the sample fails all the same.
///
/// ```
/// use buffon::{Machine, Script, from_fn};
/// let coin = from_fn(|bits| Ok(bits.try_tails()? % 2 == 1)); // 1/3: the first heads on an even flip
/// assert_eq!(coin.try_sample(&mut Script::from_str("TTTH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub const fn from_fn<T, F>(f: F) -> FromFn<F>
where
    F: Fn(&mut dyn BitSource<Error = Halted>) -> Result<T, Halted>,
{
    FromFn { f }
}

/// Created by [`from_fn`]. See its documentation for more.
#[derive(Clone, Copy)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct FromFn<F> {
    f: F,
}

debug_fields!(FromFn<F>);

impl<T, F> Machine for FromFn<F>
where
    F: Fn(&mut dyn BitSource<Error = Halted>) -> Result<T, Halted>,
{
    type Output = T;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        latched(bits, &self.f)
    }
}

/// A coin from the outside world: a physical one, recorded flips, any closure; it draws no fair bits.
///
/// Law: that of the closure, which is assumed to flip independently with one unknown probability. Cost: 0 fair bits.
/// Tail: bounded by 0 bits. It is the one machine one can build that holds state, in a cell, and so is not `Sync`; a closure
/// that has no flip left has to decide for itself what to do, and one that flips the very coin that it is part of panics.
///
/// ```
/// use buffon::{Coin, External, Script};
/// let mut recorded = [true, false].into_iter().cycle();
/// let coin = External::new(move || recorded.next().unwrap_or(false));
/// let mut none = Script::from_str("")?;
/// assert_eq!(coin.try_flip(&mut none), Ok(true));
/// assert_eq!(coin.try_flip(&mut none), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a machine does nothing until it is sampled"]
pub struct External<F> {
    flip: RefCell<F>,
}

impl<F: FnMut() -> bool> External<F> {
    /// A coin that is flipped by calling `flip`.
    pub const fn new(flip: F) -> Self {
        Self { flip: RefCell::new(flip) }
    }
}

debug_fields!(External<F>);

impl<F: FnMut() -> bool> Machine for External<F> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, _: &mut B) -> Result<bool, B::Error> {
        Ok((self.flip.borrow_mut())())
    }
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use super::*;

    /// A source that has an answer of its own to a code.
    struct Coded;

    impl BitSource for Coded {
        type Error = Infallible;

        fn try_bit(&mut self) -> Result<bool, Infallible> {
            Ok(false)
        }

        fn try_code(&mut self, _: &[u32]) -> Result<u32, Infallible> {
            Ok(7)
        }
    }

    #[test]
    fn a_code_is_handed_on_to_the_source() {
        assert_eq!(from_fn(|bits| bits.try_code(&[0])).sample(&mut Coded), 7);
    }
}
