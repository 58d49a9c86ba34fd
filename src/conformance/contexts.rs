use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::evidence::{Claim, Evidence, ln_mean};

/// The most contexts of one length.
const MOST_CONTEXTS: usize = 256;

/// The greatest length of a context.
const MOST_LENGTH: u32 = 8;

/// Evidence that answers depend on the several answers before them, by a mixture over context trees.
///
/// A context is the last d answers; a tree of contexts is a set of them of which every history ends in exactly one. If samples
/// are independent, those that follow one context have the claimed law, whatever came before; so for each tree the product
/// of the contexts' martingales is a martingale. There are more trees than could be gone through one by one, but with half the
/// weight for ending at a context, and half for going on to the ones that are longer by one, the mean over all of them is
///
/// M(c) = ½·e(c) + ½·∏ M(x before c), M(c) = e(c) at the greatest length,
///
/// taken at the empty context (Willems, Shtarkov and Tjalkens 1995, with martingales in place of code lengths). A mean of
/// martingales is one, so at most one check in 1/α reaches 1/α.
#[derive(Clone, Debug)]
pub(super) struct Contexts {
    kinds: usize,
    /// For each length the contexts, by the number whose lowest digit to the base of `kinds` is the last answer.
    levels: Vec<Vec<Evidence>>,
    /// The answers before, in the same way, and how many of them there are.
    history: usize,
    known: usize,
}

impl Contexts {
    /// Against independent samples of the law `claim`, of which so many kinds are told apart in contexts.
    pub(super) fn new(claim: &Arc<Claim>, kinds: usize) -> Self {
        let kinds = kinds.max(2);
        let sizes = (0..=MOST_LENGTH).map_while(|length| kinds.checked_pow(length));
        let sizes = sizes.take_while(|&size| size <= MOST_CONTEXTS);
        let levels = sizes.map(|size| vec![Evidence::of(claim); size]).collect();
        Self { kinds, levels, history: 0, known: 0 }
    }

    /// The same samples against another claim.
    pub(super) fn against(mut self, claim: &Arc<Claim>) -> Self {
        for context in self.levels.iter_mut().flatten() {
            *context = context.clone().against(claim);
        }
        self
    }

    /// Counts the next sample.
    pub(super) fn add(&mut self, outcome: usize) {
        for level in self.levels.iter_mut().take(self.known + 1) {
            let place = self.history % level.len();
            level[place].add(outcome);
        }
        let longest = self.levels.last().map_or(1, Vec::len);
        let kept = self.history % (longest / self.kinds).max(1);
        self.history = kept * self.kinds + outcome % self.kinds;
        self.known = (self.known + 1).min(self.levels.len().saturating_sub(1));
    }

    /// ln of the e-value.
    pub(super) fn ln_e_value(&self) -> f64 {
        let mut longer: Vec<f64> = Vec::new();
        for level in self.levels.iter().rev() {
            let value = |(place, context): (usize, &Evidence)| {
                let own = context.ln_e_value();
                // The contexts that are longer by one, their further answer being the highest digit.
                let further = longer.iter().skip(place).step_by(level.len());
                if longer.is_empty() { own } else { ln_mean(&[own, further.sum()]) }
            };
            longer = level.iter().enumerate().map(value).collect();
        }
        longer.first().copied().unwrap_or(0.0)
    }
}
