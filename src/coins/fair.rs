use crate::bits::BitSource;
use crate::machine::Machine;

/// The fair coin: one fair bit.
///
/// - Answers: heads or tails.
/// - Law: 1/2.
/// - Expected fair bits: 1.
/// - Tail: bounded by 1 bit.
/// - Refuses: nothing.
///
/// ```
/// use buffon::{Coin, Fair, Script};
/// assert_eq!(Fair.try_flip(&mut Script::from_str("H")?), Ok(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Fair;

impl Machine for Fair {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        bits.try_bit()
    }
}

/// A coin that is certain, one way or the other.
macro_rules! certain {
    ($name:ident, $answer:literal, $side:literal, $p:literal) => {
        #[doc = concat!("The coin that is always ", $side, ".")]
        ///
        #[doc = concat!("- Answers: ", $side, ".")]
        #[doc = concat!("- Law: ", $p, ".")]
        /// - Expected fair bits: 0; it never touches the source.
        /// - Tail: bounded by 0 bits.
        /// - Refuses: nothing.
        ///
        /// ```
        #[doc = concat!("use buffon::{Coin, ", stringify!($name), ", Script};")]
        #[doc = concat!("let answer = ", stringify!($name), ".try_flip(&mut Script::from_str(\"\")?);")]
        #[doc = concat!("assert_eq!(answer, Ok(", stringify!($answer), "));")]
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Machine for $name {
            type Output = bool;

            #[inline]
            fn try_sample<B: BitSource + ?Sized>(&self, _: &mut B) -> Result<bool, B::Error> {
                Ok($answer)
            }
        }
    };
}

certain!(Always, true, "heads", "1");
certain!(Never, false, "tails", "0");
