use core::marker::PhantomData;

use crate::bits::BitSource;
use crate::coin::Coin;
use crate::machine::Machine;

/// A polynomial in p by its Bernstein coefficients, as [`bernstein`](super::bernstein), that stops as soon as the coefficients that are
/// still possible are all the same.
///
/// - Answers: `p` is flipped until the number of heads that n flips will have is known well enough: the coins that it may pick are
///   equal. That coin is flipped.
/// - Law: Σ C(n, j)·pʲ(1 − p)ⁿ⁻ʲ·aⱼ, for n + 1 coins a₀ … aₙ: that of [`bernstein`](super::bernstein).
/// - Expected fair bits: c_p for each flip of at most n, and Σ P(j)·κ(aⱼ). The majority of three coins, 0, 0, 1, 1, takes 2 + 2p(1 − p)
///   flips in place of 3.
/// - Tail: the heaviest part's.
/// - Refuses: nothing; without a coin it is tails.
/// - Proof: the flips that are left out would not change the coin that is picked.
/// - Source: Goyal, Sigman 2012, for the polynomials.
///
/// ```
/// use buffon::{Coin, Fair, Rational, Script, factories::EarlyBernstein};
/// let bit = |n| Rational::<u64>::new(n, 1);
/// let majority = EarlyBernstein::new(Fair, [bit(0)?, bit(0)?, bit(1)?, bit(1)?]);
/// let mut bits = Script::from_str("HHT")?;
/// assert_eq!((majority.try_flip(&mut bits), bits.position()), (Ok(true), 2)); // two of three, whatever the third
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct EarlyBernstein<C, P, A> {
    pub(super) p: C,
    pub(super) coefficients: P,
    of: PhantomData<A>,
}

impl<C, P: AsRef<[A]>, A: PartialEq> EarlyBernstein<C, P, A> {
    /// The polynomial of the coin `p` with these coefficients: an array, a `Vec`, a slice of coins.
    #[inline]
    pub const fn new(p: C, coefficients: P) -> Self {
        Self { p, coefficients, of: PhantomData }
    }

    /// The first place from `from` on whose coin is not that of the next, or the last place.
    pub(super) fn change(&self, from: usize) -> usize {
        let rest = self.coefficients.as_ref().get(from..).unwrap_or_default();
        from + rest.iter().zip(rest.iter().skip(1)).take_while(|(coin, next)| coin == next).count()
    }

    /// The coin that is picked after so many heads and tails, if all that are possible are the same: `change` is the first change
    /// from `heads` on.
    pub(super) fn undecided(
        &self,
        heads: usize,
        tails: usize,
        change: usize,
    ) -> Result<(), Option<&A>> {
        let all = self.coefficients.as_ref();
        let end = all.len().saturating_sub(tails);
        if change + 1 < end { Ok(()) } else { Err(all.get(heads)) }
    }
}

impl<C: Coin, P: AsRef<[A]>, A: Coin + PartialEq> Machine for EarlyBernstein<C, P, A> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let (mut heads, mut tails, mut change) = (0, 0, 0);
        loop {
            // It only goes up: one comparison for each flip, and one walk through the coins.
            change = self.change(change.max(heads));
            match self.undecided(heads, tails, change) {
                Ok(()) if self.p.try_flip(bits)? => heads += 1,
                Ok(()) => tails += 1,
                Err(Some(coin)) => return coin.try_flip(bits),
                Err(None) => return Ok(false),
            }
        }
    }
}
