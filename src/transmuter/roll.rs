use crate::error::RollOutOfRange;

/// What a converter takes for a roll: a whole number from 0 up, a flip, or the result of asking for one.
///
/// A result with the caller's own error passes that error on, so rolls may come from a device or from another converter.
pub trait Roll {
    /// What can be wrong with it.
    type Error: From<RollOutOfRange>;

    /// The side that was rolled, below `sides`.
    ///
    /// # Errors
    ///
    /// [`RollOutOfRange`] if a die of so many sides has no such side; the roll's own error if it is one.
    fn side(self, sides: u64) -> Result<u32, Self::Error>;
}

/// Checks a side of a die of at most 2^32 sides.
fn checked(roll: u64, sides: u64) -> Result<u32, RollOutOfRange> {
    let side = u32::try_from(roll).ok().filter(|_| roll < sides);
    side.ok_or(RollOutOfRange { roll, sides })
}

macro_rules! whole_numbers {
    ($($int:ty)+) => {$(
        impl Roll for $int {
            type Error = RollOutOfRange;

            #[inline]
            fn side(self, sides: u64) -> Result<u32, RollOutOfRange> {
                checked(self.into(), sides)
            }
        }
    )+};
}
whole_numbers!(bool u8 u16 u32 u64);

impl<T: Roll<Error = RollOutOfRange>, E: From<RollOutOfRange>> Roll for Result<T, E> {
    type Error = E;

    #[inline]
    fn side(self, sides: u64) -> Result<u32, E> {
        Ok(self?.side(sides)?)
    }
}
