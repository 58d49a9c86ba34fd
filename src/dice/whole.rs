//! Weights as whole numbers, as every chooser keeps them.

use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};

use super::weights::{Value, Weight, whole_numbers};
use crate::bits::{BitSource, try_halve};
use crate::error::WeightError;
use crate::ratio::double;

/// The most weights: tables name outcomes by 26 bits.
const MOST: usize = 1 << 26;

/// Weights as whole numbers without a common factor, added up.
#[derive(Clone)]
pub(crate) struct Whole {
    /// Weight i is the difference of end i and the end before it.
    ends: Vec<u128>,
    /// What is multiplied by the whole numbers to give the weights as they were stated.
    unit: Value,
}

impl Whole {
    /// The whole numbers in the proportion of the given weights.
    pub(crate) fn new<I>(weights: I) -> Result<Self, WeightError>
    where
        I: IntoIterator,
        I::Item: Weight,
    {
        let values = weights.into_iter().enumerate().map(|(index, weight)| weight.value(index));
        Self::from_values(values.collect::<Result<_, _>>()?)
    }

    /// The same after some weights have been replaced.
    pub(crate) fn updated<W: Weight>(&self, changes: &[(usize, W)]) -> Result<Self, WeightError> {
        let stated = |weight| self.unit.times(weight).ok_or(WeightError::Overflow);
        let mut values = self.weights().map(stated).collect::<Result<Vec<_>, _>>()?;
        for (index, weight) in changes {
            let index = *index;
            let value = values.get_mut(index).ok_or(WeightError::NoSuchIndex { index })?;
            *value = weight.value(index)?;
        }
        Self::from_values(values)
    }

    #[inline]
    pub(crate) fn weights(&self) -> impl ExactSizeIterator<Item = u128> + Clone + '_ {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let weight = end - start;
            start = end;
            weight
        })
    }

    #[inline]
    pub(crate) fn total(&self) -> u128 {
        self.ends.last().copied().unwrap_or(0)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The only outcome of a positive weight, if there is no other.
    pub(crate) fn certain(&self) -> Option<usize> {
        let total = self.total();
        self.weights().position(|weight| weight == total)
    }

    /// For each weight ⌊2^width·w/W⌋, its first `width` binary digits; `width` is at most 64, and no outcome certain.
    #[allow(clippy::cast_possible_truncation, reason = "w/W is below 1")]
    pub(crate) fn shares(&self, width: u32) -> impl Iterator<Item = u64> + '_ {
        let total = self.total();
        self.weights().map(move |mut rest| {
            if total >> 64 == 0 {
                return ((rest << width) / total) as u64;
            }
            (0..width).fold(0, |share, _| share << 1 | u64::from(double(&mut rest, &total)))
        })
    }

    /// Chooses by coins, if the source answers ratios.
    #[inline]
    pub(crate) fn try_halve<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Result<Option<usize>, B::Error> {
        if !bits.answers_ratios() {
            return Ok(None);
        }
        try_halve(self.len(), |index| self.ends[index], bits).map(Some)
    }

    fn from_values(values: Vec<Value>) -> Result<Self, WeightError> {
        if values.is_empty() {
            return Err(WeightError::Empty);
        }
        if values.len() > MOST {
            return Err(WeightError::TooMany);
        }
        let (mut ends, unit) = whole_numbers(values)?;
        let mut total = 0u128;
        for end in &mut ends {
            total = total.checked_add(*end).ok_or(WeightError::Overflow)?;
            *end = total;
        }
        Ok(Self { ends, unit })
    }
}

impl PartialEq for Whole {
    /// Equal as laws, whatever the unit.
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends
    }
}

impl Eq for Whole {}

impl Hash for Whole {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ends.hash(state);
    }
}

impl Debug for Whole {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.weights()).finish()
    }
}

/// What the choosers have in common that keep their weights and a `table` made of them.
macro_rules! by_weights {
    ($name:ident, $table:ty) => {
        impl $name {
            fn from_whole(weights: Whole) -> Self {
                Self { table: <$table>::new(&weights), weights }
            }

            /// Replaces the weight at each index given, on the scale of the weights as they were stated; of two changes to
            /// one index the later one holds.
            ///
            /// All or nothing, and as much work as building anew.
            ///
            /// # Errors
            ///
            /// [`NoSuchIndex`](WeightError::NoSuchIndex), or what [`new`](Self::new) refuses; the chooser is then as it was.
            ///
            /// ```
            #[doc = concat!("use buffon::{", stringify!($name), ", WeightError};")]
            #[doc = concat!("let mut chooser = ", stringify!($name), "::new([1000, 9000, 6000])?;")]
            /// chooser.update(&[(1, 2000), (2, 0)])?;
            /// assert!(chooser.weights().eq([1, 2, 0]));
            /// assert_eq!(chooser.update(&[(0, 5), (3, 1)]), Err(WeightError::NoSuchIndex { index: 3 }));
            /// assert!(chooser.weights().eq([1, 2, 0]));
            /// # Ok::<(), WeightError>(())
            /// ```
            pub fn update<W: Weight>(&mut self, changes: &[(usize, W)]) -> Result<(), WeightError> {
                *self = Self::from_whole(self.weights.updated(changes)?);
                Ok(())
            }

            /// The weights as whole numbers without a common factor.
            #[must_use]
            pub fn weights(&self) -> impl ExactSizeIterator<Item = u128> + Clone + '_ {
                self.weights.weights()
            }

            /// The sum of [`weights`](Self::weights).
            #[must_use]
            pub fn total(&self) -> u128 {
                self.weights.total()
            }
        }

        impl Machine for $name {
            type Output = usize;

            #[inline]
            fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
                match self.weights.try_halve(bits)? {
                    Some(outcome) => Ok(outcome),
                    None => self.table.try_choose(&self.weights, bits),
                }
            }
        }

        impl PartialEq for $name {
            /// Equal as laws, whatever the common factor of the weights was.
            fn eq(&self, other: &Self) -> bool {
                self.weights == other.weights
            }
        }

        impl Eq for $name {}

        impl core::hash::Hash for $name {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.weights.hash(state);
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut debug = f.debug_struct(stringify!($name));
                debug.field("weights", &self.weights).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use by_weights;
