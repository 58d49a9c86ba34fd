use super::weighted_tree::Optimal;
use super::weights::Weight;
use super::whole::{Whole, by_weights};
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
/// This is the chooser to take first: no exact one costs fewer bits, and the first flips, a few more than log2 n, are read by
/// one look at a table. [`Alias`](crate::Alias) takes a whole word for each answer, and less time, above all for long lists;
/// [`Sequential`](crate::Sequential) needs no table.
///
/// A source that [answers ratios](BitSource::answers_ratios) is asked for at most ⌈log2 n⌉ coins that halve the list, however
/// large W is: a [`Recycler`](crate::Recycler) draws H bits for an answer.
///
/// Memory: 16 bytes a weight for n weights, about 2·log2 n + 20 more for the leaves of the first 2·log2 n + 8 levels of the
/// tree, or 128 KiB for all 64 levels if that is more, and 64 KiB or less for the first flips; about n·log2 n steps build it. Levels
/// below are reached by less than one sample in 256·n, and computed then without allocation.
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
    weights: Whole,
    table: Optimal,
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
    /// more. [`TooMany`](WeightError::TooMany) for more than 2^26 of them.
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
        Ok(Self::from_whole(Whole::new(weights)?))
    }
}

by_weights!(Weighted, Optimal);
