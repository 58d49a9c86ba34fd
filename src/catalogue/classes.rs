use super::zigzag::Zigzag;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::{Always, Never, Ratios, grouped, try_all};
use crate::combinators::{Certain, Mix};
use crate::machine::Machine;

/// A class of orders: for each n a coin that says whether a random order of n things belongs to it.
///
/// Any function from `u64` to a coin is a class; those of this module are permutations, the coin has the probability Pₙ/n!,
/// and P(λ) = Σ Pₙλⁿ/n! is the class's exponential generating function.
pub trait Class {
    /// The coins.
    type Coin: Coin;

    /// Whether a random order of n things belongs to the class.
    fn coin(&self, n: u64) -> Self::Coin;
}

impl<C: Coin, F: Fn(u64) -> C> Class for F {
    type Coin = C;

    #[inline]
    fn coin(&self, n: u64) -> C {
        self(n)
    }
}

/// A class: a unit struct, and its coins.
macro_rules! classes {
    ($($(#[$doc:meta])+ $name:ident, $coin:ty, |$n:ident| $make:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Class for $name {
            type Coin = $coin;

            #[inline]
            fn coin(&self, $n: u64) -> $coin {
                $make
            }
        }
    )+};
}

classes! {
    /// Every order: probability 1. The schema is [`run`](crate::Coin::run).
    All, Always, |_n| Always;
    /// Sorted orders: one of n!.
    Sorted, OneOverFactorial, |n| OneOverFactorial::new(n);
    /// Cyclic orders, the greatest thing first: (n − 1)! of n!, and none of no thing.
    Cyclic, Ratios<u64, 1>, |n| RFoldCyclic::<1>.coin(n);
    /// Orders that go up and down in turn, of an even number of things: Eₙ of n!.
    AlternatingEven, Mix<Certain<bool>, Zigzag, Never>, |n| alternating(n, 0);
    /// Orders that go up and down in turn, of an odd number of things: Eₙ of n!.
    AlternatingOdd, Mix<Certain<bool>, Zigzag, Never>, |n| alternating(n, 1);
    /// Orders that go up and down in turn: Eₙ of n!.
    Alternating, Zigzag, |n| Zigzag::new(n);
}

/// The parity is looked at before any bit is drawn.
fn alternating(n: u64, parity: u64) -> Mix<Certain<bool>, Zigzag, Never> {
    Certain::new(n % 2 == parity).mix(Zigzag::new(n), Never)
}

/// R orders at once that are all cyclic: a share of 1/nᴿ, and none of no thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RFoldCyclic<const R: usize>;

impl<const R: usize> Class for RFoldCyclic<R> {
    type Coin = Ratios<u64, R>;

    #[inline]
    fn coin(&self, n: u64) -> Ratios<u64, R> {
        const { assert!(R > 0, "one order at least") };
        Ratios::proven([(n.min(1), n.max(1)); R])
    }
}

/// The coin 1/n!.
///
/// - Answers: heads if a random order of n things is sorted.
/// - Law: 1/n!.
/// - Expected fair bits: those of the rational coin while n! fits 128 bits, up to 34; beyond, hardly more.
/// - Tail: exponential.
/// - Refuses: nothing.
///
/// ```
/// use buffon::{Coin, Script, catalogue::OneOverFactorial};
/// assert_eq!(OneOverFactorial::new(2).try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct OneOverFactorial {
    n: u64,
}

impl OneOverFactorial {
    /// The coin 1/n!.
    #[inline]
    pub const fn new(n: u64) -> Self {
        Self { n }
    }

    /// The number n.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// The coins that are flipped.
    pub(super) fn coins(&self) -> impl Iterator<Item = (u128, u128)> {
        grouped((2..=u128::from(self.n)).map(|k| (1, k)))
    }
}

impl Machine for OneOverFactorial {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        try_all(self.coins(), bits)
    }
}
