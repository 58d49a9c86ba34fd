//! Evidence against a claimed law, valid at any time: e-processes by Dirichlet mixtures.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use statrs::function::gamma::ln_gamma;

/// The concentrations 4^0 … 4^39 that the mixture averages over, so that biases of every size are looked for at once.
const CONCENTRATIONS: i32 = 40;

/// Numerical slack in the logarithm, subtracted before a verdict: more than all rounding errors together.
const SLACK: f64 = 1e-3;

/// A smaller probability is taken for this one, which floats can tell from zero.
const LEAST: f64 = 1e-300;

/// Evidence from independent samples against the claim that their law is a given one.
///
/// After counts N of n samples it is M = B(cp + N)/B(cp) / Π p^N for a Dirichlet prior of concentration c around the claim p,
/// averaged over forty values of c. If the claim is true M is a nonnegative martingale that starts at 1, so by Ville's
/// inequality P(M ever reaches 1/α) ≤ α: one may look after every sample and stop when one likes.
///
/// For a claim that is not known exactly, pass the nearest law that is allowed: see [`Evidence::for_coin`].
///
/// The number M is computed in floating point, with its error far below the slack that is subtracted from it. No float takes
/// part in sampling.
#[derive(Clone, Debug)]
pub struct Evidence {
    claim: Arc<Claim>,
    counts: Vec<u64>,
}

/// A claimed law, exactly and in floats.
#[derive(Debug)]
pub(super) struct Claim {
    exact: Vec<BigRational>,
    floats: Vec<f64>,
}

impl Claim {
    pub(super) fn new(exact: Vec<BigRational>) -> Arc<Self> {
        let floats = exact.iter().map(float).collect();
        Arc::new(Self { exact, floats })
    }
}

impl Evidence {
    /// Against the law that gives outcome i the probability `claim[i]`; outcomes that are not listed are impossible.
    #[must_use]
    pub fn new(claim: Vec<BigRational>) -> Self {
        Self::of(&Claim::new(claim))
    }

    /// Against a coin with this probability of heads: outcome 0 is heads and outcome 1 tails.
    #[must_use]
    pub fn for_coin(heads: BigRational) -> Self {
        let tails = BigRational::from_integer(1.into()) - &heads;
        Self::new(vec![heads, tails])
    }

    /// Against a law that others are held against too.
    pub(super) fn of(claim: &Arc<Claim>) -> Self {
        Self { claim: Arc::clone(claim), counts: vec![0; claim.exact.len()] }
    }

    /// The same counts against another claim: the outcomes without a count do not matter, so it may be chosen when it is known
    /// which have one.
    pub(super) fn against(mut self, claim: &Arc<Claim>) -> Self {
        self.claim = Arc::clone(claim);
        self.counts.resize(claim.exact.len().max(self.counts.len()), 0);
        self
    }

    /// Counts one sample of the outcome with this index; one that the claim does not list is impossible.
    pub fn add(&mut self, outcome: usize) {
        self.add_many(outcome, 1);
    }

    /// Counts `times` samples of one outcome.
    pub fn add_many(&mut self, outcome: usize, times: u64) {
        if outcome >= self.counts.len() {
            self.counts.resize(outcome + 1, 0);
        }
        self.counts[outcome] = self.counts[outcome].saturating_add(times);
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many samples have been counted.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// ln M: at least ln(1/α) with probability at most α, ever, if the claim is true. Infinite if an impossible outcome was
    /// seen.
    #[must_use]
    pub fn ln_e_value(&self) -> f64 {
        let total = BigRational::from_integer(self.samples().into());
        let n = whole(self.samples());
        let mut cells = Vec::new();
        // Outcomes without a count are a factor of 1, each or all together.
        let mut others = 0.0;
        for (place, &count) in self.counts.iter().enumerate() {
            let Claim { exact, floats } = &*self.claim;
            if count == 0 {
                others += floats.get(place).copied().unwrap_or(0.0);
                continue;
            }
            let Some(p) = exact.get(place).filter(|p| !p.is_zero()) else { return f64::INFINITY };
            // The surplus over what is expected is formed exactly: in floats its leading digits would cancel.
            let surplus = BigRational::from_integer(count.into()) - p * &total;
            let p = floats.get(place).map_or(LEAST, |p| p.max(LEAST));
            cells.push(Cell { p, count: whole(count), surplus: float(&surplus) });
        }
        if others > 0.0 {
            cells.push(Cell { p: others, count: 0.0, surplus: -n * others });
        }
        let terms: Vec<f64> =
            (0..CONCENTRATIONS).map(|j| ln_mixture(&cells, 4f64.powi(j))).collect();
        ln_mean(&terms) - SLACK
    }

    /// Whether the claim is refuted at the false-alarm rate `alpha`.
    #[must_use]
    pub fn refutes(&self, alpha: f64) -> bool {
        self.ln_e_value() >= -alpha.ln()
    }
}

/// ln of the mean of numbers that are given by their logarithms.
pub(super) fn ln_mean(terms: &[f64]) -> f64 {
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() || terms.is_empty() {
        return most;
    }
    let sum: f64 = terms.iter().map(|term| (term - most).exp()).sum();
    most + (sum / whole(terms.len() as u64)).ln()
}

fn whole(number: u64) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

fn float(number: &BigRational) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

/// One outcome: its claimed probability, its count N, and N − np.
#[derive(Clone, Copy, Debug)]
struct Cell {
    p: f64,
    count: f64,
    surplus: f64,
}

/// ln of the martingale for concentration c. With A = cp + N, a = cp for each outcome, N = c + n in all, and δ the remainder of
/// Stirling's series, it is
///
/// Σ D(A, Np) − ½[Σ ln(A/a) − ln(N/c)] + Σ δ(A) − δ(N) − Σ δ(a) + δ(c),
///
/// where D(x, y) = x·ln(x/y) + y − x is small where x is near y, so nothing cancels.
fn ln_mixture(cells: &[Cell], c: f64) -> f64 {
    let n: f64 = cells.iter().map(|cell| cell.count).sum();
    let all = c + n;
    let mut sum = 0.5 * (all / c).ln() - delta(all) + delta(c);
    for cell in cells {
        let prior = c * cell.p;
        let posterior = prior + cell.count;
        sum += deviance(posterior, all * cell.p, cell.surplus);
        sum += delta(posterior) - delta(prior) - 0.5 * (posterior / prior).ln();
    }
    sum
}

/// D(x, y) = x·ln(x/y) + y − x, given x − y exactly (Loader 2000).
fn deviance(x: f64, y: f64, difference: f64) -> f64 {
    let ratio = difference / (x + y);
    if ratio.abs() >= 0.1 {
        return x * (x / y).ln() - difference;
    }
    // With v = (x − y)/(x + y), ln(x/y) = 2·artanh v, whose series converges at once.
    let square = ratio * ratio;
    let mut sum = difference * ratio;
    let mut term = 2.0 * x * ratio;
    for odd in (3..).step_by(2) {
        term *= square;
        let next = sum + term / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// ln Γ(x) − (x − ½)·ln x + x − ½·ln 2π.
fn delta(x: f64) -> f64 {
    if x < 16.0 {
        return ln_gamma(x) - (x - 0.5) * x.ln() + x - 0.5 * core::f64::consts::TAU.ln();
    }
    let square = x * x;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / x
}
