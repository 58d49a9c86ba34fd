use crate::bits::BitSource;
use crate::coin::Coin;
use crate::coins::Fair;
use crate::machine::Machine;

/// The fair choice between three by hand: toss until both faces have appeared.
///
/// - Answers: 0 if that took an odd number of tosses; otherwise 1 if the last one was heads, 2 if it was tails.
/// - Law: 1/3 each. After the first toss, r more fall like it with probability 2^-(r+1), and the tosses are r + 2: odd for
///   r = 1, 3, …, which is 1/4 + 1/16 + … = 1/3; otherwise the first toss was either face with the same chance.
/// - Expected fair bits: 3. A [`Die`](crate::Die) of three sides takes 8/3; this one needs no arithmetic.
/// - Tail: P(more than k bits) = 2^(1−k) for k ≥ 1; two infinite strings, one face for ever, give no answer.
/// - Refuses: nothing.
/// - Source: "Professor Madeupsky's method" (everything2, after K. Buhr). It is the slicing at 1/3 and 2/3 with heads read as
///   zero on the first, third, … toss and as one on the others: 1/3 is 0.0101… in binary and 2/3 is 0.1010…
///
/// ```
/// use buffon::{Machine, Script, ThreeWay};
/// assert_eq!(ThreeWay.try_sample(&mut Script::from_str("HHT")?), Ok(0)); // three tosses
/// assert_eq!(ThreeWay.try_sample(&mut Script::from_str("TH")?), Ok(1)); // two, heads last
/// assert_eq!(ThreeWay.try_sample(&mut Script::from_str("HHHT")?), Ok(2)); // four, tails last
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct ThreeWay;

impl ThreeWay {
    /// The method as a graph: one toss, then a run of tosses like it, of which only the parity counts.
    #[inline]
    fn graph() -> impl Machine<Output = usize> {
        Fair.and_then(|first| {
            let like_it = Fair.map(move |toss| toss == first);
            like_it.parity_of_run().map(move |even| match (even, first) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => 2,
            })
        })
    }
}

impl Machine for ThreeWay {
    type Output = usize;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<usize, B::Error> {
        Self::graph().try_sample(bits)
    }
}
