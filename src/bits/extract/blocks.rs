use alloc::vec::Vec;

use crate::error::{BlockError, FlipsEnded};

/// Flips taken in blocks of one length, and the bits that each block gave.
pub(super) struct Blocks<I> {
    flips: I,
    length: usize,
    /// The block that is being filled.
    block: Vec<bool>,
    /// The bits not yet served, the next one last.
    bits: Vec<bool>,
}

impl<I> Blocks<I> {
    pub(super) fn new(flips: I, length: usize) -> Result<Self, BlockError> {
        // A lone flip tells nothing that is fair.
        if length < 2 {
            return Err(BlockError::TooShort);
        }
        Ok(Self { flips, length, block: Vec::new(), bits: Vec::new() })
    }

    #[cfg(feature = "exact")]
    pub(super) const fn length(&self) -> usize {
        self.length
    }

    pub(super) fn into_inner(self) -> I {
        self.flips
    }
}

impl<I: Iterator<Item = bool>> Blocks<I> {
    /// The next bit; `extract` appends the bits of a block. A block that the iterator leaves unfinished waits for the rest.
    pub(super) fn try_bit(
        &mut self,
        extract: impl Fn(&[bool], &mut Vec<bool>),
    ) -> Result<bool, FlipsEnded> {
        loop {
            if let Some(bit) = self.bits.pop() {
                return Ok(bit);
            }
            while self.block.len() < self.length {
                self.block.push(self.flips.next().ok_or(FlipsEnded)?);
            }
            extract(&self.block, &mut self.bits);
            self.bits.reverse();
            self.block.clear();
        }
    }
}
