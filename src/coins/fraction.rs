use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use typenum::{IsLessOrEqual, Len, NonZero, True, Unsigned};

use crate::bits::{BitSource, try_leading};
use crate::machine::Machine;
use crate::ratio::Leading;

/// A coin of probability N/D that is known to the compiler, with typenum's numbers: a value without size.
///
/// - Answers: as [`Rational`](crate::Rational) N/D, bit for bit.
/// - Law: P(heads) = N/D.
/// - Expected fair bits and tail: those of [`Rational`](crate::Rational).
/// - Refuses: N > D and D = 0 do not compile; nor does a D of more than 64 bits.
/// - Source: as [`Rational`](crate::Rational).
///
/// ```
/// use buffon::{Coin, Fraction, Script};
/// use typenum::{U1, U3};
/// let third = Fraction::<U1, U3>::new();
/// assert_eq!(size_of_val(&third), 0);
/// assert_eq!(third.try_flip(&mut Script::from_str("TH")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A number above one is refused by the bound `N: IsLessOrEqual<D, Output = True>`; the compiler says that it expected
/// `B1` (true) and found `B0` (false):
///
/// ```compile_fail
/// use buffon::Fraction;
/// use typenum::{U3, U4};
/// let coin = Fraction::<U4, U3>::new();
/// ```
#[must_use = "a machine does nothing until it is sampled"]
pub struct Fraction<N, D> {
    of: PhantomData<fn() -> (N, D)>,
}

impl<N, D> Fraction<N, D>
where
    N: Unsigned + IsLessOrEqual<D, Output = True>,
    D: Unsigned + NonZero + Len,
    D::Output: Unsigned,
{
    /// The coin of probability N/D.
    #[inline]
    pub const fn new() -> Self {
        const { assert!(<D as Len>::Output::U32 <= 64, "the denominator must be below 2^64") };
        Self { of: PhantomData }
    }
}

impl<N, D> Default for Fraction<N, D>
where
    N: Unsigned + IsLessOrEqual<D, Output = True>,
    D: Unsigned + NonZero + Len,
    D::Output: Unsigned,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<N, D> Clone for Fraction<N, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N, D> Copy for Fraction<N, D> {}

impl<N: Unsigned, D: Unsigned> Debug for Fraction<N, D> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Fraction({}/{})", N::U64, D::U64)
    }
}

impl<N, D> PartialEq for Fraction<N, D> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<N, D> Eq for Fraction<N, D> {}

impl<N, D> Hash for Fraction<N, D> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<N: Unsigned, D: Unsigned> Fraction<N, D> {
    /// Known to the compiler, so that a flip computes no digit.
    pub(crate) const FIRST: Leading = Leading::new(N::U64 as u128, D::U64 as u128);
}

impl<N: Unsigned, D: Unsigned> Machine for Fraction<N, D> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        if bits.answers_ratios() {
            return bits.try_ratio(N::U64, D::U64);
        }
        try_leading(&Self::FIRST, &N::U64, &D::U64, bits)
    }
}
