use num_bigint::BigUint;
use num_traits::One;

/// A power of a base, its factors of two kept apart: multiplying by them is a shift.
#[derive(Clone, Debug)]
pub(super) struct Power {
    odd: BigUint,
    twos: u64,
}

impl Power {
    /// `base` to the power of `exponent`; `base` is not zero.
    pub(super) fn new(base: u64, exponent: usize) -> Self {
        let twos = base.trailing_zeros();
        let odd = num_traits::pow(BigUint::from(base >> twos), exponent);
        Self { odd, twos: u64::from(twos) * exponent as u64 }
    }

    /// How many binary digits it has.
    pub(super) fn bits(&self) -> u64 {
        self.odd.bits() + self.twos
    }

    /// `factor` times this power.
    pub(super) fn times(&self, factor: &BigUint) -> BigUint {
        if self.odd.is_one() { factor << self.twos } else { (factor * &self.odd) << self.twos }
    }

    /// The product of two powers.
    pub(super) fn and(&self, other: &Self) -> Self {
        let odd = if self.odd.is_one() {
            other.odd.clone()
        } else if other.odd.is_one() {
            self.odd.clone()
        } else {
            &self.odd * &other.odd
        };
        Self { odd, twos: self.twos + other.twos }
    }

    /// Half of `n` over this power, and one over it, with `places` binary places, both within 2 of the truth.
    ///
    /// For `n` at most twice this power, and no fewer places than this power has bits.
    pub(super) fn divide(&self, n: &BigUint, places: u64) -> (BigUint, BigUint) {
        if self.odd.is_one() {
            return ((n << places) >> (self.twos + 1), BigUint::one() << (places - self.twos));
        }
        // An error of 4 in r is one of 4n/2^(bits + 3) <= 1 in n·r, and the shift drops less than one.
        let r = reciprocal(&self.odd, places + 2);
        let drop = self.bits() + 2;
        ((n * &r) >> (drop + 1), r >> drop)
    }
}

impl From<u128> for Power {
    fn from(n: u128) -> Self {
        let twos = n.trailing_zeros() % u128::BITS; // 0 for 0
        Self { odd: (n >> twos).into(), twos: twos.into() }
    }
}

/// 2^(b + places)/d, where d > 0 has b bits, within 4: Newton's iteration from half the places.
///
/// Let ρ be the truth, between 2^places and twice that, and r within 4 of 2^(b + half)/d, so within a share of ε <= 2^(2 − half)
/// of it. With e = 2^(b + half) − d·r, the number r·2^(places − half) + r·e/2^(b + 2·half − places) is ρ·(1 − ε²), which is less
/// than ρ by 2^(places + 1)·2^(4 − 2·half) <= 1. Each of the two shifts loses less than one more, and cutting d to places + 3
/// bits less than one half.
fn reciprocal(d: &BigUint, places: u64) -> BigUint {
    let bits = d.bits();
    if bits > places + 3 {
        return reciprocal(&(d >> (bits - places - 3)), places);
    }
    if places <= 512 {
        return (BigUint::one() << (bits + places)) / d;
    }
    let half = (places + 6) / 2;
    let r = reciprocal(d, half);
    let (one, product) = (BigUint::one() << (bits + half), d * &r);
    let base = &r << (places - half);
    let drop = (bits + half).saturating_sub(places + 8);
    let step = |e: BigUint| ((e >> drop) * &r) >> (bits + 2 * half - places - drop);
    if product <= one { base + step(one - product) } else { base - step(product - one) }
}

/// The lowest `places` binary digits of `n`.
pub(super) fn low(n: BigUint, places: u64) -> BigUint {
    let high = (&n >> places) << places;
    n - high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reciprocal_is_within_four_of_the_truth() {
        let mut d = BigUint::from(3u8);
        for places in [1, 5, 511, 512, 513, 514, 700, 1025, 3000, 9001] {
            for d in [&d, &BigUint::one(), &((BigUint::one() << 2000u32) - 1u8)] {
                let r = reciprocal(d, places);
                let one = BigUint::one() << (d.bits() + places);
                assert!((&r + 4u8) * d >= one && r * d <= one + d * 4u8, "{places} places of {d}");
            }
            d = d * 1_000_003u32 * 999_983u32 + 1u8;
        }
    }
}
