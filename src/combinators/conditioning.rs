use super::debug_fields;
use crate::bits::BitSource;
use crate::machine::Machine;

/// Created by [`Machine::condition`]. See its documentation for more.
#[derive(Clone, Copy)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Condition<M, F> {
    pub(crate) machine: M,
    pub(crate) holds: F,
}

impl<M, F> Condition<M, F> {
    #[inline]
    pub(crate) const fn new(machine: M, holds: F) -> Self {
        Self { machine, holds }
    }
}

debug_fields!(Condition<M, F>, machine: M);

impl<M: Machine, F: Fn(&M::Output) -> bool> Machine for Condition<M, F> {
    type Output = M::Output;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<M::Output, B::Error> {
        loop {
            let answer = self.machine.try_sample(bits)?;
            if (self.holds)(&answer) {
                return Ok(answer);
            }
        }
    }
}

/// Created by [`Machine::retry`]. See its documentation for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Retry<M> {
    pub(crate) machine: M,
}

impl<M> Retry<M> {
    #[inline]
    pub(crate) const fn new(machine: M) -> Self {
        Self { machine }
    }
}

impl<T, M: Machine<Output = Option<T>>> Machine for Retry<M> {
    type Output = T;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        loop {
            if let Some(answer) = self.machine.try_sample(bits)? {
                return Ok(answer);
            }
        }
    }
}
