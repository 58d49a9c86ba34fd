use alloc::sync::Arc;
use core::any::type_name;
use core::fmt::{self, Debug, Formatter};

use super::function::{Halted, latched};
use crate::bits::BitSource;
use crate::machine::Machine;

/// Created by [`Machine::erased`]. See its documentation for more.
#[must_use = "a machine does nothing until it is sampled"]
pub struct Erased<T> {
    machine: Arc<dyn Dispatch<T> + Send + Sync>,
}

impl<T> Erased<T> {
    pub(crate) fn new<M: Machine<Output = T> + Send + Sync + 'static>(machine: M) -> Self {
        Self { machine: Arc::new(machine) }
    }
}

/// The dyn-compatible twin of `Machine`: one error type for all sources.
trait Dispatch<T> {
    fn dispatch(&self, bits: &mut dyn BitSource<Error = Halted>) -> Result<T, Halted>;
    fn name(&self) -> &'static str;
}

impl<M: Machine> Dispatch<M::Output> for M {
    fn dispatch(&self, bits: &mut dyn BitSource<Error = Halted>) -> Result<M::Output, Halted> {
        self.try_sample(bits)
    }

    fn name(&self) -> &'static str {
        type_name::<M>()
    }
}

impl<T> Clone for Erased<T> {
    fn clone(&self) -> Self {
        Self { machine: Arc::clone(&self.machine) }
    }
}

impl<T> Debug for Erased<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Erased").field(&format_args!("{}", self.machine.name())).finish()
    }
}

impl<T> Machine for Erased<T> {
    type Output = T;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        latched(bits, |bits| self.machine.dispatch(bits))
    }
}
