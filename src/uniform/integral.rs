use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::ops::ControlFlow;

#[cfg(feature = "alloc")]
use super::bag::Bag;
use super::integrands::{Both, Complement, Exponential, Reciprocal, Root};
use super::urn::{Beta, Urn};
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::error::ParameterError;
use crate::machine::Machine;

/// A function of numbers that are known only by their flips, as a coin that is flipped step by step.
///
/// What a step does is written once, for any kind of number: [`urns`](Self::urns) and [`bags`](Self::bags) make machines of it
/// that have the same law at different costs. And since a step shows where it leads, laws are known where a closure given to
/// [`integrate`](super::integrate) hides them: see [`KnownIntegrand`](super::KnownIntegrand).
///
/// | integrand | function |
/// |---|---|
/// | [`Monomial::new(c, n)`](super::Monomial) | w = (c·u₁u₂…)ⁿ, c a coin |
/// | [`f.not()`](Self::not) | 1 − f |
/// | [`f.then(g)`](Self::then) | fg |
/// | [`f.one_over_one_plus()`](Self::one_over_one_plus) | 1/(1 + f) |
/// | [`f.exp_minus()`](Self::exp_minus) | exp(−f) |
/// | [`f.to_the(num, den)`](Self::to_the) | f^(num/den), for an exponent in [0, 1] |
///
/// An integrand of one's own is a struct and one method:
///
/// ```
/// use buffon::uniform::{Integrand, KnownIntegrand};
/// use buffon::{Beta, BitSource, Coin, KnownLaw};
/// use core::ops::ControlFlow::{self, Break};
///
/// /// u(1 − u), by two flips that differ.
/// struct Differ;
///
/// impl Integrand for Differ {
///     type State = ();
///     fn start(&self) {}
///     fn try_step<U: Coin, B: BitSource + ?Sized>(
///         &self, (): (), u: &[U], bits: &mut B,
///     ) -> Result<ControlFlow<bool, ()>, B::Error> {
///         let [u, ..] = u else { return Ok(Break(false)) };
///         Ok(Break(u.then(u.not()).try_flip(bits)?))
///     }
/// }
/// impl KnownIntegrand for Differ {}
///
/// let sixth = Differ.urns([Beta::UNIFORM]);
/// assert_eq!(sixth.probability(64).to_string(), "1/6");
/// assert_eq!(sixth.expected_bits(64).to_string(), "2"); // 1, and 2 after heads
/// ```
pub trait Integrand {
    /// What is known between two steps, besides the flips of the numbers.
    type State: Clone + Ord;

    /// Where it begins.
    fn start(&self) -> Self::State;

    /// One step: an answer, or where to go on. It should take few flips, so that its law is known after few.
    ///
    /// # Errors
    ///
    /// The source's own error.
    fn try_step<U: Coin, B: BitSource + ?Sized>(
        &self,
        state: Self::State,
        numbers: &[U],
        bits: &mut B,
    ) -> Result<ControlFlow<bool, Self::State>, B::Error>;

    /// 1 − f: the other answer.
    fn not(self) -> Complement<Self>
    where
        Self: Sized,
    {
        Complement(self)
    }

    /// The product fg: both are heads, `other` being flipped after heads only, with the same numbers.
    fn then<G: Integrand>(self, other: G) -> Both<Self, G>
    where
        Self: Sized,
    {
        Both(self, other)
    }

    /// 1/(1 + f), by the rounds of [`one_over_one_plus`](crate::factories::one_over_one_plus).
    fn one_over_one_plus(self) -> Reciprocal<Self>
    where
        Self: Sized,
    {
        Reciprocal(self)
    }

    /// exp(−f), by the rounds of [`exp_minus_of`](crate::factories::exp_minus_of).
    fn exp_minus(self) -> Exponential<Self>
    where
        Self: Sized,
    {
        Exponential(self)
    }

    /// f^(num/den), by the hazards of [`to_the`](crate::factories::to_the).
    ///
    /// # Errors
    ///
    /// [`ZeroDenominator`](ParameterError::ZeroDenominator) if `den` is zero, [`TooLarge`](ParameterError::TooLarge) if the
    /// exponent is above 1. With the exponent 0 it is certain, as f⁰ = 1 where f is 0 too.
    fn to_the(self, num: u32, den: u32) -> Result<Root<Self>, ParameterError>
    where
        Self: Sized,
    {
        Root::new(self, num, den)
    }

    /// The mean of f over numbers of these laws, each an urn.
    ///
    /// See [`Integral`].
    fn urns<const K: usize>(self, laws: [Beta; K]) -> Integral<Self, Urn, K>
    where
        Self: Sized,
    {
        Integral { laws, integrand: self, of: PhantomData }
    }

    /// The mean of f over K uniform numbers, each a geometric bag: the law of [`urns`](Self::urns) at a greater cost.
    ///
    /// See [`Integral`].
    #[cfg(feature = "alloc")]
    fn bags<const K: usize>(self) -> Integral<Self, Bag, K>
    where
        Self: Sized,
    {
        Integral { laws: [Beta::UNIFORM; K], integrand: self, of: PhantomData }
    }
}

/// Made by [`Integrand::urns`] and [`Integrand::bags`]: the mean of an [`Integrand`] over K independent numbers.
///
/// - Answers: that of the integrand's last step. Each sample has numbers of its own, which its steps share.
/// - Law: E f(U₁, …, U_K). For the integrands of this crate it is known by algebra: the mass of each state and each count of
///   heads and tails is followed from step to step.
/// - Expected fair bits: what the steps flip. A flip of an [`Urn`] costs at most 2 bits and of a [`Bag`](super::Bag) 2 and
///   each new digit; those of urns are known by algebra, for bags a lower bound.
/// - Tail: that of a step, at best exponential, if the bits that are expected yet are bounded whatever came before. A mean
///   that is finite for every u may be infinite over U.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, Theorem 4.1, with de Finetti's urns for the bags.
///
/// ```
/// use buffon::uniform::{Integrand, Monomial};
/// use buffon::{Always, Beta, Coin, KnownLaw, Script};
/// let ln_2 = Monomial::new(Always, 1).one_over_one_plus().urns([Beta::UNIFORM]);
/// assert_eq!(format!("{:.12}", ln_2.probability(60)), "0.693147180559…");
/// assert_eq!(format!("{:.12}", ln_2.expected_bits(60)), "2.251476116735…");
/// assert_eq!(ln_2.try_flip(&mut Script::from_str("TH")?), Ok(false)); // a fair tails, then heads of u
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a machine does nothing until it is sampled"]
pub struct Integral<F, U, const K: usize> {
    pub(super) laws: [Beta; K],
    pub(super) integrand: F,
    of: PhantomData<fn() -> U>,
}

impl<F, U, const K: usize> Integral<F, U, K> {
    /// The function, to be integrated over other numbers.
    #[must_use]
    pub fn integrand(self) -> F {
        self.integrand
    }
}

impl<F: Clone, U, const K: usize> Clone for Integral<F, U, K> {
    fn clone(&self) -> Self {
        Self { laws: self.laws, integrand: self.integrand.clone(), of: PhantomData }
    }
}

impl<F: Copy, U, const K: usize> Copy for Integral<F, U, K> {}

impl<F: Debug, U, const K: usize> Debug for Integral<F, U, K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (laws, integrand) = (&self.laws, &self.integrand);
        f.debug_struct("Integral").field("laws", laws).field("integrand", integrand).finish()
    }
}

/// Step by step to the answer.
#[inline]
fn try_all_steps<F: Integrand, U: Coin, B: BitSource + ?Sized>(
    integrand: &F,
    numbers: &[U],
    bits: &mut B,
) -> Result<bool, B::Error> {
    let mut state = integrand.start();
    loop {
        match integrand.try_step(state, numbers, bits)? {
            ControlFlow::Break(answer) => return Ok(answer),
            ControlFlow::Continue(next) => state = next,
        }
    }
}

impl<F: Integrand, const K: usize> Machine for Integral<F, Urn, K> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        try_all_steps(&self.integrand, &self.laws.map(Urn::new), bits)
    }
}

#[cfg(feature = "alloc")]
impl<F: Integrand, const K: usize> Machine for Integral<F, Bag, K> {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        try_all_steps(&self.integrand, &self.laws.map(|_| Bag::new()), bits)
    }
}
