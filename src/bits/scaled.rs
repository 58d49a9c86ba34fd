//! Multiplication in place of division, exactly: what the recycler remembers of the fractions and dice that it meets.

/// The high half of the product.
#[inline]
pub(super) fn high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// The fraction `num/den` below 1, scaled to 64 bits and rounded down.
#[derive(Clone, Copy)]
pub(super) struct Scaled {
    num: u64,
    den: u64,
    scaled: u64,
}

impl Scaled {
    /// No fraction: `is` is never true of it.
    pub(super) const NONE: Self = Self { num: 0, den: 0, scaled: 0 };

    /// Of `num < den`.
    #[cold]
    pub(super) fn new(num: u64, den: u64) -> Self {
        let scaled = (u128::from(num) << 64) / u128::from(den);
        Self { num, den, scaled: u64::try_from(scaled).unwrap_or(u64::MAX) }
    }

    #[inline]
    pub(super) const fn is(&self, num: u64, den: u64) -> bool {
        self.num == num && self.den == den
    }

    /// A number c with c <= x·num/den < c + 2.
    ///
    /// With S = ⌊2^64·num/den⌋ it is c = ⌊x·S/2^64⌋: the two roundings take less than x/2^64 < 1 and less than 1.
    #[inline]
    pub(super) fn of(&self, x: u64) -> u64 {
        high(x, self.scaled)
    }
}

/// Exact division by `n >= 2`: a multiplication, an addition and a shift, without a branch (Robison 2005).
///
/// Let 2^k <= n < 2^(k+1) and m·n = 2^(64+k) − e, with 0 < e < n unless n is a power of two. If e <= 2^k, then
/// ⌊x/n⌋ = ⌊(x + 1)·m/2^(64+k)⌋ for every x < 2^64: with x + 1 = n·j + i, 1 <= i <= n, the number
/// (x + 1)·m/2^(64+k) = (j + i/n)·(1 − e/2^(64+k)) is less than j + 1, and at least j + 1/n − (x + 1)·e/(n·2^(64+k)) >= j.
/// Otherwise e' = n − e <= 2^k, and ⌊x/n⌋ = ⌊x·(m + 1)/2^(64+k)⌋: the excess x·e'/(n·2^(64+k)) is less than 1/n.
#[derive(Clone, Copy)]
pub(super) struct Divider {
    n: u64,
    factor: u64,
    /// `factor` or zero.
    addend: u64,
    shift: u32,
}

impl Divider {
    /// By no number: `is` is never true of it.
    pub(super) const NONE: Self = Self { n: 0, factor: 0, addend: 0, shift: 0 };

    /// By `n >= 2`.
    #[cold]
    pub(super) fn new(n: u64) -> Self {
        let shift = n.ilog2();
        if n.is_power_of_two() {
            return Self { n, factor: 1 << 63, addend: 0, shift: shift - 1 };
        }
        let (power, wide) = (1u128 << (64 + shift), u128::from(n));
        let factor = u64::try_from(power / wide).unwrap_or(u64::MAX);
        if power % wide <= 1 << shift {
            Self { n, factor, addend: factor, shift }
        } else {
            Self { n, factor: factor + 1, addend: 0, shift }
        }
    }

    #[inline]
    pub(super) const fn is(&self, n: u64) -> bool {
        self.n == n
    }

    /// ⌊x/n⌋.
    #[inline]
    pub(super) fn divide(&self, x: u64) -> u64 {
        let product = u128::from(x) * u128::from(self.factor) + u128::from(self.addend);
        ((product >> 64) as u64) >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers about every power of two, and some between.
    fn numbers() -> impl Iterator<Item = u64> + Clone {
        let powers = (0..64).flat_map(|k| {
            let power = 1u64 << k;
            [power.wrapping_sub(1), power, power + 1, power / 3 * 5, u64::MAX / power]
        });
        powers.chain((0..64).map(|k| 0x9e37_79b9_7f4a_7c15u64.rotate_left(k)))
    }

    #[test]
    fn dividing_is_exact() {
        for n in (2..2000).chain(numbers()).filter(|&n| n >= 2) {
            let by = Divider::new(n);
            for x in numbers() {
                // The last of one quotient and the first of the next are where rounding would show.
                for x in [x, x / n * n, (x / n * n).wrapping_sub(1)] {
                    assert_eq!(by.divide(x), x / n, "{x}/{n}");
                }
            }
            assert_eq!(by.divide(u64::MAX), u64::MAX / n, "{n}");
        }
    }

    #[test]
    fn scaling_is_less_than_two_too_low() {
        for den in (2..40).chain(numbers()).filter(|&den| den >= 2) {
            for num in [1, 2, den / 3, den / 2, den - 1].into_iter().filter(|&num| num < den) {
                let fraction = Scaled::new(num, den);
                for x in numbers() {
                    let c = u128::from(fraction.of(x)) * u128::from(den);
                    let exact = u128::from(x) * u128::from(num);
                    assert!(c <= exact && exact - c < 2 * u128::from(den), "{x}·{num}/{den}");
                }
            }
        }
    }
}
