//! The combinators in lanes: word operations, and loops while any lane is open.

use core::array::from_fn;
use core::num::NonZeroU64;

use super::Lanes;
use crate::bits::BitSource;
use crate::combinators::{Condition, Family, Mix, Not, OrElse, ParityOfRun, Same, Then, Xor};

/// The lanes of `open` that are not in `shut`.
#[inline]
fn without<const N: usize>(open: [u64; N], shut: [u64; N]) -> [u64; N] {
    from_fn(|word| open[word] & !shut[word])
}

#[inline]
fn either<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    from_fn(|word| a[word] | b[word])
}

/// One flip in each open lane; where no lane is open the coin is not asked, as it might loop to no end.
#[inline]
fn try_any<C: Lanes, const N: usize, B: BitSource + ?Sized>(
    coin: &C,
    open: [u64; N],
    bits: &mut B,
) -> Result<[u64; N], B::Error> {
    if open == [0; N] { Ok(open) } else { coin.try_flip_lanes(open, bits) }
}

macro_rules! lanes {
    ($([$($generics:tt)*] $coin:ty, |$self:ident, $open:ident, $bits:ident| $answer:expr;)+) => {$(
        impl<$($generics)*> Lanes for $coin {
            #[inline]
            fn try_flip_lanes<const N: usize, B: BitSource + ?Sized>(
                &self,
                $open: [u64; N],
                $bits: &mut B,
            ) -> Result<[u64; N], B::Error> {
                let $self = self;
                $answer
            }
        }
    )+};
}
pub(super) use lanes;

lanes! {
    [C: Lanes + ?Sized] &C, |coin, open, bits| (**coin).try_flip_lanes(open, bits);
    [C: Lanes] Not<C>, |coin, open, bits| Ok(without(open, coin.coin.try_flip_lanes(open, bits)?));
    [P: Lanes, Q: Lanes] Then<P, Q>, |coin, open, bits| {
        let heads = coin.first.try_flip_lanes(open, bits)?;
        try_any(&coin.second, heads, bits)
    };
    [P: Lanes, Q: Lanes] OrElse<P, Q>, |coin, open, bits| {
        let heads = coin.first.try_flip_lanes(open, bits)?;
        Ok(either(heads, try_any(&coin.second, without(open, heads), bits)?))
    };
    [P: Lanes, Q: Lanes] Xor<P, Q>, |coin, open, bits| {
        let first = coin.first.try_flip_lanes(open, bits)?;
        let second = coin.second.try_flip_lanes(open, bits)?;
        Ok(from_fn(|word| first[word] ^ second[word]))
    };
    [C: Lanes, X: Lanes, Y: Lanes] Mix<C, X, Y>, |coin, open, bits| {
        let side = coin.coin.try_flip_lanes(open, bits)?;
        let heads = try_any(&coin.heads, side, bits)?;
        Ok(either(heads, try_any(&coin.tails, without(open, side), bits)?))
    };
    [F: LaneFamily] ParityOfRun<F>, |coin, open, bits| {
        // All open lanes are at the same coin of the family; those that come up tails stop there.
        let (mut left, mut even) = (open, open);
        let mut n = NonZeroU64::MIN;
        let mut parity_is_even = true;
        while left != [0; N] {
            let heads = coin.family.try_flip_lanes_nth(n, left, bits)?;
            if !parity_is_even {
                even = without(even, without(left, heads));
            }
            left = heads;
            parity_is_even = !parity_is_even;
            n = n.saturating_add(1);
        }
        Ok(even)
    };
    [C: Lanes, F: Fn(&bool) -> bool] Condition<C, F>, |coin, open, bits| {
        let (keep_heads, keep_tails) = ((coin.holds)(&true), (coin.holds)(&false));
        let (mut left, mut answer) = (open, [0; N]);
        while left != [0; N] {
            let heads = coin.machine.try_flip_lanes(left, bits)?;
            if keep_heads {
                answer = either(answer, heads);
            }
            left = match (keep_heads, keep_tails) {
                (true, true) => [0; N],
                (true, false) => without(left, heads),
                (false, true) => heads,
                (false, false) => left,
            };
        }
        Ok(answer)
    };
}

/// A family whose coins can be flipped in many lanes at once, all lanes at the same number of the family.
pub trait LaneFamily: Family {
    /// Flips coin number `n` once in each open lane.
    ///
    /// # Errors
    ///
    /// The source's own error.
    fn try_flip_lanes_nth<const N: usize, B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        open: [u64; N],
        bits: &mut B,
    ) -> Result<[u64; N], B::Error>;
}

impl<C: Lanes, F: Fn(NonZeroU64) -> C> LaneFamily for F {
    #[inline]
    fn try_flip_lanes_nth<const N: usize, B: BitSource + ?Sized>(
        &self,
        n: NonZeroU64,
        open: [u64; N],
        bits: &mut B,
    ) -> Result<[u64; N], B::Error> {
        self(n).try_flip_lanes(open, bits)
    }
}

impl<C: Lanes> LaneFamily for Same<C> {
    #[inline]
    fn try_flip_lanes_nth<const N: usize, B: BitSource + ?Sized>(
        &self,
        _: NonZeroU64,
        open: [u64; N],
        bits: &mut B,
    ) -> Result<[u64; N], B::Error> {
        self.coin.try_flip_lanes(open, bits)
    }
}
