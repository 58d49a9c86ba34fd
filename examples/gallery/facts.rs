//! What is computed, proved and sampled of one machine.

use buffon::explore::{Says, Target};
use buffon::{
    BitBuffer, BitSource, Bracket, Counted, Explorer, KnownLaw, LawError, Machine, Tail, Tree,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::subject::Subject;

/// How many answers are drawn, and how many outcomes are shown.
pub(crate) const SAMPLES: u32 = 10_000;
pub(crate) const SHOWN: usize = 8;
/// Binary digits of a law, for thirty decimals; and of a cost, fewer where a series falls slowly.
const DIGITS: u32 = 106;
const COST_DIGITS: [u32; 3] = [40, 26, 14];
/// How far the compiled code is run: runs in fair bits and through weights.
const RUNS: u64 = 20_000;
const WEIGHED_RUNS: u64 = 2_000;

/// How near the compiled code is to the law, for certain.
#[derive(Debug)]
pub(crate) struct Certified {
    /// The greatest k with a distance of at most 2^-k; `None` if it is zero.
    pub(crate) places: Option<u64>,
    pub(crate) depth: u32,
    pub(crate) runs: u64,
    /// No exact machine of this law has fewer open nodes on any level.
    pub(crate) optimal: bool,
}

/// How a machine is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// To so many levels at most, less where each one takes long.
    Levels(u32),
    /// By whole words, which it reads and which nobody tries one by one.
    Words,
}

/// One outcome: its probability, and how often it came.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) p: Bracket,
    pub(crate) count: u32,
}

#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) outcomes: Vec<Outcome>,
    /// Expected fair bits: proved, or a lower bound.
    pub(crate) bits: Result<Bracket, BigRational>,
    /// The expected fair bits of the optimal tree (Knuth and Yao), and the entropy.
    pub(crate) optimum: f64,
    pub(crate) entropy: f64,
    pub(crate) tail: Tail,
    /// In fair bits; through weights; by words. Where one of them says more than the other it is kept.
    pub(crate) by_bits: Option<Certified>,
    pub(crate) by_weights: Option<Certified>,
    pub(crate) by_words: Option<Certified>,
    /// The states that the tree collapses into, how many were allowed, where their law and cost are the machine's exactly.
    pub(crate) states: Option<(usize, usize)>,
    /// The decision tree to a depth that can be drawn, if it says something there.
    pub(crate) tree: Option<Tree<String>>,
    /// The bits that the samples took on average.
    pub(crate) counted: f64,
}

pub(crate) fn float(p: &BigRational) -> f64 {
    p.to_f64().unwrap_or(f64::NAN)
}

impl Facts {
    /// All of it.
    pub(crate) fn of(subject: &Subject, effort: Effort, seed: u64) -> Result<Self, String> {
        let wanted = Says(subject).wanted(&[], DIGITS).map_err(|error| error.to_string())?;
        let possible = wanted.outcomes().iter().filter(|(_, p)| !p.high().is_zero());
        let mut outcomes: Vec<Outcome> = possible
            .map(|(name, p)| Outcome { name: name.clone(), p: p.clone(), count: 0 })
            .collect();
        outcomes.sort_by_key(|outcome| outcome.name == "tails"); // heads first
        let mut bits = Counted::new(BitBuffer::new(StdRng::seed_from_u64(seed)));
        for _ in 0..SAMPLES {
            let Ok(answer) = subject.try_sample(&mut bits);
            let known = outcomes.iter_mut().find(|outcome| outcome.name == answer);
            known.ok_or(format!("{answer} is no outcome of the law"))?.count += 1;
        }
        let mut costs = COST_DIGITS.iter().map(|&digits| subject.try_expected_bits(digits));
        let told = costs.find(|cost| !matches!(cost, Err(LawError::Undecided)));
        let cost = match told.unwrap_or(Err(LawError::Undecided)) {
            Ok(bits) => Ok(bits),
            Err(LawError::UnboundedCost { at_least }) => Err(at_least),
            Err(error) => return Err(format!("its cost: {error}")),
        };
        let law = || outcomes.iter().map(|outcome| nearest(&outcome.p));
        let (by_bits, by_weights, by_words) = match effort {
            Effort::Words => (None, None, Some(by_words(subject)?)),
            Effort::Levels(depth) => {
                let (bits, weights) = (by_bits(subject, depth)?, by_weights(subject, depth)?);
                // A machine that is one question proves nothing so.
                let says_more = weights.depth > 1
                    && bits.places.is_some_and(|b| weights.places.is_none_or(|w| w > b));
                (Some(bits), says_more.then_some(weights), None)
            }
        };
        let tree = if matches!(effort, Effort::Words) { None } else { tree(subject) };
        Ok(Self {
            optimum: law().map(|p| share(&p)).sum(),
            entropy: law().map(|p| -float(&p) * float(&p).max(f64::MIN_POSITIVE).log2()).sum(),
            tail: subject.tail(),
            states: tree.as_ref().and_then(|_| states(subject, &outcomes, cost.as_ref().ok())),
            bits: cost,
            by_bits,
            by_weights,
            by_words,
            tree,
            counted: bits.count() as f64 / f64::from(SAMPLES),
            outcomes,
        })
    }

    /// The expected fair bits as a number.
    pub(crate) fn expected(&self) -> f64 {
        self.bits.as_ref().map_or_else(float, |bits| float(bits.low()))
    }

    pub(crate) fn is_coin(&self) -> bool {
        self.outcomes.iter().all(|outcome| ["heads", "tails"].contains(&outcome.name.as_str()))
    }
}

/// The dyadic number of few digits in the bracket, if there is one: where a law is 1/2 and no algebra says so. Else its lower end.
pub(crate) fn nearest(p: &Bracket) -> BigRational {
    let grid = BigInt::from(1 << 24);
    let short = p.high() * BigRational::from(grid.clone());
    let short = BigRational::new(short.floor().to_integer(), grid);
    if p.contains(&short) { short } else { p.low().clone() }
}

/// What an outcome adds to the cost of the optimal tree: Σ 2^-k·frac(2^k·p).
pub(crate) fn share(p: &BigRational) -> f64 {
    let (mut rest, mut sum) = (p - p.floor(), 0.0);
    for k in 0..60 {
        sum += float(&rest) / f64::exp2(f64::from(k));
        rest = &rest + &rest;
        if rest >= BigRational::one() {
            rest -= BigRational::one();
        }
    }
    sum
}

fn by_bits(subject: &Subject, depth: u32) -> Result<Certified, String> {
    let tally = Explorer::new(depth).max_runs(RUNS).tally(subject);
    let agreement = tally.against(&Says(subject)).map_err(|refusal| refusal.to_string())?;
    let (places, optimal) = (agreement.places(), agreement.is_optimal());
    Ok(Certified { places, depth: tally.depth(), runs: tally.runs(), optimal })
}

fn by_weights(subject: &Subject, depth: u32) -> Result<Certified, String> {
    let found = Explorer::new(depth).max_runs(WEIGHED_RUNS).weigh(subject);
    let agreement = found.against(&Says(subject), 120).map_err(|refusal| refusal.to_string())?;
    let places = agreement.places();
    Ok(Certified { places, depth: found.depth(), runs: found.runs(), optimal: false })
}

/// A source that has words and no other instructions, so that the machine's own way with them is explored.
struct Words<'a, B: ?Sized>(&'a mut B);

impl<B: BitSource + ?Sized> BitSource for Words<'_, B> {
    type Error = B::Error;

    fn try_bit(&mut self) -> Result<bool, B::Error> {
        self.0.try_bit()
    }

    fn try_bits(&mut self, n: u32) -> Result<u64, B::Error> {
        self.0.try_bits(n)
    }
}

struct OverWords<'a>(&'a Subject);

impl Machine for OverWords<'_> {
    type Output = String;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<String, B::Error> {
        self.0.try_sample(&mut Words(bits))
    }
}

fn by_words(subject: &Subject) -> Result<Certified, String> {
    let found = Explorer::new(2).max_runs(RUNS).words(&OverWords(subject));
    let agreement = found.against(&Says(subject), 120).map_err(|refusal| refusal.to_string())?;
    let places = agreement.places();
    Ok(Certified { places, depth: found.depth(), runs: found.runs(), optimal: false })
}

/// Solves the machine as a chain of few states, if its law is rational and its tree looks like one.
fn states(
    subject: &Subject,
    outcomes: &[Outcome],
    bits: Option<&Bracket>,
) -> Option<(usize, usize)> {
    let rational = outcomes.iter().all(|outcome| outcome.p.is_exact());
    let tree = rational.then(|| Explorer::new(64).max_runs(RUNS).tree(subject))?;
    if tree.open() == BigRational::zero() {
        return None; // it is exact already
    }
    let most = tree.depth() as usize / 2;
    let chain = tree.collapse(most)?;
    let law = outcomes.iter().all(|outcome| chain.probability(&outcome.name) == *outcome.p.low());
    let cost = chain.expected_bits().zip(bits).is_none_or(|(found, bits)| bits.contains(&found));
    (law && cost).then_some((chain.states(), most))
}

/// The deepest tree that makes a good picture.
fn tree(subject: &Subject) -> Option<Tree<String>> {
    let tree = |depth| Explorer::new(depth).tree(subject);
    let good = |tree: &Tree<String>| tree.runs() <= 128;
    (1..=8).rev().map(tree).find(good).filter(|tree| !tree.outcomes().is_empty())
}
