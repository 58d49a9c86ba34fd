//! Compiled coins in lanes: the digits that are known, and the walk for the lanes that wait longer.

use super::Lanes;
use super::combinators::{lanes, without};
use super::kernel::{try_each_word, try_leading};
use crate::bits::BitSource;
use crate::coin::Coin;
use crate::law::{Compiled, KnownLaw};

lanes! {
    [M: KnownLaw<Output = bool>] Compiled<M, bool>, |coin, open, bits| {
        let Some((digits, &first)) = coin.digits() else {
            return try_each_word(open, || coin.try_flip(bits));
        };
        let following = |bits: &mut B| Ok(coin.try_following(bits)? == first);
        let first_ones = try_leading(digits, following, open, bits)?;
        Ok(if first { first_ones } else { without(open, first_ones) })
    };
}
