//! The coins of known probability in lanes: the first-heads rule, a digit at a time for all lanes together, and lane by lane
//! for the few that wait longest.

use num_integer::Integer;
use num_traits::ToPrimitive;
use typenum::Unsigned;

use super::Lanes;
use super::combinators::{lanes, try_all};
use crate::bits::{BitSource, try_first_heads, try_following};
use crate::coin::Coin;
use crate::coins::{Always, Dyadic, Fair, Fraction, Never, OneOver, Rational, Ratios};
use crate::combinators::{Certain, External};
use crate::ratio::Leading;

/// So many digits are gone through word by word. About one lane of each word waits longer, and a word of flips serves those of
/// all words.
const ROUNDS: u64 = 6;

/// In each open lane, the digit at which the lane first comes up heads; tails where no digit is left.
///
/// The lanes share the digits and not the flips, so each lane answers as [`try_leading`](crate::bits::try_leading) would; what
/// comes after so many tails that the first digits do not tell is left to `following`.
#[inline]
pub(super) fn try_leading<const N: usize, B: BitSource + ?Sized>(
    first: &Leading,
    following: impl Fn(&mut B) -> Result<bool, B::Error>,
    open: [u64; N],
    bits: &mut B,
) -> Result<[u64; N], B::Error> {
    if first.is_one() {
        return Ok(open);
    }
    let (mut left, mut answer) = (open, [0; N]);
    let rounds = first.len().min(ROUNDS);
    for (left, answer) in left.iter_mut().zip(&mut answer) {
        (*left, *answer) = try_rounds(first, 0..rounds, *left, bits)?;
    }
    if first.ends() && rounds == first.len() {
        return Ok(answer);
    }
    let on = |left, bits: &mut B| {
        let (left, answer) = try_rounds(first, rounds..first.len(), left, bits)?;
        let rest = if first.ends() { 0 } else { left };
        Ok(answer | try_each(rest, || following(bits))?)
    };
    // Lanes of different places can be in one word.
    let (mut all, mut shared) = (0, 0);
    for left in left {
        shared |= all & left;
        all |= left;
    }
    if shared == 0 {
        let heads = on(all, bits)?;
        for (left, answer) in left.into_iter().zip(&mut answer) {
            *answer |= left & heads;
        }
    } else {
        for (left, answer) in left.into_iter().zip(&mut answer) {
            *answer |= on(left, bits)?;
        }
    }
    Ok(answer)
}

/// One word in which so many digits come up, one after another: the lanes that are left, and those that answered heads.
#[inline]
fn try_rounds<B: BitSource + ?Sized>(
    first: &Leading,
    rounds: core::ops::Range<u64>,
    mut left: u64,
    bits: &mut B,
) -> Result<(u64, u64), B::Error> {
    let mut answer = 0;
    for round in rounds {
        if left == 0 {
            break;
        }
        let mut heads = [left];
        bits.try_lanes(&mut heads)?;
        let [heads] = heads;
        if first.digit(round) {
            answer |= heads;
        }
        left &= !heads;
    }
    Ok((left, answer))
}

/// One flip after another for the open lanes of a word.
#[inline]
fn try_each<E>(mut open: u64, mut flip: impl FnMut() -> Result<bool, E>) -> Result<u64, E> {
    let mut answer = 0;
    while open != 0 {
        let lane = open & open.wrapping_neg();
        if flip()? {
            answer |= lane;
        }
        open ^= lane;
    }
    Ok(answer)
}

/// The same for all words.
#[inline]
pub(super) fn try_each_word<const N: usize, E>(
    mut open: [u64; N],
    mut flip: impl FnMut() -> Result<bool, E>,
) -> Result<[u64; N], E> {
    for word in &mut open {
        *word = try_each(*word, &mut flip)?;
    }
    Ok(open)
}

/// A coin of probability `num/den`, of which the first digits are given, in lanes.
#[inline]
fn try_rational<T: Integer + Clone, const N: usize, B: BitSource + ?Sized>(
    first: &Leading,
    num: &T,
    den: &T,
    open: [u64; N],
    bits: &mut B,
) -> Result<[u64; N], B::Error> {
    try_leading(first, |bits: &mut B| try_following(first.len(), num, den, bits), open, bits)
}

lanes! {
    [] Fair, |_coin, open, bits| {
        let mut heads = open;
        bits.try_lanes(&mut heads)?;
        Ok(heads)
    };
    [] Always, |_coin, open, _bits| Ok(open);
    [] Never, |_coin, open, _bits| Ok(open.map(|_| 0));
    [] Certain<bool>, |coin, open, _bits| Ok(if *coin.answer() { open } else { [0; N] });
    [] OneOver, |coin, open, bits| {
        let n = coin.n().get();
        try_rational(&Leading::new(1, n.into()), &1, &n, open, bits)
    };
    [] Dyadic, |coin, open, bits| {
        let first = coin.leading();
        let following = |bits: &mut B| try_first_heads(coin.digits().skip(64), bits);
        try_leading(&first, following, open, bits)
    };
    [A: Unsigned, D: Unsigned] Fraction<A, D>, |_coin, open, bits| {
        try_rational(&Self::FIRST, &A::U64, &D::U64, open, bits)
    };
    [T: Integer + Clone + ToPrimitive] Rational<T>, |coin, open, bits| {
        try_rational(coin.leading(), coin.numer(), coin.denom(), open, bits)
    };
    [T: Into<u128> + Copy, const R: usize] Ratios<T, R>, |coin, open, bits| {
        let rational = |(num, den): (u128, u128), open, bits: &mut B| {
            try_rational(&Leading::new(num, den), &num, &den, open, bits)
        };
        try_all(coin.coins(), rational, open, bits)
    };
    [F: FnMut() -> bool] External<F>, |coin, open, bits| try_each_word(open, || coin.try_flip(bits));
}
