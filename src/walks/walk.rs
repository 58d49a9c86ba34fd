use crate::bits::BitSource;
use crate::coin::Coin;
use crate::combinators::Not;
use crate::machine::Machine;

/// A walk on the whole numbers that a coin may end at each step: heads if it comes to 0 before.
///
/// - Answers: from the starting height, again and again: the coin λ is flipped, and tails is the answer if it is tails; a step is
///   sampled and added; heads is the answer at height 0. A step that jumps over 0 goes on at the other side.
/// - Law: the mean of λ^τ, where τ ≥ 1 is the first step after which the height is 0: λ has to be heads τ times.
/// - Expected fair bits: with f = P(heads), λ is flipped R times on average and the steps λR times, at c_λ and c_step each, where
///   R = (1 − f)/(1 − λ): each round that does not end by 0 ends by λ with probability 1 − λ, and that happens with 1 − f.
/// - Tail: exponential for λ < 1. For λ = 1 it is that of τ, whose mean may be infinite, and which may never come.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §3; heights beyond ±2^63 saturate, which no run of this universe meets.
///
/// ```
/// use buffon::{Coin, Fair, Machine, Script, walks::Walk};
/// let walk = Walk::new(1, Fair, Fair.map(|up| if up { 1 } else { -1 }));
/// assert_eq!(walk.try_flip(&mut Script::from_str("HT")?), Ok(true)); // goes on, down to 0
/// assert_eq!(walk.try_flip(&mut Script::from_str("HHT")?), Ok(false)); // goes on, up to 2, ended
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Walk<L, S> {
    pub(super) start: i64,
    pub(super) lambda: L,
    pub(super) step: S,
}

impl<L: Coin, S: Machine<Output = i64>> Walk<L, S> {
    /// The walk from `start` that goes on while `lambda` is heads.
    pub const fn new(start: i64, lambda: L, step: S) -> Self {
        Self { start, lambda, step }
    }
}

impl<L: Coin, S: Machine<Output = i64>> Machine for Walk<L, S> {
    type Output = bool;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        let mut height = self.start;
        while self.lambda.try_flip(bits)? {
            height = height.saturating_add(self.step.try_sample(bits)?);
            if height == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Two steps of a fair walk up or down, in units of two: 1, 0 or −1 with probabilities 1/4, 1/2, 1/4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct TwoSteps;

impl Machine for TwoSteps {
    type Output = i64;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<i64, B::Error> {
        Ok(i64::from(bits.try_bit()?) - i64::from(!bits.try_bit()?))
    }
}

/// Created by [`first_return`]. See its documentation for more.
pub type FirstReturn<L> = Not<Walk<L, TwoSteps>>;

/// The coin of probability √(1 − λ), by a fair walk that has not come back.
///
/// - Answers: heads if λ, flipped before each pair of steps of a fair walk, is tails before the walk is back at 0.
/// - Law: √(1 − λ): the first return τ of a fair walk has mean z^τ of 1 − √(1 − z²), with z² = λ for a pair of steps.
/// - Expected fair bits: (c_λ + 2λ)/√(1 − λ): 2.8284 for a fair λ. λ is flipped 1/√(1 − λ) times.
/// - Tail: exponential for λ < 1; for λ = 1 it ends with probability one, after an infinite mean.
/// - Refuses: nothing.
/// - Source: Flajolet, Pelletier, Soria 2011, §3.1, with the flip of λ before the steps that it may save.
///
/// ```
/// use buffon::{Coin, Fair, Script, walks::first_return};
/// let coin = first_return(Fair); // √½
/// assert_eq!(coin.try_flip(&mut Script::from_str("HHT")?), Ok(false)); // up and down: back
/// assert_eq!(coin.try_flip(&mut Script::from_str("HHHT")?), Ok(true)); // two up, then λ is tails
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_return<L: Coin>(lambda: L) -> FirstReturn<L> {
    Walk::new(0, lambda, TwoSteps).not()
}

/// The change of a stack of nodes when one is taken off: a leaf after tails, and after heads as many children as stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a machine does nothing until it is sampled"]
pub struct Branching {
    pub(super) children: u32,
}

impl Machine for Branching {
    type Output = i64;

    #[inline]
    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<i64, B::Error> {
        Ok(if bits.try_bit()? { i64::from(self.children) - 1 } else { -1 })
    }
}

/// Created by [`grammar`]. See its documentation for more.
pub type Grammar<L> = Walk<L, Branching>;

/// A tree of a grammar, letter by letter: heads if the tree T → letter | letter T…T is finished while λ is heads at each letter.
///
/// - Answers: nodes are taken off a stack that holds one at first; for each, λ is flipped, tails ending it all; then a fair bit says
///   whether the node is a leaf or has `children` children, which go on the stack. Heads when the stack is empty.
/// - Law: the least root of 2T = λ(1 + T^children), since the tree is a leaf or `children` trees. For 2 it is
///   (1 − √(1 − λ²))/λ, 2 − √3 for a fair λ; for 3 and a fair λ 0.2541016884….
/// - Expected fair bits: (c_λ + λ)(1 − T)/(1 − λ): 3(√3 − 1) = 2.1962 and 2.2377 for those.
/// - Tail: exponential for λ < 1.
/// - Refuses: nothing. The stack is a counter, so depth is no concern.
/// - Source: Flajolet, Pelletier, Soria 2011, §3.2.
///
/// ```
/// use buffon::{Coin, Fair, Script, walks::grammar};
/// let ternary = grammar(Fair, 3);
/// assert_eq!(ternary.try_flip(&mut Script::from_str("HT")?), Ok(true)); // λ, a leaf
/// assert_eq!(ternary.try_flip(&mut Script::from_str("HHT")?), Ok(false)); // λ, three children, ended
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grammar<L: Coin>(lambda: L, children: u32) -> Grammar<L> {
    Walk::new(1, lambda, Branching { children })
}
