//! The combinators in lanes: word operations, and loops while any lane is open.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, rc::Rc};
use core::array::from_fn;
use core::num::NonZeroU64;

use super::Lanes;
use super::kernel::try_each_word;
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::{Harmonic, Hypergeometric, OneOver, Reciprocals};
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use crate::combinators::Erased;
use crate::combinators::{
    AndThen, Condition, Family, FromFn, Halted, Map, Mix, Not, OrElse, ParityOfRun, Power, Same,
    Then, Xor,
};

/// The lanes of `open` that are not in `shut`.
#[inline]
pub(super) fn without<const N: usize>(open: [u64; N], shut: [u64; N]) -> [u64; N] {
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

/// One flip of coin after coin in each lane that has come up heads so far.
#[inline]
pub(super) fn try_all<C, const N: usize, B: BitSource + ?Sized>(
    coins: impl IntoIterator<Item = C>,
    flip: impl Fn(C, [u64; N], &mut B) -> Result<[u64; N], B::Error>,
    mut open: [u64; N],
    bits: &mut B,
) -> Result<[u64; N], B::Error> {
    for coin in coins {
        if open == [0; N] {
            break;
        }
        open = flip(coin, open, bits)?;
    }
    Ok(open)
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
    [F: Fn(&mut dyn BitSource<Error = Halted>) -> Result<bool, Halted>] FromFn<F>,
        |coin, open, bits| try_each_word(open, || coin.try_flip(bits));
    [C: Lanes] Not<C>, |coin, open, bits| Ok(without(open, coin.coin.try_flip_lanes(open, bits)?));
    [P: Lanes, Q: Lanes] Then<P, Q>, |coin, open, bits| {
        let heads = coin.first.try_flip_lanes(open, bits)?;
        try_any(&coin.second, heads, bits)
    };
    [P: Lanes, Q: Lanes] OrElse<P, Q>, |coin, open, bits| {
        let heads = coin.first.try_flip_lanes(open, bits)?;
        Ok(either(heads, try_any(&coin.second, without(open, heads), bits)?))
    };
    [C: Lanes] Power<C>, |coin, open, bits| {
        try_all(0..coin.n, |_, open, bits: &mut B| coin.coin.try_flip_lanes(open, bits), open, bits)
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
    [C: Lanes, F: Fn(bool) -> bool] Map<C, F>, |coin, open, bits| {
        let heads = coin.machine.try_flip_lanes(open, bits)?;
        let of_heads = if (coin.f)(true) { heads } else { [0; N] };
        let of_tails = if (coin.f)(false) { without(open, heads) } else { [0; N] };
        Ok(either(of_heads, of_tails))
    };
    [C: Lanes, D: Lanes, F: Fn(bool) -> D] AndThen<C, F>, |coin, open, bits| {
        let side = coin.machine.try_flip_lanes(open, bits)?;
        let heads = try_any(&(coin.f)(true), side, bits)?;
        Ok(either(heads, try_any(&(coin.f)(false), without(open, side), bits)?))
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

#[cfg(feature = "alloc")]
lanes! {
    [C: Lanes + ?Sized] Box<C>, |coin, open, bits| (**coin).try_flip_lanes(open, bits);
    [C: Lanes + ?Sized] Rc<C>, |coin, open, bits| (**coin).try_flip_lanes(open, bits);
}

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
lanes! {
    [C: Lanes + ?Sized] Arc<C>, |coin, open, bits| (**coin).try_flip_lanes(open, bits);
    [] Erased<bool>, |coin, open, bits| try_each_word(open, || coin.try_flip(bits));
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

/// The coin of each number in lanes, for families that are structs.
macro_rules! families {
    ($([$($generics:tt)*] $family:ty, |$self:ident, $n:ident| $coin:expr;)+) => {$(
        impl<$($generics)*> LaneFamily for $family {
            #[inline]
            fn try_flip_lanes_nth<const N: usize, B: BitSource + ?Sized>(
                &self,
                $n: NonZeroU64,
                open: [u64; N],
                bits: &mut B,
            ) -> Result<[u64; N], B::Error> {
                let $self = self;
                $coin.try_flip_lanes(open, bits)
            }
        }
    )+};
}

families! {
    [C: Lanes] Same<C>, |family, _n| family.coin;
    [] Reciprocals, |_family, n| OneOver::new(n);
    [C: Lanes] Harmonic<C>, |family, n| OneOver::new(n).then(&family.coin);
    [const R: usize] Hypergeometric<R>, |family, n| family.coin(n);
}
