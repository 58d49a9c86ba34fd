use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::bits::BitSource;
use crate::machine::Machine;

/// Where a letter leaves its number for the tape: 0 for none, else the number plus one.
#[derive(Debug, Default)]
pub(super) struct Asked {
    next: AtomicU32,
    missed: AtomicBool,
}

impl Asked {
    /// The letter that the next bit stands for.
    pub(super) fn take(&self) -> Option<u32> {
        self.next.swap(0, Ordering::Relaxed).checked_sub(1)
    }

    /// Whether a letter was answered by something else than the tape.
    pub(super) fn missed(&self) -> bool {
        self.missed.load(Ordering::Relaxed)
    }
}

/// A coin of unknown bias, made by the explorer of letters and given to the machine under test.
///
/// - Answers: the flip that the explorer branches on. It leaves its number with the explorer and asks its source for one
///   bit, so it passes through any wrapper of a source; one that draws bits beforehand is found out.
/// - Law: P(heads) = p, a variable. Outside the exploration it is a fair coin.
/// - Expected fair bits: one flip, which the explorer does not count among the fair bits.
/// - Tail: bounded by 1 flip.
/// - Refuses: nothing; only the explorer makes one.
#[derive(Clone, Debug)]
pub struct Letter {
    number: u32,
    asked: Arc<Asked>,
}

impl Letter {
    pub(super) fn new(number: u32, asked: &Arc<Asked>) -> Self {
        Self { number, asked: Arc::clone(asked) }
    }
}

impl Machine for Letter {
    type Output = bool;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<bool, B::Error> {
        self.asked.next.store(self.number + 1, Ordering::Relaxed);
        let answer = bits.try_bit();
        if self.asked.take().is_some() {
            self.asked.missed.store(true, Ordering::Relaxed);
        }
        answer
    }
}
