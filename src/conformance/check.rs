use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use num_rational::BigRational;
use num_traits::{One, Zero};
use rand_core::TryRng;

use super::dependence::Dependence;
use super::evidence::{Evidence, ln_mean};
use super::report::{Finding, Report};
use super::words::thresholds;
use crate::bits::{BitBuffer, BitSource, Budget, Counted};
use crate::error::BudgetError;
use crate::explore::{Each, Explorer, Says, Target, Tree, Wanted, in_a_row};
use crate::law::{Bracket, KnownLaw, Law};
use crate::machine::Machine;

/// Places to which the target is told for evidence: so fine that no number of samples notices.
const PRECISION: u32 = 256;

/// More fair bits than a sample may take: it is then taken for stuck.
const MOST_BITS: u64 = 1 << 20;

/// Checks a machine; say against what, how deep, and with how many samples.
///
/// It explores the compiled machine on every string of fair bits, alone and twice in a row, and compares the exact masses with
/// the target; then, if samples are asked for, it weighs the evidence of those. A refusal by the first is a proof; one by the second
/// is wrong with probability at most [`alpha`](Check::alpha).
///
/// ```
/// use buffon::{Rational, conformance};
/// use num_rational::BigRational;
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let mut rng = StdRng::seed_from_u64(1);
/// let coin = Rational::<u64>::new(1, 3)?;
/// let third = BigRational::new(1.into(), 3.into());
/// let report = conformance::check(&coin).against(third).depth(40).samples(10_000).run(&mut rng)?;
/// assert!(report.conforms());
/// assert_eq!(report.distance(), Some(&BigRational::new(1.into(), (1u64 << 40).into())));
///
/// let wrong = Rational::<u64>::new(5, 8)?;
/// let target = BigRational::new(3.into(), 5.into());
/// let report = conformance::check(&wrong).against(target).depth(40).run(&mut rng)?;
/// assert!(report.to_string().contains("P(heads) is at least 5/8 after prefix TTH, target 3/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check<M: Machine>(machine: &M) -> Check<'_, M, Nothing> {
    Check { machine, target: Nothing, settings: Settings::default() }
}

/// No target has been named yet.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

/// Created by [`check`]. See its documentation for more.
#[derive(Clone)]
#[must_use = "a check does nothing until it is run"]
pub struct Check<'m, M, A> {
    machine: &'m M,
    target: A,
    settings: Settings,
}

#[derive(Clone, Debug)]
struct Settings {
    depth: u32,
    max_runs: u64,
    samples: u64,
    alpha: f64,
    optimal: bool,
    cost: Option<Bracket>,
    tail: Option<(u32, BigRational)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            depth: 40,
            max_runs: 1 << 16,
            samples: 0,
            alpha: 1e-9,
            optimal: false,
            cost: None,
            tail: None,
        }
    }
}

impl<M: Debug, A> Debug for Check<'_, M, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("machine", self.machine)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl<'m, M: Machine> Check<'m, M, Nothing> {
    /// The law that the machine should have: a rational or a bracket for a coin, a table, a function, a law, or
    /// [`Says(other)`](Says) for what another machine says of its law. See [`Target`].
    pub fn against<A: Target<M::Output>>(self, target: A) -> Check<'m, M, A> {
        Check { machine: self.machine, target, settings: self.settings }
    }

    /// The law and the cost that the machine itself states.
    pub fn against_itself(self) -> Check<'m, M, Says<&'m M>>
    where
        M: KnownLaw,
        M::Output: PartialEq,
    {
        let mut settings = self.settings;
        settings.cost = self.machine.try_expected_bits(64).ok();
        Check { machine: self.machine, target: Says(self.machine), settings }
    }
}

impl<M, A> Check<'_, M, A> {
    /// How many fair bits deep to explore; 40 if this is not said.
    pub const fn depth(mut self, depth: u32) -> Self {
        self.settings.depth = depth;
        self
    }

    /// How many runs to explore at most, 65,536 if this is not said: a tree that branches is then explored less deep.
    pub const fn max_runs(mut self, runs: u64) -> Self {
        self.settings.max_runs = runs;
        self
    }

    /// How many samples to draw; none if this is not said.
    pub const fn samples(mut self, samples: u64) -> Self {
        self.settings.samples = samples;
        self
    }

    /// The false-alarm rate of all the statistics together, 1e-9 if this is not said.
    pub const fn alpha(mut self, alpha: f64) -> Self {
        self.settings.alpha = alpha;
        self
    }

    /// Claims that no exact machine for the target draws fewer bits, on any level.
    pub const fn optimal(mut self) -> Self {
        self.settings.optimal = true;
        self
    }

    /// Claims that the expected fair bits are within this bracket.
    pub fn cost(mut self, bits: Bracket) -> Self {
        self.settings.cost = Some(bits);
        self
    }

    /// Claims that P(more than k + `levels` bits) ≤ `ratio`·P(more than k bits) for every k.
    pub fn tail(mut self, levels: u32, ratio: BigRational) -> Self {
        self.settings.tail = Some((levels, ratio));
        self
    }
}

impl<M, A> Check<'_, M, A>
where
    M: Machine,
    M::Output: PartialEq + Clone + Debug,
    A: Target<M::Output>,
{
    /// Runs the check; `rng` is drawn from only if samples were asked for.
    ///
    /// # Errors
    ///
    /// The generator's own error.
    pub fn run<R: TryRng + ?Sized>(&self, rng: &mut R) -> Result<Report<M::Output>, R::Error> {
        let (tree, mut report) = self.proofs();
        if report.conforms() && self.settings.samples > 0 {
            self.sample(&tree, rng, &mut report)?;
        }
        Ok(report)
    }

    /// Runs the part of the check that needs no samples.
    #[must_use]
    pub fn explored(&self) -> Report<M::Output> {
        self.proofs().1
    }

    fn proofs(&self) -> (Tree<M::Output>, Report<M::Output>) {
        let explorer = Explorer::new(self.settings.depth).max_runs(self.settings.max_runs);
        let tree = explorer.tree(self.machine);
        let mut report = Report::new(&tree);
        self.compare(&tree, &mut report);
        self.claims(&tree, &mut report);
        if report.conforms() {
            self.twice(&mut report);
        }
        (tree, report)
    }

    /// The exact masses against the target.
    fn compare(&self, tree: &Tree<M::Output>, report: &mut Report<M::Output>) {
        match tree.against(&self.target) {
            Ok(agreement) => report.agreement = Some(agreement),
            Err(refusal) => return report.refuse(Finding::Law(refusal)),
        }
        if let Ok(Some(depth)) = tree.tally().impossible_speed(&self.target) {
            return report.refuse(Finding::TooFast { depth });
        }
        // Nothing answered in the deeper half: either stuck, or drawing whole words. Words can be bisected.
        let half = tree.depth() / 2;
        let open = tree.open();
        if tree.depth() >= 8 && !open.is_zero() && open == tree.open_after(half) {
            if let Some(law) = thresholds(self.machine) {
                report.words = true;
                self.compare_words(&law, report);
            } else {
                report.refuse(Finding::Stuck { from: half, to: tree.depth(), open });
            }
        }
    }

    /// The law of whole words against the target.
    fn compare_words(&self, law: &Law<M::Output>, report: &mut Report<M::Output>) {
        let seen: Vec<M::Output> = law.outcomes().iter().map(|(x, _)| x.clone()).collect();
        let Ok(wanted) = self.target.wanted(&seen, PRECISION) else { return };
        let listed = wanted.outcomes().iter().map(|(outcome, _)| outcome).chain(&seen);
        for outcome in listed {
            let (found, target) = (law.mass(outcome), wanted.probability(outcome));
            if !target.contains(found.low()) {
                let (outcome, found) = (outcome.clone(), found.low().clone());
                return report.refuse(Finding::Words { outcome, found, target });
            }
        }
    }

    /// What is claimed of the cost and the tail.
    fn claims(&self, tree: &Tree<M::Output>, report: &mut Report<M::Output>) {
        if report.words {
            return;
        }
        if let Some((levels, ratio)) = &self.settings.tail {
            match tree.tally().tail(*levels, ratio) {
                Ok(bits) => report.bits = Some(bits),
                Err(broken) => report.refuse(Finding::Tail(broken)),
            }
        }
        if let Some(claimed) = &self.settings.cost {
            let at_least = tree.expected_bits();
            let at_most = report.bits.as_ref().map(|bits| bits.high().clone());
            let at_most = if tree.open().is_zero() { Some(at_least.clone()) } else { at_most };
            let too_dear = at_least > *claimed.high();
            if too_dear || at_most.is_some_and(|most| most < *claimed.low()) {
                let claimed = claimed.clone();
                report.refuse(Finding::Cost { claimed, at_least });
            }
        }
        if self.settings.optimal {
            if let Some(agreement) = report
                .agreement
                .clone()
                .filter(|found| found.excess_bits().is_some_and(|excess| !excess.is_zero()))
            {
                report.refuse(Finding::NotOptimal(agreement));
            }
        }
    }

    /// Two answers in a row: one that is remembered, or made of the same bits, is not independent.
    fn twice(&self, report: &mut Report<M::Output>) {
        let pair = in_a_row(|| self.machine, 2);
        let explorer = Explorer::new(self.settings.depth).max_runs(self.settings.max_runs);
        let tree = explorer.tree(&pair);
        let target = Each(|outcome: &M::Output, precision: u32| {
            let seen = core::slice::from_ref(outcome);
            let wanted = self.target.wanted(seen, precision);
            wanted.map_or_else(|_| unit(), |wanted| wanted.probability(outcome))
        });
        if let Err(refusal) = tree.against(&target) {
            report.refuse(Finding::InARow(refusal));
        }
    }

    /// Evidence from samples, all of it averaged into one e-value.
    fn sample<R: TryRng + ?Sized>(
        &self,
        tree: &Tree<M::Output>,
        rng: &mut R,
        report: &mut Report<M::Output>,
    ) -> Result<(), R::Error> {
        let bits = &mut BitBuffer::new(rng);
        let Ok(wanted) = self.target.wanted(tree.outcomes(), PRECISION) else { return Ok(()) };
        let mut seen: Vec<M::Output> = wanted.outcomes().iter().map(|(x, _)| x.clone()).collect();
        let claim = claim(&wanted, &seen);
        let mut single = Evidence::new(claim.clone());
        let mut rows = Dependence::new(&claim);
        let mut joint = Joint::new(tree);
        for _ in 0..self.settings.samples {
            let Some((outcome, used)) = self.one(bits)? else {
                report.refuse(Finding::Exhausted { bits: MOST_BITS });
                return Ok(());
            };
            joint.add(tree, &outcome, used);
            let index = index_of(&mut seen, outcome);
            single.add(index);
            rows.add(index);
            report.samples += 1;
        }
        let mut e_values =
            alloc::vec![single.ln_e_value(), rows.ln_e_value(), joint.evidence.ln_e_value()];
        if let Some(below) = tree.below(self.machine) {
            // Below the depth the target is (p − mass)/open.
            let rest = wanted.outcomes().iter().map(|(x, p)| {
                (
                    x.clone(),
                    Bracket::exact((p.low() - tree.mass(x)).max(BigRational::zero()) / tree.open()),
                )
            });
            let rest = Wanted::new(rest, BigRational::zero());
            let mut deep = Evidence::new(normal(self::claim(&rest, &seen)));
            let mut budget = Budget::new(&mut *bits, MOST_BITS);
            for _ in 0..self.settings.samples / 4 {
                match below.try_sample(&mut budget) {
                    Ok(outcome) => deep.add(index_of(&mut seen, outcome)),
                    Err(BudgetError::Source(error)) => return Err(error),
                    Err(BudgetError::Exhausted) => break,
                }
            }
            e_values.push(deep.ln_e_value());
        }
        let ln_e = ln_mean(&e_values);
        report.ln_e_value = Some(ln_e);
        if ln_e >= -self.settings.alpha.ln() {
            report.refuse(Finding::Evidence { ln_e_value: ln_e, alpha: self.settings.alpha });
        }
        Ok(())
    }

    /// One sample and its fair bits; `None` if it took too many.
    fn one<B: BitSource>(&self, bits: &mut B) -> Result<Option<(M::Output, u64)>, B::Error> {
        let mut bits = Counted::new(Budget::new(bits, MOST_BITS));
        match self.machine.try_sample(&mut bits) {
            Ok(outcome) => Ok(Some((outcome, bits.count()))),
            Err(BudgetError::Exhausted) => Ok(None),
            Err(BudgetError::Source(error)) => Err(error),
        }
    }
}

/// The body of [`assert_conforms!`](crate::assert_conforms): panics with the report if something was found wrong.
///
/// # Panics
///
/// If the machine does not conform.
#[track_caller]
pub fn must_conform<M, A>(check: &Check<'_, M, A>)
where
    M: Machine,
    M::Output: PartialEq + Clone + Debug,
    A: Target<M::Output>,
{
    let report = check.explored();
    assert!(report.conforms(), "{report}");
}

/// The place of an outcome in the list, at the end if it is new.
fn index_of<T: PartialEq>(seen: &mut Vec<T>, outcome: T) -> usize {
    seen.iter().position(|known| *known == outcome).unwrap_or_else(|| {
        seen.push(outcome);
        seen.len() - 1
    })
}

fn unit() -> Bracket {
    Bracket::new(BigRational::zero(), BigRational::one())
}

/// The probabilities of the listed outcomes, at the middle of brackets so narrow that it does not matter which.
fn claim<T: PartialEq>(wanted: &Wanted<T>, seen: &[T]) -> Vec<BigRational> {
    let middle = |outcome| {
        let p = wanted.probability(outcome);
        (p.low() + p.high()) / BigRational::from_integer(2.into())
    };
    normal(seen.iter().map(middle).collect())
}

/// Scaled to a sum of one.
fn normal(claim: Vec<BigRational>) -> Vec<BigRational> {
    let sum: BigRational = claim.iter().sum();
    if sum.is_zero() { claim } else { claim.into_iter().map(|p| p / &sum).collect() }
}

/// Answer and number of bits together, against the exact joint law of the tree: chance from elsewhere does not follow it.
struct Joint {
    evidence: Evidence,
    levels: usize,
}

/// The levels that are told apart; all others are one cell.
const LEVELS: usize = 20;

impl Joint {
    fn new<T: PartialEq>(tree: &Tree<T>) -> Self {
        let levels = LEVELS.min(tree.depth() as usize);
        let mut claim = Vec::new();
        for (_, counts) in tree.tally().counts() {
            for depth in 0..=levels {
                let count = counts.get(depth).copied().unwrap_or(0);
                claim.push(BigRational::new(count.into(), num_bigint::BigInt::one() << depth));
            }
        }
        let rest = BigRational::one() - claim.iter().sum::<BigRational>();
        claim.push(rest);
        Self { evidence: Evidence::new(claim), levels }
    }

    fn add<T: PartialEq>(&mut self, tree: &Tree<T>, outcome: &T, used: u64) {
        let known = tree.outcomes();
        let rest = known.len() * (self.levels + 1);
        let level = usize::try_from(used).ok().filter(|&level| level <= self.levels);
        let cell = level.map_or(Some(rest), |level| {
            Some(known.iter().position(|x| x == outcome)? * (self.levels + 1) + level)
        });
        // An outcome that the tree does not know, at a level that it does, is impossible.
        self.evidence.add(cell.unwrap_or(rest + 1));
    }
}
