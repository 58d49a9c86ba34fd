/// How long a machine may take: the class of P(more than k bits) as k grows, from the best to the worst.
///
/// The order is that of the variants, and of the bounds within the first, so the tail of a composition that samples each
/// part a bounded number of times is the `max` of its parts' (bounds of a sequence add up).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tail {
    /// Never more than this many fair bits.
    Bounded(u64),
    /// P(more than k bits) ≤ C·ρ^k for some ρ < 1.
    Exponential,
    /// The expected number of bits is finite.
    FiniteMean,
    /// It ends with probability one.
    AlmostSure,
    /// It may never end, or nothing better is known.
    MayNeverEnd,
}

impl Tail {
    /// The tail of one part and then another.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        match (self, other) {
            (Self::Bounded(a), Self::Bounded(b)) => {
                a.checked_add(b).map_or(Self::Exponential, Self::Bounded)
            }
            _ => self.max(other),
        }
    }

    /// The tail of `n` such parts, one after another.
    #[must_use]
    pub fn times(self, n: u64) -> Self {
        match self {
            _ if n == 0 => Self::Bounded(0),
            Self::Bounded(bits) => bits.checked_mul(n).map_or(Self::Exponential, Self::Bounded),
            tail => tail,
        }
    }

    /// The tail of rounds that are repeated until one is the last, where each is the last with a probability that is
    /// bounded away from zero; `bounded` says that it is.
    #[must_use]
    pub fn repeated(self, bounded: bool) -> Self {
        match self {
            _ if !bounded => Self::MayNeverEnd,
            Self::Bounded(0) | Self::FiniteMean | Self::AlmostSure | Self::MayNeverEnd => self,
            Self::Bounded(_) | Self::Exponential => Self::Exponential,
        }
    }

    /// The most fair bits that an answer may take, if there is such a number.
    #[must_use]
    pub const fn max_bits(self) -> Option<u64> {
        match self {
            Self::Bounded(bits) => Some(bits),
            _ => None,
        }
    }
}
