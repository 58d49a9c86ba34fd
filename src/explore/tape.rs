use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::letters::Asked;
use crate::bits::BitSource;
use crate::machine::Machine;

/// What a source is asked: one of so many answers, with these weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// A fair bit.
    Bit,
    /// A flip of the coin of this number, of unknown bias.
    Letter(u32),
    /// A flip of a num/den coin, 0 < num < den.
    Ratio(u64, u64),
    /// A roll of a fair die of n sides, n > 1.
    Below(u64),
    /// A word of n bits, 8 < n <= 64.
    Word(u32),
}

impl Question {
    /// How many answers there are, at most 2^64 − 1: a word is not gone through answer by answer.
    pub(super) const fn answers(self) -> u64 {
        match self {
            Self::Bit | Self::Letter(_) | Self::Ratio(..) => 2,
            Self::Below(n) => n,
            Self::Word(_) => u64::MAX,
        }
    }
}

/// A question and the number of the answer that was given to it.
pub(super) type Step = (Question, u64);

/// In place of the answer to a question that is not for a fair bit.
const OTHER: u8 = 2;

/// A step in a byte.
const fn byte((question, answer): Step) -> u8 {
    match question {
        Question::Bit => (answer == 1) as u8,
        _ => OTHER,
    }
}

/// The tape was asked for more than it may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CutOff;

/// Why nothing that was explored says anything of the machine: it is not a function of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A repeated run asked or answered otherwise: the machine remembers, or draws chance from elsewhere.
    NotReproducible,
    /// The source reported an error and the machine answered all the same.
    ErrorSwallowed,
    /// A letter was flipped through a source that answers from bits it drew beforehand.
    LetterNotSeen,
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotReproducible => {
                "the same bits gave another run: the machine remembers, or has another source of chance"
            }
            Self::ErrorSwallowed => "the source failed and the machine answered all the same",
            Self::LetterNotSeen => "a letter was answered from bits that had been drawn beforehand",
        })
    }
}

/// The source that the explorer gives to a machine: it answers from a path, and lengthens the path by first answers.
#[derive(Debug)]
pub(super) struct Tape {
    path: Vec<Step>,
    /// The path again, a byte a step: the answer to a fair bit, or `OTHER`. A run reads little else.
    flips: Vec<u8>,
    at: usize,
    depth: usize,
    /// Whether the instructions are branched on as one question each, rather than played with fair bits.
    weighted: bool,
    /// Whether a word is a question of its own.
    words: bool,
    /// Where letters leave their number before they ask for a bit.
    asked: Option<Arc<Asked>>,
    /// The question at which this run was cut off.
    cut: Option<Question>,
    fault: Option<Fault>,
}

impl Tape {
    pub(super) const fn new(depth: u32, weighted: bool) -> Self {
        Self {
            path: Vec::new(),
            flips: Vec::new(),
            at: 0,
            depth: depth as usize,
            weighted,
            words: false,
            asked: None,
            cut: None,
            fault: None,
        }
    }

    pub(super) fn with_letters(self, asked: Arc<Asked>) -> Self {
        Self { asked: Some(asked), ..self }
    }

    pub(super) fn with_words(self) -> Self {
        Self { words: true, ..self }
    }

    /// Runs the machine twice on these answers and no more: its answer, or the question that comes next.
    pub(super) fn follow<M: Machine>(
        &mut self,
        machine: &M,
        path: &[Step],
    ) -> (Option<M::Output>, Option<Question>)
    where
        M::Output: PartialEq,
    {
        self.path.clear();
        self.flips.clear();
        path.iter().for_each(|&step| self.push(step));
        self.depth = path.len();
        let first = (self.run(machine), self.cut);
        let again = (self.run(machine), self.cut);
        self.found(Fault::NotReproducible, first != again);
        first
    }

    pub(super) const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    fn found(&mut self, fault: Fault, is_so: bool) {
        if is_so && self.fault.is_none() {
            self.fault = Some(fault);
        }
    }

    /// Runs the machine from the start of the tape; `None` if it was cut off.
    fn run<M: Machine>(&mut self, machine: &M) -> Option<M::Output> {
        (self.at, self.cut) = (0, None);
        let answer = machine.try_sample(self).ok();
        self.found(Fault::NotReproducible, self.at != self.path.len());
        let missed = self.asked.as_deref().is_some_and(Asked::missed);
        self.found(Fault::LetterNotSeen, missed);
        self.found(Fault::ErrorSwallowed, self.cut.is_some() && answer.is_some());
        answer.filter(|_| self.cut.is_none())
    }

    /// Goes on to the next path: the last answer that has a successor is raised, what follows it is dropped.
    ///
    /// So the paths come in order, each prefix-free of the others, and only one is held: memory O(depth).
    fn advance(&mut self) -> bool {
        while let Some((question, answer)) = self.path.pop() {
            self.flips.pop();
            if answer + 1 < question.answers() {
                self.push((question, answer + 1));
                return true;
            }
        }
        false
    }

    fn push(&mut self, step: Step) {
        self.path.push(step);
        self.flips.push(byte(step));
    }

    fn ask(&mut self, question: Question) -> Result<u64, CutOff> {
        let Some(&(asked, answer)) = self.path.get(self.at) else {
            return self.lengthen(question);
        };
        if asked != question {
            self.found(Fault::NotReproducible, true);
        }
        self.at += 1;
        Ok(answer)
    }

    fn lengthen(&mut self, question: Question) -> Result<u64, CutOff> {
        if self.at >= self.depth {
            self.cut = Some(question);
            return Err(CutOff);
        }
        self.push((question, 0));
        self.at += 1;
        Ok(0)
    }
}

impl BitSource for Tape {
    type Error = CutOff;

    #[inline]
    fn try_bit(&mut self) -> Result<bool, CutOff> {
        if self.asked.is_none() {
            if let Some(&flip) = self.flips.get(self.at).filter(|&&flip| flip != OTHER) {
                self.at += 1;
                return Ok(flip == 1);
            }
        }
        let letter = self.asked.as_deref().and_then(Asked::take);
        Ok(self.ask(letter.map_or(Question::Bit, Question::Letter))? == 1)
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, CutOff> {
        let n = n.min(64);
        if self.words && n > 8 {
            return self.ask(Question::Word(n));
        }
        let mut word = 0;
        for place in 0..n {
            word |= u64::from(self.try_bit()?) << place;
        }
        Ok(word)
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

/// One run, as [`walk`] shows it.
pub(super) struct Run<'a, T> {
    pub(super) path: &'a [Step],
    /// The questions from this one on are asked for the first time.
    pub(super) new_from: usize,
    /// `None` where the run was cut off.
    pub(super) answer: Option<T>,
}

/// Runs the machine on every path, in order, and shows each; whether there were no more than `most`.
///
/// One run a path, and a second for the first few and for one in sixteen of the others, picked without a pattern: what
/// these find is the tape's fault, and ends the walk.
pub(super) fn walk<M: Machine>(
    machine: &M,
    tape: &mut Tape,
    most: u64,
    mut visit: impl FnMut(Run<'_, M::Output>),
) -> bool
where
    M::Output: PartialEq,
{
    let mut new_from = 0;
    for run in 0..most {
        let answer = tape.run(machine);
        if run < 32 || run.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 == 0 {
            let again = tape.run(machine);
            tape.found(Fault::NotReproducible, again != answer);
        }
        visit(Run { path: &tape.path, new_from, answer });
        // After a fault nothing means anything, and the paths of a machine with chance of its own may have no end.
        if tape.fault.is_some() || !tape.advance() {
            return true;
        }
        new_from = tape.path.len();
    }
    false
}
