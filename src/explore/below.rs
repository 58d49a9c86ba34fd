use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use super::tree::Tree;
use crate::bits::BitSource;
#[cfg(feature = "conformance")]
use crate::bits::Counted;
use crate::machine::Machine;

/// A machine, given that it takes more bits than a tree is deep. Made by [`Tree::below`].
///
/// - Answers: as the machine, from a start at an open node of the tree, each equally likely.
/// - Law: P(x | more than depth bits), exactly: the open nodes have equal mass.
/// - Expected fair bits: those of a roll among the open nodes, and E[T − depth | T > depth] of the machine.
/// - Tail: the machine's.
/// - Refuses: see [`Tree::below`].
#[derive(Clone)]
pub struct Below<M> {
    machine: M,
    /// The open prefixes, one after the other.
    prefixes: Vec<bool>,
    depth: usize,
    count: u64,
}

impl<M: Debug> Debug for Below<M> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { machine, depth, count, .. } = self;
        f.debug_struct("Below")
            .field("machine", machine)
            .field("depth", depth)
            .field("open", count)
            .finish_non_exhaustive()
    }
}

impl<T> Tree<T> {
    /// The machine that this is the tree of, given that it takes more bits than the tree is deep; `None` if nothing is open.
    ///
    /// A fault that shows only deep down hardly ever occurs in plain samples. Below the depth it is the rule, and its effect
    /// is magnified by 1/[`open`](Self::open): a difference of δ in a probability becomes δ/r. The target of such samples is
    /// (p − [`mass`](Self::mass))/r.
    ///
    /// ```
    /// use buffon::{Machine, OneOver, Script, explore, parity_of_run};
    /// let inverse_e = parity_of_run(OneOver::new);
    /// let below = explore(&inverse_e, 3).below(inverse_e).ok_or("nothing is open")?;
    /// assert_eq!(below.open_nodes(), 2); // after HTT and HTH
    /// assert_eq!(below.try_sample(&mut Script::from_str("HH")?), Ok(false)); // the second of them, then H
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn below<M: Machine<Output = T>>(&self, machine: M) -> Option<Below<M>> {
        let (mut prefixes, mut count) = (Vec::new(), 0);
        for leaf in self.leaves().filter(|leaf| leaf.outcome().is_none()) {
            prefixes.extend_from_slice(leaf.prefix());
            count += 1;
        }
        (count > 0).then(|| Below { machine, prefixes, depth: self.depth() as usize, count })
    }
}

impl<M> Below<M> {
    /// The number of open nodes among which it chooses.
    #[must_use]
    pub const fn open_nodes(&self) -> u64 {
        self.count
    }
}

impl<M: Machine> Below<M> {
    /// A sample, and how many bits it took beyond the depth.
    #[cfg(feature = "conformance")]
    pub(crate) fn try_counted<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Result<(M::Output, u64), B::Error> {
        let mut bits = Counted::new(self.at_node(bits)?);
        let answer = self.machine.try_sample(&mut bits)?;
        Ok((answer, bits.count().saturating_sub(self.depth as u64)))
    }

    /// The flips that lead to an open node, each equally likely, and then those of the source.
    fn at_node<'a, B: BitSource + ?Sized>(
        &'a self,
        bits: &'a mut B,
    ) -> Result<Prefixed<'a, B>, B::Error> {
        let node = usize::try_from(bits.try_below(self.count)?).unwrap_or(usize::MAX);
        let start = node.saturating_mul(self.depth);
        let prefix = self.prefixes.get(start..start.saturating_add(self.depth)).unwrap_or_default();
        Ok(Prefixed { prefix, bits })
    }
}

/// A source that answers written flips first, and then those of another source. Its instructions are made of flips.
struct Prefixed<'a, B: ?Sized> {
    prefix: &'a [bool],
    bits: &'a mut B,
}

impl<B: BitSource + ?Sized> BitSource for Prefixed<'_, B> {
    type Error = B::Error;

    fn try_bit(&mut self) -> Result<bool, B::Error> {
        match self.prefix.split_first() {
            Some((&flip, rest)) => {
                self.prefix = rest;
                Ok(flip)
            }
            None => self.bits.try_bit(),
        }
    }
}

impl<M: Machine> Machine for Below<M> {
    type Output = M::Output;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<M::Output, B::Error> {
        self.machine.try_sample(&mut self.at_node(bits)?)
    }
}
