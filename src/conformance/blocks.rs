//! Machines that read whole words: their law by bisection, see [`Explorer::words`].

use alloc::vec::Vec;
use core::cell::Cell;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::deep::Steady;
use super::evidence::Evidence;
use super::finding::Finding;
use super::report::ByWords;
use crate::bits::{BitSource, Budget, Counted};
use crate::explore::{Explorer, Refusal, Side, Target, Weighed};
use crate::law::Bracket;
use crate::machine::Machine;

/// Places to which the target is told.
const PRECISION: u32 = 256;

/// Runs of one bisection.
const MOST_RUNS: u64 = 1 << 12;

/// Samples that have to agree with what bisection found.
const SAMPLES: u64 = 1 << 12;

/// A machine that reads the same bits, but draws them in words of `bits` and serves one end of a word first: so a word that is put
/// together from parts, or bit by bit, is one question.
struct Blocks<'m, M> {
    machine: &'m M,
    bits: u32,
    upper_first: bool,
    /// Whether more than one word was asked for.
    more: Cell<bool>,
}

impl<M: Machine> Machine for Blocks<'_, M> {
    type Output = M::Output;

    fn try_sample<B: BitSource + ?Sized>(&self, source: &mut B) -> Result<M::Output, B::Error> {
        let mut block = Block { source, of: self, words: 0, word: 0, left: 0 };
        self.machine.try_sample(&mut block)
    }
}

struct Block<'b, M, B: ?Sized> {
    source: &'b mut B,
    of: &'b Blocks<'b, M>,
    words: u32,
    /// The bits that are left, at its lower end.
    word: u64,
    left: u32,
}

impl<M, B: BitSource + ?Sized> BitSource for Block<'_, M, B> {
    type Error = B::Error;

    fn try_bit(&mut self) -> Result<bool, B::Error> {
        Ok(self.try_bits(1)? == 1)
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, B::Error> {
        let (wanted, mut bits, mut got) = (n.min(64), 0u64, 0);
        while got < wanted {
            if self.left == 0 {
                self.words += 1;
                self.of.more.set(self.of.more.get() || self.words > 1);
                (self.word, self.left) = (self.source.try_bits(self.of.bits)?, self.of.bits);
            }
            let part = (wanted - got).min(self.left);
            self.left -= part;
            let mask = u64::MAX >> (64 - part);
            if self.of.upper_first {
                bits = bits.checked_shl(part).unwrap_or(0) | ((self.word >> self.left) & mask);
            } else {
                bits |= (self.word & mask) << got;
                self.word = self.word.checked_shr(part).unwrap_or(0);
            }
            got += part;
        }
        Ok(bits)
    }
}

/// A machine that reads the same bits in its own words, and makes all instructions of them.
struct Plain<'m, M>(&'m M);

impl<M: Machine> Machine for Plain<'_, M> {
    type Output = M::Output;

    fn try_sample<B: BitSource + ?Sized>(&self, source: &mut B) -> Result<M::Output, B::Error> {
        self.0.try_sample(&mut PlainBits(source))
    }
}

struct PlainBits<'b, B: ?Sized>(&'b mut B);

impl<B: BitSource + ?Sized> BitSource for PlainBits<'_, B> {
    type Error = B::Error;

    fn try_bit(&mut self) -> Result<bool, B::Error> {
        self.0.try_bit()
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, B::Error> {
        self.0.try_bits(n)
    }
}

/// What some samples were: the outcomes, how often each came, and the fewest bits of one.
struct Sampled<T> {
    counts: Vec<(T, u64)>,
    fewest: u64,
}

fn sample<M: Machine>(machine: &M) -> Sampled<M::Output>
where
    M::Output: PartialEq,
{
    let mut sampled = Sampled { counts: Vec::new(), fewest: u64::MAX };
    let steady = &mut Steady::new(17);
    for _ in 0..SAMPLES {
        let mut bits = Counted::new(Budget::new(&mut *steady, 1 << 12));
        let Ok(outcome) = machine.try_sample(&mut bits) else { continue };
        sampled.fewest = sampled.fewest.min(bits.count());
        match sampled.counts.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, count)) => *count += 1,
            None => sampled.counts.push((outcome, 1)),
        }
    }
    sampled
}

/// What bisection says of a machine next to its target; `None` if it says nothing.
pub(super) fn compare<M, A>(
    machine: &M,
    target: &A,
    runs: u64,
) -> Option<Result<ByWords, Finding<M::Output>>>
where
    M: Machine,
    M::Output: PartialEq + Clone,
    A: Target<M::Output>,
{
    let sampled = sample(machine);
    let explorer = |depth| Explorer::new(depth).max_runs(runs.min(MOST_RUNS));
    let bits = u32::try_from(sampled.fewest).ok().filter(|bits| (9..=64).contains(bits));
    let one_word = Cell::new(None);
    let in_blocks = |upper_first| {
        let blocks = Blocks { machine, bits: bits?, upper_first, more: Cell::new(false) };
        let (found, alike) = explorer(1).checked_words(&blocks);
        one_word.set((!blocks.more.get()).then_some(blocks.bits));
        // A word that is refused, and another one drawn, is open after the first. Where that is rare it can be followed.
        let rare = BigRational::new(BigInt::one(), BigInt::one() << 20);
        if found.open().is_zero() || *found.open() > rare {
            return alike.then_some(found);
        }
        let (deeper, alike) =
            Explorer::new(2).max_runs(runs.min(12 * MOST_RUNS)).checked_words(&blocks);
        Some(if deeper.open() < found.open() { deeper } else { found }).filter(|_| alike)
    };
    let plain = |depth| {
        let (found, alike) = explorer(depth).checked_words(&Plain(machine));
        alike.then_some(found)
    };
    let attempts: [&dyn Fn() -> Option<Weighed<M::Output>>; 4] =
        [&|| in_blocks(true), &|| in_blocks(false), &|| plain(1), &|| plain(3)];
    // What is read in blocks need not be read in words again.
    let attempts = if bits.is_some() { &attempts[..2] } else { &attempts[2..] };
    for found in attempts.iter().filter_map(|explore| explore()) {
        if !is_plausible(&found, &sampled) {
            continue;
        }
        let (asked, open) = (found.expected_bits(16).low().clone(), found.open().clone());
        match found.against(target, PRECISION) {
            Ok(agreement) if open < BigRational::new(BigInt::one(), 2.into()) => {
                return Some(Ok(ByWords { agreement, asked, open }));
            }
            Ok(_) => {}
            Err(Refusal::Contradiction(found)) => {
                let at_least = found.side() == Side::AtLeast;
                let (outcome, target) = (found.outcome().clone(), found.target().clone());
                let found = found.found().clone();
                return Some(Err(Finding::Words { outcome, at_least, found, target }));
            }
            Err(other) => return Some(Err(Finding::Law(other))),
        }
    }
    no_multiple(target, &sampled, one_word.get()?).map(Err)
}

/// An outcome whose probability is no multiple of 2^-bits.
fn no_multiple<T, A>(target: &A, sampled: &Sampled<T>, bits: u32) -> Option<Finding<T>>
where
    T: PartialEq + Clone,
    A: Target<T>,
{
    let seen: Vec<T> = sampled.counts.iter().map(|(outcome, _)| outcome.clone()).collect();
    let scale = BigRational::from_integer(BigInt::one() << bits);
    let none = |p: &Bracket| (p.high() * &scale).floor() < (p.low() * &scale).ceil();
    let wanted = target.wanted(&seen, PRECISION).ok()?;
    let (outcome, target) = wanted.outcomes().iter().find(|(_, p)| none(p))?.clone();
    Some(Finding::NoMultiple { outcome, target, bits })
}

/// Whether something was found and the samples do not refute it: they do where the machine takes a remainder or mixes the bits
/// of its words, so that bisection was misled.
fn is_plausible<T: PartialEq>(found: &Weighed<T>, sampled: &Sampled<T>) -> bool {
    if found.fault().is_some() {
        return true;
    }
    let all: u64 = sampled.counts.iter().map(|(_, count)| count).sum();
    let fits = |(outcome, count): &(T, u64)| {
        let (p, share) =
            (found.probability(outcome), BigRational::new((*count).into(), all.into()));
        let mut evidence = Evidence::for_coin(share.max(p.low().clone()).min(p.high().clone()));
        evidence.add_many(0, *count);
        evidence.add_many(1, all - count);
        !evidence.refutes(1e-6)
    };
    !found.masses().is_empty() && sampled.counts.iter().take(64).all(fits)
}
