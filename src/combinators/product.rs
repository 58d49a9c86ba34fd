#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::bits::BitSource;
use crate::machine::Machine;

/// Created by [`Machine::zip`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Zip<M, N> {
    pub(crate) first: M,
    pub(crate) second: N,
}

impl<M, N> Zip<M, N> {
    #[inline]
    pub(crate) const fn new(first: M, second: N) -> Self {
        Self { first, second }
    }
}

impl<M: Machine, N: Machine> Machine for Zip<M, N> {
    type Output = (M::Output, N::Output);

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error> {
        Ok((self.first.try_sample(bits)?, self.second.try_sample(bits)?))
    }
}

/// Created by [`Machine::array`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Array<M, const N: usize> {
    pub(crate) machine: M,
}

impl<M, const N: usize> Array<M, N> {
    #[inline]
    pub(crate) const fn new(machine: M) -> Self {
        Self { machine }
    }
}

impl<M: Machine, const N: usize> Machine for Array<M, N> {
    type Output = [M::Output; N];

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error> {
        // `array::try_from_fn` is not stable: the first error is kept aside, and what comes after it is not sampled.
        let mut failed = None;
        let answers = [(); N].map(|()| {
            if failed.is_some() {
                return None;
            }
            self.machine.try_sample(bits).map_err(|error| failed = Some(error)).ok()
        });
        match failed {
            Some(error) => Err(error),
            #[allow(clippy::unwrap_used, reason = "without an error every place is filled")]
            None => Ok(answers.map(Option::unwrap)),
        }
    }
}

/// Created by [`Machine::repeat`]. See its documentation for more.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Repeat<M> {
    pub(crate) machine: M,
    pub(crate) n: usize,
}

#[cfg(feature = "alloc")]
impl<M> Repeat<M> {
    #[inline]
    pub(crate) const fn new(machine: M, n: usize) -> Self {
        Self { machine, n }
    }
}

#[cfg(feature = "alloc")]
impl<M: Machine> Machine for Repeat<M> {
    type Output = Vec<M::Output>;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error> {
        (0..self.n).map(|_| self.machine.try_sample(bits)).collect()
    }
}

/// Created by [`Machine::samples`]. See its documentation for more.
#[must_use = "iterators are lazy and do nothing unless consumed"]
#[derive(Debug)]
pub struct Samples<M, B> {
    machine: M,
    bits: B,
}

impl<M, B> Samples<M, B> {
    #[inline]
    pub(crate) const fn new(machine: M, bits: B) -> Self {
        Self { machine, bits }
    }
}

impl<M: Machine, B: BitSource<Error = Infallible>> Iterator for Samples<M, B> {
    type Item = M::Output;

    #[inline]
    fn next(&mut self) -> Option<M::Output> {
        Some(self.machine.sample(&mut self.bits))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}
