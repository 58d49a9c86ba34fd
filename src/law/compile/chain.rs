//! Two outcomes: one node open on each level, or two below a digit that is undecided.

use num_traits::ToPrimitive;

use super::CACHED;
use super::masses::Masses;
use crate::bits::BitSource;
use crate::law::optimal;
use crate::ratio::Leading;

/// The first levels of the tree for two outcomes of probability p and 1 − p.
///
/// On flip k heads gives the answer, by binary digit k of p: 1 is the first outcome. Where the bounds do not tell digit k,
/// neither outcome has a leaf there and both nodes stay open: heads leads to a node whose two children are a leaf of each,
/// tails to one like this one again, since p is then within their width of a dyadic number.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The digits that are decided.
    first: Leading,
    /// How many levels end in the cached leaves: one less where the last digit is undecided.
    levels: u32,
    /// The number of the open node below tails on all of them: it is the last one.
    below: usize,
    /// The probability of the first outcome, if it is a fraction that a source may be asked for.
    ratio: Option<(u64, u64)>,
}

/// Where a walk ends: in a leaf, of the first outcome if `true`, or at an open node.
pub(super) enum End {
    Leaf(bool),
    Open { level: u32, node: usize },
}

impl Chain {
    pub(super) fn new<T>(masses: &Masses<T>) -> Self {
        let [first, second] = [0, 1].map(|index| masses.given(index).to_u64().unwrap_or(u64::MAX));
        // After level k there are 2^k − A − B open nodes; from the first undecided digit on there are two.
        let open = |level: u32| {
            let given = |all: u64| u128::from(all >> (CACHED - level));
            (1 << level) - given(first) - given(second)
        };
        let decided = (0..CACHED).find(|level| open(level + 1) > 1).unwrap_or(CACHED);
        let exact = masses.weights().map(|weights| &weights[0]);
        let last = exact.and_then(optimal::exponent);
        let levels = if decided == CACHED { CACHED } else { CACHED - 1 };
        Self {
            // A dyadic number has a last digit, and no flip is made beyond it.
            first: match last.filter(|&last| last <= CACHED.into()) {
                Some(last) => Leading::known(first, last, true),
                None => Leading::known(first, decided.into(), false),
            },
            levels,
            below: usize::try_from(open(levels).saturating_sub(1)).unwrap_or(usize::MAX),
            ratio: exact.and_then(|p| Some((p.numer().to_u64()?, p.denom().to_u64()?))),
        }
    }

    /// The digits that are decided.
    pub(super) const fn first(&self) -> &Leading {
        &self.first
    }

    #[inline]
    pub(super) fn try_walk<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<End, B::Error> {
        if bits.answers_ratios() {
            return self.try_ratios(bits);
        }
        self.try_flips(bits)
    }

    #[inline]
    fn try_flips<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<End, B::Error> {
        match bits.try_tails_within(self.first.len())? {
            Some(tails) => Ok(End::Leaf(self.first.digit(tails))),
            None if self.first.ends() => Ok(End::Leaf(false)),
            None => self.try_undecided(bits),
        }
    }

    /// After tails on every level that is decided.
    #[cold]
    #[inline(never)]
    pub(super) fn try_undecided<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Result<End, B::Error> {
        let undecided = u64::from(self.levels) - self.first.len();
        match bits.try_tails_within(undecided)? {
            Some(_) => Ok(End::Leaf(bits.try_bit()?)),
            None => Ok(End::Open { level: self.levels, node: self.below }),
        }
    }

    /// Let c be the number that the first digits make, of N = 2^32. Heads with c/N; failing that, with 1/(N − c) the walk goes
    /// on below so many tails, as it does with probability 1/N in all, and else tails. What the second coin takes is next to
    /// nothing, so the answer takes its own information.
    #[cold]
    #[inline(never)]
    fn try_ratios<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<End, B::Error> {
        const DIGITS: u32 = 32;
        if let Some((num, den)) = self.ratio {
            return Ok(End::Leaf(bits.try_ratio(num, den)?));
        }
        if self.first.len() < DIGITS.into() {
            return self.try_flips(bits);
        }
        let (first, all) = (self.first.leading(DIGITS), 1 << DIGITS);
        if bits.try_ratio(first, all)? {
            return Ok(End::Leaf(true));
        }
        if bits.try_ratio(1, all - first)? {
            // Only one node is open where all digits are decided.
            return Ok(End::Open { level: DIGITS, node: 0 });
        }
        Ok(End::Leaf(false))
    }
}
