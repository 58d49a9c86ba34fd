//! Two outcomes: one node open on each level, or two below a digit that is undecided.

use num_traits::ToPrimitive;

use super::masses::Masses;
use super::{CACHED, End, Place};
use crate::bits::BitSource;
use crate::law::optimal;

/// The first levels of the tree for two outcomes of probability p and 1 − p.
///
/// On flip k heads gives the answer, by binary digit k of p: 1 is the first outcome. Where the bounds do not tell digit k,
/// neither outcome has a leaf there and both nodes stay open: heads leads to a node whose two children are a leaf of each,
/// tails to one like this one again, since p is then within their width of a dyadic number.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The digits, the first one lowest.
    digits: u64,
    /// How many of them are decided.
    decided: u32,
    /// How many levels end in the cached leaves: one less where the last digit is undecided.
    levels: u32,
    /// The last level, if p is a dyadic number.
    last: Option<u32>,
    /// The probability of the first outcome, if it is a fraction that a source may be asked for.
    ratio: Option<(u64, u64)>,
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
        Self {
            digits: first.reverse_bits(),
            decided,
            levels: if decided == CACHED { CACHED } else { CACHED - 1 },
            last: exact.and_then(optimal::exponent).map(|m| m.to_u32().unwrap_or(u32::MAX)),
            ratio: exact.and_then(|p| Some((p.numer().to_u64()?, p.denom().to_u64()?))),
        }
    }

    #[inline]
    pub(super) fn try_walk<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<End, B::Error> {
        if bits.answers_ratios() {
            if let Some((num, den)) = self.ratio {
                return Ok(leaf(bits.try_ratio(num, den)?));
            }
        }
        if let Some(last) = self.last {
            return self.try_dyadic(last, bits);
        }
        let tails = bits.try_tails()?;
        if tails < u64::from(self.decided) {
            return Ok(leaf(self.digits >> tails & 1 == 1));
        }
        if tails < u64::from(self.levels) {
            return Ok(leaf(bits.try_bit()?));
        }
        Ok(End::Below(Place::root(tails, true)))
    }

    /// A dyadic number has a last digit, and no flip is made beyond it.
    #[inline]
    fn try_dyadic<B: BitSource + ?Sized>(&self, last: u32, bits: &mut B) -> Result<End, B::Error> {
        for level in 0..last.min(CACHED) {
            if bits.try_bit()? {
                return Ok(leaf(self.digits >> level & 1 == 1));
            }
        }
        let below = Place::root(CACHED.into(), false);
        Ok(if last <= CACHED { leaf(false) } else { End::Below(below) })
    }
}

const fn leaf(first: bool) -> End {
    End::Leaf(if first { 0 } else { 1 })
}
