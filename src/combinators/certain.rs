use crate::bits::BitSource;
use crate::machine::Machine;

/// The machine that always answers the same, without a bit.
///
/// - Answers: a clone of what it was made with.
/// - Law: that answer with probability 1.
/// - Expected fair bits: 0; it never touches the source.
/// - Tail: bounded by 0 bits.
/// - Refuses: nothing.
///
/// With [`mix`](crate::Coin::mix) it turns the two sides of a coin into any two answers.
///
/// ```
/// use buffon::{Certain, Coin, Fair, Machine, Script};
/// let word = Fair.mix(Certain::new("yes"), Certain::new("no"));
/// assert_eq!(word.try_sample(&mut Script::from_str("T")?), Ok("no"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Certain<T> {
    answer: T,
}

impl<T> Certain<T> {
    /// The machine that always answers this.
    #[inline]
    pub const fn new(answer: T) -> Self {
        Self { answer }
    }

    /// The answer.
    #[must_use]
    pub const fn answer(&self) -> &T {
        &self.answer
    }
}

impl<T: Clone> Machine for Certain<T> {
    type Output = T;

    #[inline(always)]
    fn try_sample<B: BitSource + ?Sized>(&self, _: &mut B) -> Result<T, B::Error> {
        Ok(self.answer.clone())
    }
}
