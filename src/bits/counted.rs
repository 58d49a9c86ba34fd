use super::BitSource;

/// A source that counts the fair bits drawn through it.
///
/// Every instruction is answered from single bits, so the count is what the machine really used, also where the source
/// beneath would have answered in another way.
///
/// ```
/// use buffon::{Coin, Counted, Rational, Script};
///
/// let mut bits = Counted::new(Script::from_str("TTH")?);
/// let coin = Rational::<u64>::new(3, 8)?;
/// assert_eq!(coin.try_flip(&mut bits), Ok(true)); // the third digit of 0.011
/// assert_eq!(bits.count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Counted<S> {
    source: S,
    count: u64,
}

impl<S> Counted<S> {
    /// Counts from zero.
    #[must_use]
    pub const fn new(source: S) -> Self {
        Self { source, count: 0 }
    }

    /// How many fair bits have been drawn.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The source back.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.source
    }
}

impl<S: BitSource> BitSource for Counted<S> {
    type Error = S::Error;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, S::Error> {
        let bit = self.source.try_bit()?;
        self.count += 1;
        Ok(bit)
    }
}
