//! What is known of a family of coins: their probabilities, their costs, and how long its run goes on.

use core::fmt::{self, Debug, Formatter};
use core::num::NonZeroU64;

use num_rational::BigRational;
use num_traits::One;

use super::bracket::Bracket;
use super::coins::heads;
use super::cost::Cost;
use super::error::LawError;
use super::known::KnownLaw;
use super::outcomes::Law;
use super::series;
use super::tail::Tail;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::combinators::{Family, Same};

/// A [`Family`] whose coins have known laws; so [`run`](crate::run()) and [`parity_of_run`](crate::parity_of_run()) of it have.
///
/// Every closure `Fn(NonZeroU64) -> C` is one, if C is a coin of known law. Its *probabilities* are then known rigorously
/// without more being said: the partial sums of 1 − p₁ + p₁p₂ − … lie in turn above and below the sum. Its *cost*
/// Σ p₁…pₙ₋₁·cₙ is not, since no number of terms says anything of those that follow: the upper end stays open, and
/// [`try_expected_bits`](KnownLaw::try_expected_bits) is [`UnboundedCost`](LawError::UnboundedCost). What is missing is a
/// declaration, [`bits_after`](Self::bits_after), made by [`non_increasing`], by [`with_bits_after`], or by the family's own
/// type, as [`Reciprocals`](crate::Reciprocals) does. [`check_declaration`] checks it, coin by coin.
///
/// ```
/// use buffon::{KnownLaw, LawError, OneOver, Reciprocals, law::non_increasing, parity_of_run};
///
/// // 1/e, three times: the law is known of each, the cost where the family says how it goes on.
/// let opaque = parity_of_run(OneOver::new);
/// let declared = parity_of_run(non_increasing(OneOver::new));
/// let named = parity_of_run(Reciprocals);
/// assert_eq!(opaque.probability(100), named.probability(100));
/// assert!(matches!(opaque.try_expected_bits(20), Err(LawError::UnboundedCost { .. })));
/// assert!(declared.expected_bits(20).low() > &num_rational::BigRational::new(235.into(), 100.into()));
/// assert!(named.expected_bits(20).high() < &num_rational::BigRational::new(236.into(), 100.into()));
/// ```
pub trait KnownFamily: Family {
    /// P(heads) of coin `n`, at a working precision.
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::law_at`].
    fn heads_at(&self, n: NonZeroU64, places: u32) -> Result<Bracket, LawError>;

    /// The expected fair bits of coin `n`, at a working precision.
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::cost_at`].
    fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError>;

    /// The class of the tail of coin `n`.
    fn tail_of(&self, n: NonZeroU64) -> Tail;

    /// A bound of the expected fair bits of every coin of the family at once.
    fn ceiling(&self) -> Option<BigRational> {
        None
    }

    /// Whether all its coins have one exponential tail: P(coin n takes more than k bits) ≤ C·ρ^k, with one C and one ρ < 1.
    ///
    /// A [`ceiling`](KnownLaw::ceiling) of the coins' type says so too; a ceiling that is declared of their mean does not.
    fn has_one_tail(&self) -> bool {
        false
    }

    /// A declaration: an upper bound g(n) of the fair bits that a run is expected to cost yet, once its first `n` coins are
    /// heads. `None` where nothing is declared, perhaps not yet for so small an `n`.
    ///
    /// It must satisfy g(n) ≥ cₙ₊₁ + pₙ₊₁·g(n + 1) from the first n on at which it is declared. Applied again and again, that
    /// is g(n) ≥ cₙ₊₁ + pₙ₊₁·cₙ₊₂ + pₙ₊₁pₙ₊₂·cₙ₊₃ + …, so the bound is true.
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::law_at`].
    fn bits_after(&self, _n: u64, _places: u32) -> Result<Option<BigRational>, LawError> {
        Ok(None)
    }

    /// Whether what is declared holds at the step from `n` to `n + 1`, as far as the working precision tells:
    /// `Some(false)` is a proof that it does not. See [`check_declaration`].
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::law_at`].
    fn upholds(&self, n: u64, places: u32) -> Result<Option<bool>, LawError> {
        series::upholds(self, n, places)
    }

    /// P(the run is even), at a working precision.
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::law_at`].
    fn parity_at(&self, places: u32) -> Result<Bracket, LawError> {
        series::parity(places, |n| self.heads_at(n, places))
    }

    /// The law of the length of the run, at a working precision.
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::law_at`].
    fn run_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        series::run(places, |n| self.heads_at(n, places))
    }

    /// The expected fair bits of the run, at a working precision.
    ///
    /// # Errors
    ///
    /// As [`KnownLaw::cost_at`].
    fn run_bits_at(&self, places: u32) -> Result<Cost, LawError> {
        series::cost(
            places,
            |n| Ok((self.heads_at(n, places)?, self.bits_at(n, places)?)),
            |n| self.bits_after(n, places),
        )
    }

    /// The class of the tail of the run.
    fn run_tail(&self) -> Tail {
        series::tail(self, Tail::FiniteMean)
    }

    /// The [`ceiling`](KnownLaw::ceiling) of the run of any family of this type.
    #[must_use]
    fn run_ceiling() -> Option<u64> {
        None
    }
}

impl<C: KnownLaw + Coin, F: Fn(NonZeroU64) -> C> KnownFamily for F {
    fn heads_at(&self, n: NonZeroU64, places: u32) -> Result<Bracket, LawError> {
        heads(&self(n), places)
    }

    fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        self(n).cost_at(places)
    }

    fn tail_of(&self, n: NonZeroU64) -> Tail {
        self(n).tail()
    }

    fn ceiling(&self) -> Option<BigRational> {
        C::ceiling().map(|bits| BigRational::from_integer(bits.into()))
    }

    fn has_one_tail(&self) -> bool {
        C::ceiling().is_some()
    }
}

/// One coin again and again: the geometric law, in closed form.
impl<C: KnownLaw + Coin> KnownFamily for Same<C> {
    fn heads_at(&self, _: NonZeroU64, places: u32) -> Result<Bracket, LawError> {
        let p = heads(&self.coin, places)?;
        if p.low().is_one() {
            return Err(LawError::NeverHalts);
        }
        // While p may be 1, the run may have no end; a run that ends is told from it by a higher precision.
        if p.high().is_one() { Err(LawError::Undecided) } else { Ok(p) }
    }

    fn bits_at(&self, _: NonZeroU64, places: u32) -> Result<Cost, LawError> {
        self.coin.cost_at(places)
    }

    fn tail_of(&self, _: NonZeroU64) -> Tail {
        self.coin.tail()
    }

    fn has_one_tail(&self) -> bool {
        self.coin.tail() <= Tail::Exponential
    }

    fn bits_after(&self, _: u64, places: u32) -> Result<Option<BigRational>, LawError> {
        Ok(self.run_bits_at(places)?.high().cloned())
    }

    fn parity_at(&self, places: u32) -> Result<Bracket, LawError> {
        let p = self.heads_at(NonZeroU64::MIN, places)?;
        let even = Bracket::one().over(&Bracket::one().plus(&p)).ok_or(LawError::Undecided)?;
        Ok(even.rounded(places))
    }

    fn run_at(&self, places: u32) -> Result<Law<u64>, LawError> {
        let p = self.heads_at(NonZeroU64::MIN, places)?;
        series::run(places, |_| Ok(p.clone()))
    }

    fn run_bits_at(&self, places: u32) -> Result<Cost, LawError> {
        let tails = self.heads_at(NonZeroU64::MIN, places)?.complement();
        Ok(self.coin.cost_at(places)?.over(&tails).rounded(places))
    }

    fn run_tail(&self) -> Tail {
        match self.heads_at(NonZeroU64::MIN, 64) {
            Ok(p) if p.is_zero() => self.coin.tail(),
            Ok(_) => self.coin.tail().repeated(true),
            Err(_) => Tail::MayNeverEnd,
        }
    }
}

/// A family that declares that its probabilities do not increase, from the first coin on.
///
/// Then pₙ₊₁ bounds all that follow, and a run that has come to n heads is expected to cost at most C/(1 − pₙ₊₁) bits more,
/// where C is the [`ceiling`](KnownFamily::ceiling) of the coins' costs. Without a ceiling, or where pₙ₊₁ may be 1, nothing
/// follows from it. C is that of the coins' type, or declared by [`costing_at_most`](NonIncreasing::costing_at_most). See
/// [`KnownFamily`] for an example.
pub const fn non_increasing<F: KnownFamily>(family: F) -> NonIncreasing<F> {
    non_increasing_from(NonZeroU64::MIN, family)
}

/// The same from coin number `from` on: p_from ≥ p_(from + 1) ≥ …
pub const fn non_increasing_from<F: KnownFamily>(from: NonZeroU64, family: F) -> NonIncreasing<F> {
    NonIncreasing { family, from, ceiling: None }
}

/// Created by [`non_increasing`] and [`non_increasing_from`]. See their documentation for more.
#[derive(Clone, Copy)]
pub struct NonIncreasing<F> {
    family: F,
    from: NonZeroU64,
    ceiling: Option<u64>,
}

impl<F> NonIncreasing<F> {
    /// Declares also that every coin costs at most so many expected bits, where their type has no
    /// [`ceiling`](KnownLaw::ceiling).
    #[must_use]
    pub const fn costing_at_most(mut self, bits: u64) -> Self {
        self.ceiling = Some(bits);
        self
    }
}

/// A family that declares its cost: `bits(n)` bounds the fair bits that a run is expected to cost yet after `n` heads, or is
/// `None` where nothing is said.
///
/// For a series that does not converge geometrically, so that [`non_increasing`] is not true of it or says nothing.
///
/// ```
/// use buffon::{Coin, KnownLaw, OneOver, law::{check_declaration, with_bits_after}, parity_of_run};
/// use num_rational::{BigRational, Ratio};
/// use std::num::NonZeroU64;
///
/// // (n/(n + 1))², whose products are 1/(n + 1)²: the parity has the probability π²/12. A coin costs at most 4 bits, so after
/// // n heads 4(n + 1)²·(1/(n + 1)² + 1/(n + 2)² + …) bits are enough, and the sum is at most 1/(n + 1)² + 1/(n + 1).
/// let ratio = |n: NonZeroU64| OneOver::new(n.saturating_add(1)).not();
/// let family = with_bits_after(
///     |n| ratio(n).then(ratio(n)),
///     |n| Some(BigRational::from_integer((4 * (n + 2)).into())),
/// );
/// assert_eq!(check_declaration(&family, 1000), Ok(()));
/// let bits = parity_of_run(family).expected_bits(4);
/// assert!(bits.width() <= Ratio::new(1.into(), 16.into()));
/// ```
pub const fn with_bits_after<F, G>(family: F, bits: G) -> WithBitsAfter<F, G>
where
    F: KnownFamily,
    G: Fn(u64) -> Option<BigRational>,
{
    WithBitsAfter { family, bits }
}

/// Created by [`with_bits_after`]. See its documentation for more.
#[derive(Clone, Copy)]
pub struct WithBitsAfter<F, G> {
    family: F,
    bits: G,
}

/// Checks what a family declares, for the steps from 0, 1, … `steps` − 1 heads to one more: exactly, by rationals.
///
/// It checks that g(n) ≥ cₙ₊₁ + pₙ₊₁·g(n + 1) for the g of [`bits_after`](KnownFamily::bits_after), and of
/// [`non_increasing`] that pₙ₊₁ ≥ pₙ₊₂. It cannot check what is declared of coins beyond.
///
/// # Errors
///
/// [`FalseDeclaration`](LawError::FalseDeclaration) with the number of heads at which it fails,
/// [`UnboundedCost`](LawError::UnboundedCost) if nothing at all is declared up to there, or what the laws of the coins give.
pub fn check_declaration<F: KnownFamily>(family: &F, steps: u64) -> Result<(), LawError> {
    series::check(family, steps)
}

/// Flips as the family within, and has its coins.
macro_rules! wraps {
    ($name:ident<F $(, $more:ident)?>) => {
        impl<F: Family $(, $more)?> Family for $name<F $(, $more)?> {
            #[inline]
            fn try_flip_nth<B: BitSource + ?Sized>(
                &self,
                n: NonZeroU64,
                bits: &mut B,
            ) -> Result<bool, B::Error> {
                self.family.try_flip_nth(n, bits)
            }
        }

        impl<F: Debug $(, $more)?> Debug for $name<F $(, $more)?> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("family", &self.family).finish_non_exhaustive()
            }
        }
    };
}

wraps!(NonIncreasing<F>);
wraps!(WithBitsAfter<F, G>);

/// The answers about the coins, from the family within.
macro_rules! coins_of_the_family {
    () => {
        fn heads_at(&self, n: NonZeroU64, places: u32) -> Result<Bracket, LawError> {
            self.family.heads_at(n, places)
        }

        fn bits_at(&self, n: NonZeroU64, places: u32) -> Result<Cost, LawError> {
            self.family.bits_at(n, places)
        }

        fn tail_of(&self, n: NonZeroU64) -> Tail {
            self.family.tail_of(n)
        }

        fn has_one_tail(&self) -> bool {
            self.family.has_one_tail()
        }
    };
}

impl<F: KnownFamily> KnownFamily for NonIncreasing<F> {
    coins_of_the_family!();

    fn ceiling(&self) -> Option<BigRational> {
        let declared = self.ceiling.map(|bits| BigRational::from_integer(bits.into()));
        declared.or_else(|| self.family.ceiling())
    }

    fn bits_after(&self, n: u64, places: u32) -> Result<Option<BigRational>, LawError> {
        let next = NonZeroU64::MIN.saturating_add(n);
        let (Some(ceiling), true) = (self.ceiling(), next >= self.from) else { return Ok(None) };
        let p = self.heads_at(next, places)?;
        let geometric = Bracket::exact(ceiling).over(&p.complement());
        Ok(geometric.map(|bits| bits.high().clone()))
    }

    fn upholds(&self, n: u64, places: u32) -> Result<Option<bool>, LawError> {
        let next = NonZeroU64::MIN.saturating_add(n);
        if next < self.from {
            return Ok(Some(true));
        }
        let (p, q) = (self.heads_at(next, places)?, self.heads_at(next.saturating_add(1), places)?);
        if q.low() > p.high() {
            return Ok(Some(false));
        }
        // Then C/(1 − p) >= C + p·C/(1 − p) >= c + p·C/(1 − q): what is declared follows.
        let costs = series::within_ceiling(self, next, places)?;
        Ok(if q.high() <= p.low() { costs } else { None })
    }

    fn run_tail(&self) -> Tail {
        // Where a bound is declared the ratios are at most p < 1 from there on. Of the coins' tails it says nothing.
        let one_tail = self.has_one_tail();
        series::tail(self, if one_tail { Tail::Exponential } else { Tail::FiniteMean })
    }
}

impl<F: KnownFamily, G: Fn(u64) -> Option<BigRational>> KnownFamily for WithBitsAfter<F, G> {
    coins_of_the_family!();

    fn ceiling(&self) -> Option<BigRational> {
        self.family.ceiling()
    }

    fn bits_after(&self, n: u64, _: u32) -> Result<Option<BigRational>, LawError> {
        Ok((self.bits)(n))
    }
}
