use crate::bits::BitSource;
use crate::coins::try_wide;
use crate::machine::Machine;

/// The greatest n for which n! fits 128 bits.
const TABLE: usize = 34;

/// Eₙ and n!, n = 0 … 34.
///
/// Entringer's triangle: row n is the partial sums of row n − 1 read backwards, begun with 0, and its last entry is Eₙ.
const NUMBERS: [(u128, u128); TABLE + 1] = {
    let mut numbers = [(1, 1); TABLE + 1];
    let mut row = [0u128; TABLE + 1];
    row[0] = 1;
    let mut n = 1;
    while n <= TABLE {
        let mut next = [0u128; TABLE + 1];
        let mut k = 1;
        while k <= n {
            next[k] = next[k - 1] + row[n - k];
            k += 1;
        }
        numbers[n] = (next[n], numbers[n - 1].1 * n as u128);
        row = next;
        n += 1;
    }
    numbers
};

/// The coin Eₙ/n!: whether a random order of n things alternates, up and down in turn.
///
/// - Answers: heads if it does.
/// - Law: Eₙ/n! with the zigzag numbers 1, 1, 1, 2, 5, 16, 61, …, whose sum Σ Eₙxⁿ/n! is sec x + tan x.
/// - Expected fair bits: those of the rational coin up to n = 34. Beyond, Σ (Eₖ/k!)·c(die of k + 1 sides) over 1 ≤ k < n,
///   less than 6.
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Proof, beyond 34: the k-th thing's rank among the first k is uniform on 0 … k − 1 and independent of the ranks before,
///   and it lies above the thing before it just if its rank is the greater one. So dice decide, and the first step in the
///   wrong direction ends it.
/// - Source: Flajolet, Pelletier, Soria 2011, there by uniform numbers.
///
/// ```
/// use buffon::{Coin, Script, catalogue::Zigzag};
/// let coin = Zigzag::new(3); // 2/6
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(true)); // 1/3 = 0.01… in binary
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zigzag {
    n: u64,
}

impl Zigzag {
    /// Whether n things in random order alternate.
    #[inline]
    #[must_use]
    pub const fn new(n: u64) -> Self {
        Self { n }
    }

    /// The number of things.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// Eₙ and n!, if they fit.
    pub(super) fn fraction(&self) -> Option<(u128, u128)> {
        NUMBERS.get(usize::try_from(self.n).ok()?).copied()
    }
}

impl Machine for Zigzag {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        if let Some((num, den)) = self.fraction() {
            return try_wide(&num, &den, bits);
        }
        let mut before = 0;
        for k in 2..=self.n {
            let rank = bits.try_below(k)?;
            // Up to an even k, down to an odd one.
            if (rank > before) != (k % 2 == 0) {
                return Ok(false);
            }
            before = rank;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_the_zigzag_numbers() {
        let first = [1, 1, 1, 2, 5, 16, 61, 272, 1385, 7936, 50521];
        assert!(NUMBERS.iter().zip(first).all(|((zigzag, _), known)| *zigzag == known));
        assert_eq!(NUMBERS[34].1, (1..=34).product::<u128>());
    }

    /// The rule of ranks, on every order of up to seven things.
    #[test]
    fn ranks_tell_orders_that_alternate() {
        fn count(n: u128, k: u128, before: u128) -> u128 {
            if k > n {
                return 1;
            }
            (0..k).filter(|rank| (*rank > before) == (k % 2 == 0)).map(|r| count(n, k + 1, r)).sum()
        }
        for (n, (zigzag, _)) in (0..=10).zip(NUMBERS) {
            assert_eq!(count(n, 2, 0), zigzag, "{n}");
        }
    }
}
