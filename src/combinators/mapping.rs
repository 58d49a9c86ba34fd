use super::debug_fields;
use crate::bits::BitSource;
use crate::machine::Machine;

/// A struct of a machine and a closure.
macro_rules! machine_and_closure {
    ($name:ident, $method:literal) => {
        #[doc = concat!("Created by [`Machine::", $method, "`]. See its documentation for more.")]
        #[derive(Clone, Copy)]
        #[must_use = "a machine does nothing until it is sampled"]
        pub struct $name<M, F> {
            pub(crate) machine: M,
            pub(crate) f: F,
        }

        impl<M, F> $name<M, F> {
            #[inline]
            pub(crate) const fn new(machine: M, f: F) -> Self {
                Self { machine, f }
            }
        }

        debug_fields!($name<M, F>, machine: M);
    };
}

machine_and_closure!(Map, "map");
machine_and_closure!(AndThen, "and_then");

impl<M: Machine, T, F: Fn(M::Output) -> T> Machine for Map<M, F> {
    type Output = T;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        Ok((self.f)(self.machine.try_sample(bits)?))
    }
}

impl<M: Machine, N: Machine, F: Fn(M::Output) -> N> Machine for AndThen<M, F> {
    type Output = N::Output;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<N::Output, B::Error> {
        (self.f)(self.machine.try_sample(bits)?).try_sample(bits)
    }
}
