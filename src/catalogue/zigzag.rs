use crate::bits::{BitSource, try_wide};
use crate::machine::Machine;

/// The greatest n for which n! fits 128 bits.
pub(super) const TABLE: usize = 34;

/// How many orders of n things alternate and end with each rank, 0 … n − 1, of the last thing among them.
///
/// The k-th thing lies above the one before it just if its rank among the first k is the greater one. Up to an even k, down
/// to an odd one.
pub(super) const fn by_last_rank(n: usize) -> [u128; TABLE] {
    let mut ways = [0; TABLE];
    ways[0] = 1;
    let mut k = 2;
    while k <= n {
        let mut next = [0; TABLE];
        let mut rank = 0;
        while rank < k {
            let mut before = 0;
            while before < k - 1 {
                if (rank > before) == (k % 2 == 0) {
                    next[rank] += ways[before];
                }
                before += 1;
            }
            rank += 1;
        }
        ways = next;
        k += 1;
    }
    ways
}

/// Those of the greatest n in the table.
pub(super) const LAST: [u128; TABLE] = by_last_rank(TABLE);

/// Eₙ and n!, n = 0 … 34.
const NUMBERS: [(u128, u128); TABLE + 1] = {
    let mut numbers = [(1, 1); TABLE + 1];
    let mut n = 1;
    while n <= TABLE {
        let ways = by_last_rank(n);
        let (mut zigzag, mut rank) = (0, 0);
        while rank < n {
            zigzag += ways[rank];
            rank += 1;
        }
        numbers[n] = (zigzag, numbers[n - 1].1 * n as u128);
        n += 1;
    }
    numbers
};

/// One flip of the coin Eₙ/n!, with so many things decided by one coin and the others by dice.
fn try_alternates<B: BitSource + ?Sized>(
    n: u64,
    decided: usize,
    last: &[u128],
    bits: &mut B,
) -> Result<bool, B::Error> {
    let together = usize::try_from(n).map_or(decided, |n| n.min(decided));
    let (zigzag, orders) = NUMBERS.get(together).copied().unwrap_or((0, 1));
    if !try_wide(&zigzag, &orders, bits)? {
        return Ok(false);
    }
    let next = decided as u64 + 1;
    if n < next {
        return Ok(true);
    }
    // Given that the first ones alternate, the rank of the last one has these weights.
    let (mut before, mut rest) = (0, zigzag);
    for (rank, ways) in (0..).zip(last) {
        before = rank;
        if try_wide(ways, &rest, bits)? {
            break;
        }
        rest -= ways;
    }
    for k in next..=n {
        let rank = bits.try_below(k)?;
        if (rank > before) != (k % 2 == 0) {
            return Ok(false);
        }
        before = rank;
    }
    Ok(true)
}

/// The coin Eₙ/n!: whether a random order of n things alternates, up and down in turn.
///
/// - Answers: heads if it does.
/// - Law: Eₙ/n! with the zigzag numbers 1, 1, 1, 2, 5, 16, 61, …, whose sum Σ Eₙxⁿ/n! is sec x + tan x.
/// - Expected fair bits: those of the rational coin up to n = 34; beyond, hardly more than 2.
/// - Tail: exponential.
/// - Refuses: nothing.
/// - Proof: n! fits 128 bits up to n = 34. Of more things the first 34 are decided by one coin; if they alternate, the rank
///   of the 34th among them is drawn with its weights, and dice go on: the rank of the k-th thing among the first k is
///   uniform on 0 … k − 1 and independent of the ranks before, and it lies above the thing before it just if its rank is
///   the greater one.
/// - Source: Flajolet, Pelletier, Soria 2011, there by uniform numbers.
///
/// ```
/// use buffon::{Coin, Script, catalogue::Zigzag};
/// let coin = Zigzag::new(3); // 2/6
/// assert_eq!(coin.try_flip(&mut Script::from_str("TH")?), Ok(true)); // 1/3 = 0.01… in binary
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Zigzag {
    n: u64,
}

impl Zigzag {
    /// Whether n things in random order alternate.
    #[inline]
    pub const fn new(n: u64) -> Self {
        Self { n }
    }

    /// The number of things.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// Eₙ and n!, if they fit.
    #[cfg(feature = "exact")]
    pub(super) fn fraction(&self) -> Option<(u128, u128)> {
        NUMBERS.get(usize::try_from(self.n).ok()?).copied()
    }
}

impl Machine for Zigzag {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        try_alternates(self.n, TABLE, &LAST, bits)
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

    struct Split {
        n: u64,
        decided: usize,
    }

    impl Machine for Split {
        type Output = bool;

        fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
            let last = by_last_rank(self.decided);
            try_alternates(self.n, self.decided, &last[..self.decided], bits)
        }
    }

    /// What one coin decides may end anywhere: the exact trees of every split say the same.
    #[cfg(feature = "exact")]
    #[test]
    fn dice_go_on_where_the_table_ends() {
        for n in 0..=6u64 {
            for decided in 1..=6 {
                let tree = crate::explore_weighted(&Split { n, decided }, 20);
                let (zigzag, orders) = NUMBERS[usize::try_from(n).unwrap_or(0)];
                let share = num_rational::BigRational::new(zigzag.into(), orders.into());
                assert_eq!(tree.mass(&true), share, "{n}, {decided}");
                assert_eq!(*tree.open(), num_rational::BigRational::default());
            }
        }
    }
}
