use core::cell::Cell;
use core::fmt::{self, Debug, Formatter};

use crate::bits::{BitSource, try_wide};
use crate::combinators::{Halted, latched};
use crate::error::ParameterError;
use crate::machine::Machine;

/// The law of a number in [0, 1]: Beta(a, b) for rational a, b > 0. Beta(1, 1) is the uniform law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Beta {
    a: u32,
    b: u32,
    den: u32,
}

impl Beta {
    /// The uniform law, Beta(1, 1).
    pub const UNIFORM: Self = Self { a: 1, b: 1, den: 1 };

    /// The arcsine law, Beta(1/2, 1/2).
    pub const ARCSINE: Self = Self { a: 1, b: 1, den: 2 };

    /// Beta(a/den, b/den).
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooSmall`](ParameterError::TooSmall) if one of
    /// the others is.
    pub const fn new(a: u32, b: u32, den: u32) -> Result<Self, ParameterError> {
        if den == 0 {
            return Err(ParameterError::ZeroDenominator);
        }
        if a == 0 || b == 0 {
            return Err(ParameterError::TooSmall);
        }
        Ok(Self { a, b, den })
    }
}

/// One number U of a [`Beta`] law, known only by its flips: a coin of probability U, the same U for all flips.
///
/// - Answers: heads with probability (a + s)/(a + b + s + t), after s heads and t tails: Pólya's urn.
/// - Law: that of flips of one coin whose probability has the law Beta(a, b) (de Finetti 1937). Indeed the flips with s heads
///   and t tails in any order have probability B(a + s, b + t)/B(a, b) = ∫ u^s(1 − u)^t dBeta(u).
/// - Expected fair bits: that of a rational coin, at most 2 for each flip; 1 for the first of a uniform one.
/// - Tail: exponential, for each flip.
/// - Refuses: nothing. It is lent by [`integrate`] and cannot be built or kept elsewhere.
#[derive(Debug)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Urn {
    heads: Cell<u128>,
    all: Cell<u128>,
    den: u32,
}

impl Urn {
    pub(super) const fn new(law: Beta) -> Self {
        let (a, b) = (law.a as u128, law.b as u128);
        Self { heads: Cell::new(a), all: Cell::new(a + b), den: law.den }
    }

    /// The number after so many heads among so many flips.
    #[cfg(feature = "exact")]
    pub(super) fn after(law: Beta, (heads, flips): (u64, u64)) -> Self {
        let urn = Self::new(law);
        let add = |of: &Cell<u128>, n: u64| of.set(of.get() + u128::from(n) * u128::from(law.den));
        add(&urn.heads, heads);
        add(&urn.all, flips);
        urn
    }

    /// How many heads came, among how many flips: the counts that [`after`](Self::after) begins with.
    #[cfg(feature = "exact")]
    pub(super) fn counts(&self, law: Beta) -> (u64, u64) {
        let count = |of: &Cell<u128>, from: u128| {
            u64::try_from((of.get() - from) / u128::from(law.den)).unwrap_or(u64::MAX)
        };
        let (a, b) = (u128::from(law.a), u128::from(law.b));
        (count(&self.heads, a), count(&self.all, a + b))
    }
}

impl Machine for Urn {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let (heads, all) = (self.heads.get(), self.all.get());
        let answer = try_wide(&heads, &all, bits)?;
        // 2^96 flips of one number are out of reach, so the sums are below 2^128.
        self.all.set(all + u128::from(self.den));
        if answer {
            self.heads.set(heads + u128::from(self.den));
        }
        Ok(answer)
    }
}

/// Samples `f` with a number U of the given law, which it may flip as often as it likes.
///
/// - Answers: what the closure answers. `u` is a coin inside it and composes like any other; each sample has its own U.
/// - Law: E f(U), the mean over U of the law that the closure has for U = u.
/// - Expected fair bits: those of the flips, at most 2 for each flip of `u`. A mean that is finite for every u may be infinite
///   over U: the run of heads of u has mean u/(1 − u), and over a uniform U none.
/// - Tail: that of the closure, over U.
/// - Refuses: nothing. Law and cost are not told, since nothing is known of a closure: an
///   [`Integrand`](super::Integrand) makes the same machine with both.
/// - Source: Flajolet, Pelletier, Soria 2011, §4, with de Finetti's urn in place of their geometric bag.
///
/// ```
/// use buffon::{Beta, Coin, Machine, Script, explore, integrate};
/// // E U² = 1/3: two flips of one number are both heads.
/// let third = integrate(Beta::UNIFORM, |u, bits| u.then(u).try_sample(bits));
/// let tree = explore(&third, 20);
/// assert_eq!(tree.mass(&true) + tree.mass(&false) + tree.open(), num_rational::BigRational::from_integer(1.into()));
/// assert_eq!(third.try_sample(&mut Script::from_str("HH")?), Ok(true)); // 1/2, then 2/3 = 0.10…
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The number cannot leave the closure, where its flips would be taken for independent ones:
///
/// ```compile_fail
/// use buffon::{Beta, integrate};
/// let escaped = integrate(Beta::UNIFORM, |u, _| Ok(u));
/// ```
#[inline]
pub const fn integrate<T, F>(law: Beta, f: F) -> Integrate<F>
where
    F: Fn(&Urn, &mut dyn BitSource<Error = Halted>) -> Result<T, Halted>,
{
    Integrate { law, f }
}

/// Created by [`integrate`]. See its documentation for more.
#[derive(Clone, Copy)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Integrate<F> {
    law: Beta,
    f: F,
}

impl<F> Debug for Integrate<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Integrate").field("law", &self.law).finish_non_exhaustive()
    }
}

impl<T, F> Machine for Integrate<F>
where
    F: Fn(&Urn, &mut dyn BitSource<Error = Halted>) -> Result<T, Halted>,
{
    type Output = T;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<T, B::Error> {
        latched(bits, |bits| (self.f)(&Urn::new(self.law), bits))
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::bits::Script;

    #[test]
    fn counts_above_64_bits_are_exact() -> Result<(), alloc::boxed::Box<dyn core::error::Error>> {
        // (2^80 + 1)/2^81 = 0.10…01: the digits 1, 79 zeros, and 1.
        let urn = Urn { heads: Cell::new((1 << 80) + 1), all: Cell::new(1 << 81), den: 1 };
        let flips = alloc::string::String::from("T").repeat(80) + "H";
        assert_eq!(urn.try_sample(&mut Script::from_str(&flips)?), Ok(true));
        assert_eq!((urn.heads.get(), urn.all.get()), ((1 << 80) + 2, (1 << 81) + 1));
        Ok(())
    }
}
