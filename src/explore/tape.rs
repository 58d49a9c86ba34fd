use alloc::vec::Vec;

use crate::bits::BitSource;
use crate::machine::Machine;

/// What a source is asked: one of so many answers, with these weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// A fair bit.
    Bit,
    /// A flip of a num/den coin, 0 < num < den.
    Ratio(u64, u64),
    /// A roll of a fair die of n sides, n > 1.
    Below(u64),
}

impl Question {
    const fn answers(self) -> u64 {
        match self {
            Self::Bit | Self::Ratio(..) => 2,
            Self::Below(n) => n,
        }
    }
}

/// The tape was asked for more than it may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CutOff;

/// The source that the explorer gives to a machine: it answers from a path, and lengthens the path by first answers.
#[derive(Debug)]
pub(super) struct Tape {
    path: Vec<(Question, u64)>,
    at: usize,
    depth: usize,
    /// Whether the instructions are branched on as one question each, rather than played with fair bits.
    weighted: bool,
    /// Whether a replay asked something else than the run before it: the machine has another source of chance.
    strayed: bool,
}

impl Tape {
    pub(super) const fn new(depth: usize, weighted: bool) -> Self {
        Self { path: Vec::new(), at: 0, depth, weighted, strayed: false }
    }

    /// The answers of the last run, in order.
    pub(super) fn path(&self) -> &[(Question, u64)] {
        &self.path
    }

    pub(super) const fn strayed(&self) -> bool {
        self.strayed
    }

    /// Runs the machine from the start of the tape; `None` if it was cut off.
    pub(super) fn run<M: Machine>(&mut self, machine: &M) -> Option<M::Output> {
        self.at = 0;
        let answer = machine.try_sample(self);
        self.strayed |= self.at != self.path.len();
        answer.ok()
    }

    /// Goes on to the next path: the last answer that has a successor is raised, what follows it is dropped.
    ///
    /// So the paths come in order, each prefix-free of the others, and only one is held: memory O(depth).
    pub(super) fn advance(&mut self) -> bool {
        while let Some((question, answer)) = self.path.pop() {
            if answer + 1 < question.answers() {
                self.path.push((question, answer + 1));
                return true;
            }
        }
        false
    }

    fn ask(&mut self, question: Question) -> Result<u64, CutOff> {
        if self.at == self.path.len() {
            if self.at == self.depth {
                return Err(CutOff);
            }
            self.path.push((question, 0));
        }
        let (asked, answer) = self.path[self.at];
        self.strayed |= asked != question;
        self.at += 1;
        Ok(answer)
    }
}

impl BitSource for Tape {
    type Error = CutOff;

    fn try_bit(&mut self) -> Result<bool, CutOff> {
        Ok(self.ask(Question::Bit)? == 1)
    }

    fn try_ratio(&mut self, num: u64, den: u64) -> Result<bool, CutOff> {
        if num == 0 || num >= den {
            return Ok(num >= den);
        }
        if self.weighted {
            return Ok(self.ask(Question::Ratio(num, den))? == 1);
        }
        crate::bits::try_rational(&num, &den, self)
    }

    fn try_below(&mut self, n: u64) -> Result<u64, CutOff> {
        if n > 1 && self.weighted {
            return self.ask(Question::Below(n));
        }
        crate::bits::try_roll(n, self)
    }

    fn answers_ratios(&self) -> bool {
        self.weighted
    }
}

/// Runs the machine on every path, in order, and shows each with its answer; `None` where it was cut off.
///
/// One run a path, and a second for one in sixteen: whether all runs asked and answered alike is the result.
pub(super) fn walk<M: Machine>(
    machine: &M,
    mut tape: Tape,
    mut visit: impl FnMut(&[(Question, u64)], Option<M::Output>),
) -> bool
where
    M::Output: PartialEq,
{
    let mut runs = 0u64;
    let mut alike = true;
    loop {
        let answer = tape.run(machine);
        if runs % 16 == 0 {
            alike &= tape.run(machine) == answer;
        }
        runs += 1;
        visit(tape.path(), answer);
        if !tape.advance() {
            return alike && !tape.strayed();
        }
    }
}
