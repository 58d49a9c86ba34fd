use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use crate::bits::BitSource;
use crate::machine::Machine;

/// A machine that is built anew for each sample and sampled several times in a row. Made by [`in_a_row`].
#[derive(Clone, Copy)]
pub struct InARow<F> {
    build: F,
    times: usize,
}

impl<F> Debug for InARow<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("InARow").field("times", &self.times).finish_non_exhaustive()
    }
}

/// The machine of the first `times` answers of a machine that may remember: each sample builds a new one by `build`.
///
/// Law: the joint law of the answers. A machine without memory has the product law, for which [`Each`](super::Each) is the
/// target. A source with memory is put between in the same way, by [`from_fn`](crate::from_fn()).
///
/// ```
/// use buffon::{explore, explore::{Each, in_a_row}, from_fn};
/// use std::cell::Cell;
/// // A coin that flips once and remembers: each flip alone is fair, two of them are not independent.
/// let memo = || {
///     let known = Cell::new(None);
///     from_fn(move |bits| {
///         let flip = if let Some(flip) = known.get() { flip } else { bits.try_bit()? };
///         known.set(Some(flip));
///         Ok(flip)
///     })
/// };
/// let half = num_rational::BigRational::new(1.into(), 2.into());
/// assert!(explore(&in_a_row(memo, 1), 4).against(&Each(half.clone())).is_ok());
/// let refusal = explore(&in_a_row(memo, 2), 4).against(&Each(half)).unwrap_err();
/// assert_eq!(refusal.to_string(), "P([true, true]) is at least 1/2 after prefix H, target 1/4");
/// ```
pub const fn in_a_row<M: Machine, F: Fn() -> M>(build: F, times: usize) -> InARow<F> {
    InARow { build, times }
}

impl<M: Machine, F: Fn() -> M> Machine for InARow<F> {
    type Output = Vec<M::Output>;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Self::Output, B::Error> {
        let machine = (self.build)();
        (0..self.times).map(|_| machine.try_sample(bits)).collect()
    }
}
