use super::evidence::Evidence;

/// One false-alarm budget for all the statistics of a suite.
///
/// Each test takes a share; a test with share w fires where its e-value reaches 1/(w·α). Ville's inequality and a union bound
/// say that the whole suite has a false alarm with probability at most α, if the shares add up to at most one; a share that
/// does not fit is not given.
///
/// ```
/// use buffon::conformance::{Evidence, FalseAlarms};
/// let mut suite = FalseAlarms::default(); // 1e-9 in all
/// let share = suite.share(0.25).expect("there is enough left");
/// let coin = Evidence::for_coin(num_rational::BigRational::new(1.into(), 2.into()));
/// assert!(!coin.refutes(share));
/// assert!(suite.share(0.8).is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FalseAlarms {
    alpha: f64,
    left: f64,
}

impl Default for FalseAlarms {
    /// A budget of 1e-9.
    fn default() -> Self {
        Self::new(1e-9)
    }
}

impl FalseAlarms {
    /// A budget of `alpha` in all.
    #[must_use]
    pub const fn new(alpha: f64) -> Self {
        Self { alpha, left: 1.0 }
    }

    /// Takes the share `weight` of the budget, and gives the rate at which its test may fire; `None` if so much is not left.
    pub fn share(&mut self, weight: f64) -> Option<f64> {
        if weight > 0.0 && weight <= self.left {
            self.left -= weight;
            Some(self.alpha * weight)
        } else {
            None
        }
    }

    /// Whether evidence that was given the share `weight` refutes its claim.
    #[must_use]
    pub fn refutes(&self, weight: f64, evidence: &Evidence) -> bool {
        evidence.refutes(self.alpha * weight)
    }
}
