use alloc::collections::BTreeMap;
use core::cell::RefCell;

use crate::bits::BitSource;
use crate::combinators::{FromFn, Halted, from_fn};
use crate::machine::Machine;

/// One uniform number U, known by the binary digits that were looked at: the geometric bag of Flajolet, Pelletier and Soria.
///
/// - Answers: digit J of U, for J geometric: the first heads is on flip J. A digit is drawn when it is first looked at, and
///   kept; J may be any number, and all digits are there, however far out.
/// - Law: Σ 2^-J·digit(J) = U, so flips of a coin of probability U, the same U for all flips.
/// - Expected fair bits: 2 for J, and 1 for a digit that is new: 3 for the first flip. After n flips Σ_j 1 − (1 − 2^-j)^n
///   digits have been drawn, 1, 5/3, 15/7 for n = 1, 2, 3.
/// - Tail: exponential, for each flip.
/// - Refuses: nothing. It is lent by [`integrate_bag`] and cannot be built or kept elsewhere: outside, its flips would be taken
///   for independent ones.
///
/// ```compile_fail
/// let escaped = buffon::Bag::default();
/// ```
#[derive(Debug)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Bag {
    digits: RefCell<BTreeMap<u64, bool>>,
}

impl Bag {
    pub(super) const fn new() -> Self {
        Self { digits: RefCell::new(BTreeMap::new()) }
    }
}

impl Machine for Bag {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let place = bits.try_tails()?;
        if let Some(&digit) = self.digits.borrow().get(&place) {
            return Ok(digit);
        }
        let digit = bits.try_bit()?;
        self.digits.borrow_mut().insert(place, digit);
        Ok(digit)
    }
}

/// Samples `f` with a uniform number U, which it may flip as often as it likes, as [`integrate`](super::integrate) does, but
/// by the geometric bag.
///
/// - Answers, law, tail, refusals: those of [`integrate`](super::integrate) with the uniform law.
/// - Expected fair bits: 2 for each flip of `u` and 1 for each new digit; always more than the urn's.
/// - Source: Flajolet, Pelletier, Soria 2011, §4.
///
/// [`Integrand::bags`](super::Integrand::bags) is the form whose law is known.
///
/// ```
/// use buffon::{Coin, Machine, Script, integrate_bag};
/// let third = integrate_bag(|u, bits| u.then(u).try_sample(bits)); // E U² = 1/3
/// // Digit 1 is heads; then digit 1 again, which is known.
/// assert_eq!(third.try_sample(&mut Script::from_str("HHH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn integrate_bag<T, F>(
    f: F,
) -> FromFn<impl Fn(&mut dyn BitSource<Error = Halted>) -> Result<T, Halted> + Clone>
where
    F: Fn(&Bag, &mut dyn BitSource<Error = Halted>) -> Result<T, Halted> + Clone,
{
    from_fn(move |bits: &mut dyn BitSource<Error = Halted>| f(&Bag::new(), bits))
}
