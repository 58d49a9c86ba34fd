use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};

use super::weighted_tree::Levels;
use super::weights::{Value, Weight, Whole};
use crate::bits::BitSource;
use crate::error::WeightError;
use crate::machine::Machine;

/// A chooser among weights, optimal in fair bits: outcome i in proportion to weight i.
///
/// - Answers: an index of the list of weights, by the optimal tree of Knuth and Yao. On each level heads comes before
///   tails, and leaves, in the order of their indices, before nodes that go on. Two weights answer as the coin: index 0 where
///   [`Rational`](crate::Rational) w₀/(w₀ + w₁) answers heads.
/// - Law: P(i) = w_i/W exactly, where W = Σ w_j: with d_k binary digit k of w_i/W, the tree has d_k leaves of i on level k, and
///   Σ 2^-k·d_k = w_i/W. A weight of zero is never chosen.
/// - Expected fair bits: Σ_i Σ_k k·2^-k·d_k(w_i/W), the optimum, which is at least the entropy H and less than H + 2: 15/8 for
///   1, 9, 6; 2 for 1, 2, 3. A weight of zero costs nothing, and a single positive weight costs 0.
/// - Tail: P(more than k bits) = 2^-k·Σ_i frac(2^k·w_i/W), less than m·2^-k for m positive weights, and the least possible for
///   every k. Bounded by b bits for W = 2^b, once common factors are divided out. For any other W some infinite strings give
///   no answer.
/// - Refuses: see [`new`](Self::new).
/// - Source: Knuth and Yao 1976.
///
/// A source that [answers ratios](BitSource::answers_ratios) is asked for one roll below W, if W is less than 2^64.
///
/// Memory: 16 bytes a weight for n weights, and about 2·log2 n + 20 more for the leaves of the first 2·log2 n + 8 levels of the
/// tree; as many steps build it. Levels below are reached by less than one sample in 256·n, and computed then without
/// allocation.
///
/// ```
/// use buffon::{Machine, Script, Weighted};
/// // Common factors do not matter: 1/16, 9/16 and 6/16.
/// let chooser = Weighted::new([1000, 9000, 6000])?;
/// assert_eq!(chooser.try_sample(&mut Script::from_str("H")?), Ok(1)); // 9/16 = 0.1001 in binary
/// assert_eq!(chooser.try_sample(&mut Script::from_str("TH")?), Ok(2)); // 6/16 = 0.0110
/// assert_eq!(chooser.try_sample(&mut Script::from_str("TTTH")?), Ok(0)); // 1/16 = 0.0001
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Weighted {
    /// Cumulative: weight i is the difference of this end and the one before it.
    ends: Vec<u128>,
    unit: Value,
    levels: Levels,
}

impl Weighted {
    /// The chooser among `weights`: any list, by value or by reference, of integers, `f64` or `f32` (each standing for the
    /// exact dyadic number it stores, −0.0 for 0), and with the feature `exact` of `BigUint` or `num_rational::Ratio`.
    ///
    /// # Errors
    ///
    /// [`Empty`](WeightError::Empty) if there is no weight and [`AllZero`](WeightError::AllZero) if none is positive.
    /// [`Negative`](WeightError::Negative), [`NotFinite`](WeightError::NotFinite) or
    /// [`ZeroDenominator`](WeightError::ZeroDenominator), with its index, for the first weight that is so.
    /// [`Overflow`](WeightError::Overflow) if the weights, as whole numbers without a common factor, add up to 2^128 or
    /// more. [`TooMany`](WeightError::TooMany) for more than 2^32 of them.
    ///
    /// ```
    /// use buffon::{WeightError, Weighted};
    /// assert_eq!(Weighted::new(&[0.1, 0.2])?.total(), 3); // stored as c·2^-55 and c·2^-54
    /// assert_eq!(Weighted::new([3, -1]).unwrap_err(), WeightError::Negative { index: 1 });
    /// assert_eq!(Weighted::new([1.0, f64::NAN]).unwrap_err(), WeightError::NotFinite { index: 1 });
    /// # Ok::<(), buffon::WeightError>(())
    /// ```
    pub fn new<I>(weights: I) -> Result<Self, WeightError>
    where
        I: IntoIterator,
        I::Item: Weight,
    {
        Self::from_whole(Whole::new(weights)?)
    }

    fn from_whole(whole: Whole) -> Result<Self, WeightError> {
        let levels = Levels::new(&whole.weights, whole.total)?;
        let sums = whole.weights.iter().scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Ok(Self { ends: sums.collect(), unit: whole.into_unit(), levels })
    }

    /// Replaces the weight at each index given, on the scale of the weights as they were stated; of two changes to one
    /// index the later one holds.
    ///
    /// All or nothing, and as much work as building anew.
    ///
    /// # Errors
    ///
    /// [`NoSuchIndex`](WeightError::NoSuchIndex), or what [`new`](Self::new) refuses; the chooser is then as it was.
    ///
    /// ```
    /// use buffon::{WeightError, Weighted};
    /// let mut chooser = Weighted::new([1000, 9000, 6000])?;
    /// chooser.update(&[(1, 2000), (2, 0)])?;
    /// assert!(chooser.weights().eq([1, 2, 0]));
    /// assert_eq!(chooser.update(&[(0, 5), (3, 1)]), Err(WeightError::NoSuchIndex { index: 3 }));
    /// assert!(chooser.weights().eq([1, 2, 0]));
    /// # Ok::<(), buffon::WeightError>(())
    /// ```
    pub fn update<W: Weight>(&mut self, changes: &[(usize, W)]) -> Result<(), WeightError> {
        *self = Self::from_whole(Whole::updated(self.weights(), &self.unit, changes)?)?;
        Ok(())
    }

    /// The weights as whole numbers without a common factor.
    #[must_use]
    pub fn weights(&self) -> impl ExactSizeIterator<Item = u128> + Clone + '_ {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let weight = end - start;
            start = end;
            weight
        })
    }

    /// The sum of [`weights`](Self::weights).
    #[must_use]
    pub fn total(&self) -> u128 {
        self.ends.last().copied().unwrap_or(0)
    }
}

impl Machine for Weighted {
    type Output = usize;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
        let total = self.total();
        if bits.answers_ratios() {
            if let Ok(total) = u64::try_from(total) {
                let roll = u128::from(bits.try_below(total)?);
                return Ok(self.ends.partition_point(|&end| end <= roll));
            }
        }
        self.levels.try_walk(self.weights(), total, bits)
    }
}

impl PartialEq for Weighted {
    /// Equal as laws, whatever the common factor of the weights was.
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends
    }
}

impl Eq for Weighted {}

impl Hash for Weighted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ends.hash(state);
    }
}

impl Debug for Weighted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        struct Weights<'a>(&'a Weighted);
        impl Debug for Weights<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.0.weights()).finish()
            }
        }
        f.debug_struct("Weighted").field("weights", &Weights(self)).finish_non_exhaustive()
    }
}
