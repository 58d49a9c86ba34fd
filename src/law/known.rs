use num_rational::BigRational;
use num_traits::Zero;

use super::bracket::Bracket;
use super::compile::Compiled;
use super::cost::Cost;
use super::error::LawError;
use super::outcomes::Law;
use super::tail::Tail;
use crate::coin::Coin;
use crate::combinators::{Condition, ParityOfRun, Retry, Run, Same};
use crate::machine::Machine;

/// A machine whose law and cost are known by algebra, to any precision.
///
/// Three methods are required, and the first two work at a *working precision*: they return what intermediate results of
/// about 2^-places give, the narrower the greater `places`, and correct at any. The provided methods raise the working
/// precision until the answer is as narrow as asked. The machines and combinators of this crate implement it, but for those that
/// run what they know nothing of, or only by running it: [`External`](crate::External), [`from_fn`](crate::from_fn()),
/// [`erased`](Machine::erased), [`integrate`](crate::integrate()) and its numbers, and the explorer's own.
///
/// ```
/// use buffon::{Bracket, Coin, KnownLaw, Rational};
/// let third = Rational::<u64>::new(1, 3)?;
/// let q = |a: i64, b: i64| Bracket::exact(num_rational::BigRational::new(a.into(), b.into()));
/// assert_eq!(third.then(third).probability(64), q(1, 9));
/// assert_eq!(third.then(third).expected_bits(64), q(8, 3));
/// # Ok::<(), buffon::ProbabilityError>(())
/// ```
pub trait KnownLaw: Machine {
    /// The law, at a working precision.
    ///
    /// # Errors
    ///
    /// A [`LawError`] where the law does not exist or cannot be told yet; [`Undecided`](LawError::Undecided) asks for
    /// a higher working precision.
    fn law_at(&self, places: u32) -> Result<Law<Self::Output>, LawError>;

    /// The expected fair bits, at a working precision.
    ///
    /// # Errors
    ///
    /// As [`law_at`](Self::law_at).
    fn cost_at(&self, places: u32) -> Result<Cost, LawError>;

    /// The class of the tail.
    fn tail(&self) -> Tail;

    /// A bound of the expected fair bits that holds for every machine of this *type* at once, if there is one: 2 for all
    /// coins by the first-heads rule. To give one is to say also that P(more than k bits) ≤ C·ρ^k with one C and one ρ < 1
    /// for them all.
    ///
    /// It bounds what cannot be listed: coin n of a [`KnownFamily`](crate::law::KnownFamily) for all large n, or what
    /// [`and_then`](Machine::and_then) goes on to after the rare outcomes of an endless law.
    #[must_use]
    fn ceiling() -> Option<u64> {
        None
    }

    /// P(outcome), at a working precision: of a law, too, that has too many outcomes to be listed, where a machine knows better.
    ///
    /// # Errors
    ///
    /// As [`law_at`](Self::law_at).
    ///
    /// ```
    /// use buffon::{Bracket, Die, KnownLaw};
    /// let die = Die::new(u64::MAX)?;
    /// assert!(die.law(64).is_err()); // too many sides
    /// assert_eq!(die.mass_at(&7, 64), Ok(Bracket::exact(num_rational::BigRational::new(1.into(), u64::MAX.into()))));
    /// # Ok::<(), buffon::ZeroSides>(())
    /// ```
    fn mass_at(&self, outcome: &Self::Output, places: u32) -> Result<Bracket, LawError>
    where
        Self::Output: PartialEq,
    {
        Ok(self.law_at(places)?.mass(outcome))
    }

    /// The law, with brackets and unlisted mass of at most 2^-precision in all.
    ///
    /// # Errors
    ///
    /// A [`LawError`] where that cannot be had.
    fn law(&self, precision: u32) -> Result<Law<Self::Output>, LawError> {
        refine(
            precision,
            |places| self.law_at(places),
            |law| Bracket::new(BigRational::default(), law.slack()).is_within(precision),
        )
    }

    /// P(heads), in a bracket of width at most 2^-precision.
    ///
    /// # Errors
    ///
    /// A [`LawError`] where that cannot be had.
    fn try_probability(&self, precision: u32) -> Result<Bracket, LawError>
    where
        Self: Machine<Output = bool>,
    {
        let heads = |places| Ok(self.law_at(places)?.heads());
        refine(precision, heads, |heads| heads.is_within(precision))
    }

    /// P(heads), in a bracket of width at most 2^-precision; exact where it is rational.
    ///
    /// # Panics
    ///
    /// Where [`try_probability`](Self::try_probability) is an error: the coin never answers, or its law cannot be told.
    #[track_caller]
    fn probability(&self, precision: u32) -> Bracket
    where
        Self: Machine<Output = bool>,
    {
        #[allow(clippy::panic, reason = "documented; the fallible form stands beside it")]
        self.try_probability(precision).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The expected fair bits, in a bracket of width at most 2^-precision.
    ///
    /// # Errors
    ///
    /// [`UnboundedCost`](LawError::UnboundedCost) where they are infinite or no upper bound can be proved, or another
    /// [`LawError`] where the law itself cannot be told.
    fn try_expected_bits(&self, precision: u32) -> Result<Bracket, LawError> {
        let cost = refine(
            precision,
            |places| self.cost_at(places),
            |cost| cost.bracket().is_none_or(|bracket| bracket.is_within(precision)),
        )?;
        cost.bracket().ok_or_else(|| LawError::UnboundedCost { at_least: cost.low().clone() })
    }

    /// The expected fair bits, in a bracket of width at most 2^-precision; exact where they are rational.
    ///
    /// # Panics
    ///
    /// Where [`try_expected_bits`](Self::try_expected_bits) is an error: they are infinite, or no bound can be proved.
    #[track_caller]
    fn expected_bits(&self, precision: u32) -> Bracket {
        #[allow(clippy::panic, reason = "documented; the fallible form stands beside it")]
        self.try_expected_bits(precision).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The most fair bits that an answer may take; `None` if there is no such number.
    fn max_bits(&self) -> Option<u64> {
        self.tail().max_bits()
    }

    /// The optimal machine of the same law (Knuth and Yao 1976), however this one is composed.
    ///
    /// - Answers: on each level of the tree heads comes before tails, and leaves, in the order in which the law lists their
    ///   outcomes, before nodes that go on: for a coin of the crate that is the first-heads rule of
    ///   [`Rational`](crate::Rational), and for a [`Weighted`](crate::Weighted) it is that chooser again.
    /// - Law: that of this machine, exactly, known or not beyond the digits looked at: an outcome has been given ⌊2^k·p⌋ leaves'
    ///   worth by level k, as far as the brackets tell.
    /// - Expected fair bits: for a coin 2; 2 − 2^(1−m) where the law says that it is a/2^m; 3 where it is dyadic and no
    ///   bracket ever says so, as for exp(−ln 2) = 1/2. For a chooser at least the entropy H and less than H + 2, and one node
    ///   more on a level for each outcome whose digit no bracket decides. 0 where the law says that one outcome is certain.
    /// - Tail: P(more than k bits) < m·2^-k for m outcomes, twice that where digits are not decided; bounded where the law is
    ///   known to be dyadic.
    /// - Refuses: see the errors.
    /// - Source: Knuth and Yao 1976; the bounds in place of digits are this crate's.
    ///
    /// The first 64 levels are a table, or for two outcomes one word. A source that
    /// [answers ratios](crate::BitSource::answers_ratios) is asked for coins that hold no more information than the answer, if
    /// the law is known exactly or there are two outcomes: a [`Recycler`](crate::Recycler) then draws H bits. Below, which is 2^-64 of all flips of a coin, the law
    /// is asked for more places, so the machine is kept. Should a law that told 66 digits refuse to tell more, which none of
    /// this crate does, the walk goes on flipping, as it must: an answer given then would be a guess. A
    /// [`Budget`](crate::Budget) ends it.
    ///
    /// # Errors
    ///
    /// Why the law cannot be told, or [`Undecided`](LawError::Undecided) if it is not told to 66 binary digits.
    ///
    /// ```
    /// use buffon::{Coin, Fair, KnownLaw, Reciprocals, Script, parity_of_run};
    ///
    /// let inverse_e = parity_of_run(Reciprocals).compile()?; // 1/e = 0.01011110… in binary
    /// assert_eq!(inverse_e.try_flip(&mut Script::from_str("TH")?), Ok(true));
    /// assert_eq!(inverse_e.try_flip(&mut Script::from_str("TTH")?), Ok(false));
    /// assert_eq!(inverse_e.expected_bits(10).low().to_integer(), 1.into()); // 2 − 2^-k for every k: 2, not 2.35
    ///
    /// let three_eighths = Fair.then(Fair.or_else(Fair)).compile()?;
    /// assert_eq!(three_eighths.expected_bits(1).to_string(), "7/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn compile(self) -> Result<Compiled<Self, Self::Output>, LawError>
    where
        Self: Sized,
        Self::Output: Clone + PartialEq,
    {
        Compiled::new(self)
    }

    /// [`condition`](Machine::condition), refused where the condition can never hold.
    ///
    /// However rare it is, it is allowed where its probability is known not to be zero;
    /// [`expected_bits`](Self::expected_bits) of the result says what it costs.
    ///
    /// # Errors
    ///
    /// [`Impossible`](LawError::Impossible) if the condition has probability zero, [`Undecided`](LawError::Undecided) if it
    /// cannot be told from zero, or why the law of this machine cannot be told.
    ///
    /// ```
    /// use buffon::{Die, KnownLaw, LawError};
    /// let die = Die::new(6)?;
    /// assert_eq!(die.try_condition(|&n| n > 6).unwrap_err(), LawError::Impossible);
    /// let big = die.try_condition(|&n| n > 3)?;
    /// assert_eq!(big.expected_bits(1).to_string(), "11"); // 11/3 bits, three times
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn try_condition<F>(self, holds: F) -> Result<Condition<Self, F>, LawError>
    where
        Self: Sized,
        F: Fn(&Self::Output) -> bool,
    {
        possible(&self, &holds)?;
        Ok(self.condition(holds))
    }

    /// [`retry`](Machine::retry), refused where no answer is `Some`.
    ///
    /// # Errors
    ///
    /// As [`try_condition`](Self::try_condition).
    ///
    /// ```
    /// use buffon::{Fair, KnownLaw, LawError, Machine};
    /// let nothing = Fair.map(|_| None::<u8>);
    /// assert_eq!(nothing.try_retry().unwrap_err(), LawError::Impossible);
    /// ```
    fn try_retry<T>(self) -> Result<Retry<Self>, LawError>
    where
        Self: Sized + Machine<Output = Option<T>>,
    {
        possible(&self, Option::is_some)?;
        Ok(self.retry())
    }

    /// [`run`](Coin::run), refused where it never ends.
    ///
    /// # Errors
    ///
    /// [`NeverHalts`](LawError::NeverHalts) if this coin is certain to be heads, [`Undecided`](LawError::Undecided) if it
    /// cannot be told from one, or why its law cannot be told.
    ///
    /// ```
    /// use buffon::{Always, Fair, KnownLaw, LawError};
    /// assert_eq!(Always.try_run().unwrap_err(), LawError::NeverHalts);
    /// assert_eq!(Fair.try_run()?.expected_bits(1).to_string(), "2");
    /// # Ok::<(), LawError>(())
    /// ```
    fn try_run(self) -> Result<Run<Same<Self>>, LawError>
    where
        Self: Sized + Machine<Output = bool>,
    {
        ends(&self)?;
        Ok(self.run())
    }

    /// [`parity_of_run`](Coin::parity_of_run), refused where the run never ends.
    ///
    /// # Errors
    ///
    /// As [`try_run`](Self::try_run).
    ///
    /// ```
    /// use buffon::{Always, Fair, KnownLaw, LawError};
    /// assert_eq!(Always.try_parity_of_run().unwrap_err(), LawError::NeverHalts);
    /// assert_eq!(Fair.try_parity_of_run()?.probability(1).to_string(), "2/3");
    /// # Ok::<(), LawError>(())
    /// ```
    fn try_parity_of_run(self) -> Result<ParityOfRun<Same<Self>>, LawError>
    where
        Self: Sized + Machine<Output = bool>,
    {
        ends(&self)?;
        Ok(self.parity_of_run())
    }
}

/// The probability of an event, so well that it is known whether it is zero.
pub(super) fn chance_of<M: KnownLaw>(
    machine: &M,
    holds: impl Fn(&M::Output) -> bool,
) -> Result<Bracket, LawError> {
    let chance = |places| Ok(machine.law_at(places)?.probability_of(&holds));
    refine(64, chance, |chance: &Bracket| !chance.low().is_zero() || chance.is_zero())
}

/// Refuses an event of probability zero.
fn possible<M: KnownLaw>(machine: &M, holds: impl Fn(&M::Output) -> bool) -> Result<(), LawError> {
    if chance_of(machine, holds)?.is_zero() { Err(LawError::Impossible) } else { Ok(()) }
}

/// Refuses a run of a coin that is always heads.
fn ends<C: KnownLaw + Coin>(coin: &C) -> Result<(), LawError> {
    if chance_of(coin, |heads| !heads)?.is_zero() { Err(LawError::NeverHalts) } else { Ok(()) }
}

/// Raises the working precision until the answer is good enough.
pub(super) fn refine<T>(
    precision: u32,
    at: impl Fn(u32) -> Result<T, LawError>,
    enough: impl Fn(&T) -> bool,
) -> Result<T, LawError> {
    let highest = precision.saturating_mul(4).saturating_add(1 << 12);
    let mut places = precision.saturating_add(8);
    loop {
        match at(places) {
            Ok(answer) if enough(&answer) => return Ok(answer),
            Ok(_) | Err(LawError::Undecided) => {}
            Err(error) => return Err(error),
        }
        if places >= highest {
            return Err(LawError::Undecided);
        }
        places = places.saturating_add(places / 2).saturating_add(32).min(highest);
    }
}

/// A pointer to a machine has its law.
macro_rules! forward {
    ($($pointer:ty)+) => {$(
        impl<M: KnownLaw + ?Sized> KnownLaw for $pointer {
            fn law_at(&self, places: u32) -> Result<Law<M::Output>, LawError> {
                (**self).law_at(places)
            }

            fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
                (**self).cost_at(places)
            }

            fn tail(&self) -> Tail {
                (**self).tail()
            }

            fn ceiling() -> Option<u64> {
                M::ceiling()
            }

            fn mass_at(&self, outcome: &M::Output, places: u32) -> Result<Bracket, LawError>
            where
                M::Output: PartialEq,
            {
                (**self).mass_at(outcome, places)
            }
        }
    )+};
}

forward!(&M alloc::boxed::Box<M> alloc::rc::Rc<M> alloc::sync::Arc<M>);
