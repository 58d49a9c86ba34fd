use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use num_rational::BigRational;

use super::contexts::Contexts;
use super::evidence::{Claim, Evidence, ln_mean};

/// How far back the tests of dependence look.
const LAGS: [usize; 8] = [1, 2, 3, 4, 8, 16, 32, 64];

/// The most kinds of earlier answer that are told apart.
const MOST_KINDS: usize = 16;

/// Evidence that answers depend on earlier ones.
///
/// For each lag the samples are sorted by the answer so many places before. If they are independent, each of these rows has
/// the claimed law, whichever samples it is made of; so the product of the rows' martingales is one, and so is the mean over
/// lags. What depends on several earlier answers at once, and on none of them alone, is found by their contexts, up to the eight
/// last answers of two kinds: a mixture over context trees, which has half of the weight.
#[derive(Clone, Debug)]
pub struct Dependence {
    last: Vec<usize>,
    next: usize,
    rows: Vec<Vec<Evidence>>,
    contexts: Contexts,
}

impl Dependence {
    /// Against independent samples of the law `claim`.
    #[must_use]
    pub fn new(claim: &[BigRational]) -> Self {
        let kinds = claim.len().clamp(2, MOST_KINDS);
        let claim = Claim::new(claim.to_vec());
        let row = vec![Evidence::of(&claim); kinds];
        let contexts = Contexts::new(&claim, kinds);
        Self { last: Vec::new(), next: 0, rows: vec![row; LAGS.len()], contexts }
    }

    /// The same samples against another claim.
    pub(super) fn against(mut self, claim: &Arc<Claim>) -> Self {
        for row in self.rows.iter_mut().flatten() {
            *row = row.clone().against(claim);
        }
        self.contexts = self.contexts.against(claim);
        self
    }

    /// Counts the next sample.
    pub fn add(&mut self, outcome: usize) {
        self.contexts.add(outcome);
        for (row, lag) in self.rows.iter_mut().zip(LAGS) {
            let len = self.last.len();
            if lag <= len {
                // `last` is a ring once it is full; `next` is the place of the oldest.
                let earlier = self.last[(self.next + len - lag) % len];
                let kinds = row.len();
                row[earlier % kinds].add(outcome);
            }
        }
        if self.last.len() < 64 {
            self.last.push(outcome);
        } else {
            self.last[self.next] = outcome;
            self.next = (self.next + 1) % 64;
        }
    }

    /// ln of the e-value, as [`Evidence::ln_e_value`].
    #[must_use]
    pub fn ln_e_value(&self) -> f64 {
        let products: Vec<f64> =
            self.rows.iter().map(|row| row.iter().map(Evidence::ln_e_value).sum()).collect();
        ln_mean(&[ln_mean(&products), self.contexts.ln_e_value()])
    }
}
