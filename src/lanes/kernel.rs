//! The coins of known probability in lanes: the first-heads rule, a digit at a time for all lanes together.

use num_integer::Integer;
use num_traits::ToPrimitive;
use typenum::Unsigned;

use super::Lanes;
use super::combinators::lanes;
use crate::bits::BitSource;
use crate::coins::{Always, Dyadic, Fair, Fraction, Never, OneOver, Rational};
use crate::ratio::Digits;

/// In each open lane, the digit at which the lane first comes up heads; tails where no digit is left.
///
/// The lanes share the digits and not the flips, so each lane answers as [`try_first_heads`](crate::bits::try_first_heads) would.
#[inline]
fn try_digits<const N: usize, B: BitSource + ?Sized>(
    digits: impl Iterator<Item = bool>,
    open: [u64; N],
    bits: &mut B,
) -> Result<[u64; N], B::Error> {
    let mut left = open;
    let mut answer = [0; N];
    for digit in digits {
        if left == [0; N] {
            break;
        }
        let mut heads = left;
        bits.try_lanes(&mut heads)?;
        let digit = if digit { u64::MAX } else { 0 };
        for lane in 0..N {
            answer[lane] |= heads[lane] & digit;
            left[lane] &= !heads[lane];
        }
    }
    Ok(answer)
}

/// A coin of probability `num/den` in lanes.
#[inline]
fn try_rational<T: Integer + Clone, const N: usize, B: BitSource + ?Sized>(
    num: &T,
    den: &T,
    open: [u64; N],
    bits: &mut B,
) -> Result<[u64; N], B::Error> {
    if num >= den { Ok(open) } else { try_digits(Digits::new(num, den), open, bits) }
}

lanes! {
    [] Fair, |_coin, open, bits| {
        let mut heads = open;
        bits.try_lanes(&mut heads)?;
        Ok(heads)
    };
    [] Always, |_coin, open, _bits| Ok(open);
    [] Never, |_coin, open, _bits| Ok(open.map(|_| 0));
    [] OneOver, |coin, open, bits| try_rational(&1, &coin.n().get(), open, bits);
    [] Dyadic, |coin, open, bits| {
        if coin.exponent() == 0 {
            return Ok(if coin.numer() == 0 { [0; N] } else { open });
        }
        try_digits(coin.digits(), open, bits)
    };
    [A: Unsigned, D: Unsigned] Fraction<A, D>, |_coin, open, bits| try_rational(&A::U64, &D::U64, open, bits);
    [T: Integer + Clone + ToPrimitive] Rational<T>, |coin, open, bits| try_rational(coin.numer(), coin.denom(), open, bits);
}
