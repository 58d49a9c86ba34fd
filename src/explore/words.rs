use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::explorer::Explorer;
use super::tape::{Question, Step, Tape};
use super::weighed::{Weighed, weight};
use crate::machine::Machine;

/// How many numbers inside an interval are tried before it is taken to be alike.
const PROBES: u64 = 4;

/// How many more are tried, of the intervals of the first word.
#[cfg(feature = "conformance")]
const VERIFIED: u64 = 512;

impl Explorer {
    /// The masses of a machine that reads whole words, such as one of another library over a random number generator.
    ///
    /// To read 64 bits at once is to ask for one of 2^64 answers, which nobody tries one by one. Here a word is one question,
    /// of `try_bits(n)` with n > 8, and its answers are split into intervals: halved again and again where the machine goes
    /// on differently after their ends, and taken to be alike where both ends and four numbers between them agree in law and
    /// cost. *What is found is proved on the assumption that they are.* It holds for machines that compare words with
    /// thresholds or multiply and shift them, and hardly ever for those that take a remainder.
    ///
    /// The depth counts questions; other instructions are questions as in [`weigh`](Self::weigh). At
    /// [`max_runs`](Self::max_runs) it stops where it stands: what was not explored is open. A run takes up a few words of
    /// stack for each question.
    ///
    /// ```
    /// use buffon::{Explorer, from_fn};
    /// // A threshold for 1/3 of 2^64: as close as can be, and yet not 1/3.
    /// let threshold = from_fn(|bits| Ok(bits.try_bits(64)? < u64::MAX / 3));
    /// let found = Explorer::new(1).words(&threshold);
    /// assert_eq!(found.mass(&true), num_rational::BigRational::new((u64::MAX / 3).into(), (1u128 << 64).into()));
    /// let third = num_rational::BigRational::new(1.into(), 3.into());
    /// let refusal = found.against(&third, 64).unwrap_err();
    /// assert_eq!(refusal.to_string(), "P(heads) is at most 0.333333333333333333315263… at depth 1, target 1/3");
    /// ```
    pub fn words<M: Machine>(self, machine: &M) -> Weighed<M::Output>
    where
        M::Output: PartialEq + Clone,
    {
        self.search(machine).0
    }

    /// The same, and whether as many probes again of the intervals of the first word bear out that they are alike: where the
    /// machine takes a remainder, say, some are taken to be so by chance.
    #[cfg(feature = "conformance")]
    pub(crate) fn checked_words<M: Machine>(self, machine: &M) -> (Weighed<M::Output>, bool)
    where
        M::Output: PartialEq + Clone,
    {
        let (found, mut search) = self.search(machine);
        let most = found.runs.saturating_mul(2).saturating_add(VERIFIED);
        search.explorer = search.explorer.max_runs(most);
        let alike = core::mem::take(&mut search.alike);
        for (k, (question, [low, high], known)) in (0..VERIFIED).zip(alike.iter().cycle()) {
            let at = low + mixed(low ^ high.rotate_left(32), k) % (high - low).max(1);
            let again = search.after(&mut Vec::new(), (*question, at));
            if search.runs >= most {
                break; // it may not have come to its end
            }
            if !again.is_like(known) {
                return (found, false);
            }
        }
        (found, true)
    }

    fn search<M: Machine>(self, machine: &M) -> (Weighed<M::Output>, Search<'_, M>)
    where
        M::Output: PartialEq + Clone,
    {
        let tape = Tape::new(0, true).with_words();
        let mut search = Search { explorer: self, machine, tape, runs: 0, alike: Vec::new() };
        let mut found = search.below(&mut Vec::new());
        found.depth = self.depth();
        found.runs = search.runs;
        found.fault = search.tape.fault();
        (found, search)
    }
}

/// A walk over intervals.
struct Search<'a, M: Machine> {
    explorer: Explorer,
    machine: &'a M,
    tape: Tape,
    runs: u64,
    /// The intervals of the first word that were taken to be alike.
    alike: Vec<Interval<M::Output>>,
}

/// A question, the ends of an interval of its answers, and what follows each of them.
type Interval<T> = (Question, [u64; 2], Weighed<T>);

/// A number without a pattern.
const fn mixed(seed: u64, k: u64) -> u64 {
    let mixed = seed.wrapping_add(k).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

impl<M: Machine> Search<'_, M>
where
    M::Output: PartialEq + Clone,
{
    /// What the machine does after these answers.
    fn below(&mut self, path: &mut Vec<Step>) -> Weighed<M::Output> {
        let mut found = Weighed::nothing();
        if self.runs >= self.explorer.most_runs() || self.tape.fault().is_some() {
            found.add(&BigRational::one(), None);
            return found;
        }
        self.runs += 1;
        let (answer, question) = self.tape.follow(self.machine, path);
        let question = match (answer, question) {
            (None, Some(question)) if path.len() < self.explorer.depth() as usize => question,
            (answer, _) => {
                found.add(&BigRational::one(), answer);
                return found;
            }
        };
        found.asked.insert(question, BigRational::one());
        match question {
            Question::Word(n) => {
                let last = u64::MAX.checked_shr(64 - n).unwrap_or(0);
                let unit = BigRational::new(BigInt::one(), BigInt::one() << n);
                let (low, high) =
                    (self.after(path, (question, 0)), self.after(path, (question, last)));
                self.between(path, question, [(0, low), (last, high)], &unit, &mut found);
            }
            _ => {
                for answer in 0..question.answers() {
                    let step = (question, answer);
                    let part = self.after(path, step);
                    found.gather(&part, &weight(step));
                }
            }
        }
        found
    }

    fn after(&mut self, path: &mut Vec<Step>, step: Step) -> Weighed<M::Output> {
        path.push(step);
        let found = self.below(path);
        path.pop();
        found
    }

    /// Adds up an interval of answers to a word, both ends included, of which each has the weight `unit`.
    fn between(
        &mut self,
        path: &mut Vec<Step>,
        question: Question,
        [(low, at_low), (high, at_high)]: [(u64, Weighed<M::Output>); 2],
        unit: &BigRational,
        found: &mut Weighed<M::Output>,
    ) {
        let width = high - low;
        if width <= 1 {
            found.gather(&at_low, unit);
            if width == 1 {
                found.gather(&at_high, unit);
            }
            return;
        }
        let mut middle = low + width / 2;
        if at_low.is_like(&at_high) {
            // Somewhere within each quarter, without a pattern.
            let part = width / PROBES;
            let probe =
                |k: u64| low + k * part + mixed(low ^ high.rotate_left(32), k) % part.max(1);
            let mut probes = (0..PROBES).map(probe).filter(|&at| low < at && at < high);
            match probes.find(|&at| !self.after(path, (question, at)).is_like(&at_low)) {
                Some(other) => middle = other,
                None => {
                    let count = BigRational::from_integer(BigInt::from(width) + 1);
                    found.gather(&at_low, &(unit * count));
                    if path.is_empty() {
                        self.alike.push((question, [low, high], at_low));
                    }
                    return;
                }
            }
        }
        let next = if middle == low { middle + 1 } else { middle };
        let (left, right) =
            (self.after(path, (question, next - 1)), self.after(path, (question, next)));
        self.between(path, question, [(low, at_low), (next - 1, left)], unit, found);
        self.between(path, question, [(next, right), (high, at_high)], unit, found);
    }
}

impl<T> Weighed<T> {
    fn nothing() -> Self {
        Self {
            masses: Vec::new(),
            open: BigRational::zero(),
            asked: BTreeMap::new(),
            depth: 0,
            runs: 0,
            open_runs: 0,
            fault: None,
        }
    }
}

impl<T: PartialEq + Clone> Weighed<T> {
    /// Adds another's masses, times a weight.
    fn gather(&mut self, other: &Self, weight: &BigRational) {
        for (outcome, mass) in &other.masses {
            self.raise(outcome.clone(), &(mass * weight));
        }
        self.open += &other.open * weight;
        self.open_runs += other.open_runs;
        for (&question, times) in &other.asked {
            *self.asked.entry(question).or_insert_with(BigRational::zero) += times * weight;
        }
    }

    /// Whether law and cost are the same.
    fn is_like(&self, other: &Self) -> bool {
        let same = |(outcome, mass): &(T, BigRational)| other.mass(outcome) == *mass;
        self.open == other.open
            && self.asked == other.asked
            && self.masses.len() == other.masses.len()
            && self.masses.iter().all(same)
    }
}
