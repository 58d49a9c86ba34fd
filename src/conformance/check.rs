use core::fmt::{self, Debug, Formatter};

use num_rational::BigRational;
use num_traits::Zero;
use rand_core::TryRng;

use super::blocks;
use super::costs::{self, Beyond};
use super::deep::{Steady, exceeds, is_stuck, repeats};
use super::finding::Finding;
use super::further::further;
use super::report::Report;
use super::samples;
use crate::bits::{BitBuffer, BitSource};
use crate::explore::{
    BrokenTail, Each, Explorer, Fault, Refusal, Says, Target, Tree, Wanted, in_a_row,
};
use crate::law::{Bracket, KnownLaw, LawError, Tail};
use crate::machine::Machine;

/// Checks a machine; say against what, how deep, and with how many samples.
///
/// It explores the compiled machine on every string of fair bits, alone and twice in a row, further down where the tree is thin,
/// and through weights where it is not, and compares the exact masses with the target; then, if samples are asked for, it weighs
/// the evidence of those. A refusal by the first is a proof; one by the second is wrong with probability at most
/// [`alpha`](Check::alpha).
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
    /// The most bits of a sample.
    most: Option<u64>,
    /// A sample may take any number of bits.
    patient: bool,
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
            most: None,
            patient: false,
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
    ///
    /// It is taken as the exact law: fifteen decimals of 1/e are another number than 1/e, and are refused as soon as that shows.
    /// Say a [`Bracket`] where no more is known.
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
        // A series that falls slowly tells its cost less precisely.
        let cost = |places| self.machine.try_expected_bits(places).ok();
        settings.cost = cost(64).or_else(|| cost(12));
        settings.most = self.machine.max_bits();
        settings.patient = self.machine.tail() >= Tail::FiniteMean;
        Check { machine: self.machine, target: Says(self.machine), settings }
    }
}

impl<M, A> Check<'_, M, A> {
    /// How many fair bits deep to explore; 40 if this is not said. The certified distance is that of this depth; for contradictions
    /// it looks further where that is cheap.
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
            self.again(&tree, &mut report);
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
            further(self.machine, &self.target, &tree, self.settings.most, &mut report);
        }
        if report.conforms() {
            self.twice(&mut report);
            self.again(&tree, &mut report);
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
        // Nothing answered in the deeper half: perhaps it draws whole words. Words can be bisected.
        let half = tree.depth() / 2;
        let open = tree.open();
        if tree.depth() >= 8 && !open.is_zero() && open == tree.open_after(half) {
            match blocks::compare(self.machine, &self.target, self.settings.max_runs) {
                Some(Ok(words)) => report.words = Some(words),
                Some(Err(finding)) => report.refuse(finding),
                None => {}
            }
        }
        if report.conforms() && is_stuck(self.machine, tree) {
            report.refuse(Finding::Stuck { from: half, to: tree.depth(), open });
        }
    }

    /// What is claimed of the cost and the tail.
    fn claims(&self, tree: &Tree<M::Output>, report: &mut Report<M::Output>) {
        if let Some(broken) = self.settings.most.and_then(|most| exceeds(tree.tally(), most)) {
            report.refuse(Finding::Tail(broken));
        }
        if let Some((levels, ratio)) = &self.settings.tail {
            match tree.tally().tail(*levels, ratio) {
                Ok(bits) => report.bits = Some(bits),
                Err(BrokenTail::TooShallow) => {} // neither right nor wrong
                Err(broken) => report.refuse(Finding::Tail(broken)),
            }
        }
        self.cost_claim(tree, report);
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

    /// What is claimed of the expected fair bits: by the tree, by words, and by answers from below the tree.
    fn cost_claim(&self, tree: &Tree<M::Output>, report: &mut Report<M::Output>) {
        let Some(claimed) = &self.settings.cost else { return };
        let (at_least, at_most) = costs::bounds(tree, self.settings.most);
        let by_tail = report.bits.as_ref().map(|bits| bits.high().clone());
        let at_most = at_most.into_iter().chain(by_tail).min();
        let too_dear = at_most.as_ref().is_some_and(|most| most < claimed.low());
        if at_least > *claimed.high() || too_dear {
            let claimed = claimed.clone();
            return report.refuse(Finding::Cost { claimed, at_least, at_most });
        }
        if let Some(at_most) = report.words.as_ref().and_then(|words| words.most_bits(claimed)) {
            return report.refuse(Finding::CostByWords { claimed: claimed.clone(), at_most });
        }
        let Ok(found) = self.cost_beyond(tree, 1 << 13, &mut Steady::new(19));
        found.into_iter().for_each(|finding| report.refuse(finding));
    }

    fn cost_beyond<B: BitSource + ?Sized>(
        &self,
        tree: &Tree<M::Output>,
        samples: u64,
        bits: &mut B,
    ) -> Result<Option<Finding<M::Output>>, B::Error> {
        let Some(claimed) = self.settings.cost.clone() else { return Ok(None) };
        let (alpha, light) = (self.settings.alpha / 8.0, !self.settings.patient);
        let most = self.settings.most;
        Beyond { claimed, samples, alpha, light, most }.weigh(self.machine, tree, bits)
    }

    /// The ends of the tree, played again.
    fn again(&self, tree: &Tree<M::Output>, report: &mut Report<M::Output>) {
        if !repeats(self.machine, tree) {
            report.refuse(Finding::Law(Refusal::Fault(Fault::NotReproducible)));
        }
    }

    /// Two answers in a row: one that is remembered, or made of the same bits, is not independent.
    fn twice(&self, report: &mut Report<M::Output>) {
        let pair = in_a_row(|| self.machine, 2);
        // There are as many pairs as the square of the outcomes, and all are compared with one another.
        let runs = self.settings.max_runs / (1 + report.digits().len() as u64 / 16);
        let explorer = Explorer::new(self.settings.depth).max_runs(runs);
        let tree = explorer.tree(&pair);
        let target = Each(Same(&self.target));
        if let Err(refusal) = tree.against(&target) {
            report.refuse(Finding::InARow(refusal));
        }
    }

    /// Evidence from samples: half of α for the answers, all averaged into one e-value. The other half is for the two tests of the
    /// bits, of these samples and of those that every check takes below its tree.
    fn sample<R: TryRng + ?Sized>(
        &self,
        tree: &Tree<M::Output>,
        rng: &mut R,
        report: &mut Report<M::Output>,
    ) -> Result<(), R::Error> {
        let Settings { samples, alpha, most, .. } = self.settings;
        let bits = &mut BitBuffer::new(rng);
        let weighed = samples::weigh((self.machine, &self.target, tree), samples, most, bits)?;
        (report.samples, report.long) = (weighed.drawn, weighed.long);
        if let (true, Some(bits)) = (weighed.too_long, most) {
            report.refuse(Finding::Tail(BrokenTail::Exceeds { bits }));
        }
        report.ln_e_value = weighed.ln_e_value;
        if let Some(ln_e_value) = weighed.ln_e_value.filter(|&ln_e| ln_e >= -(alpha / 2.0).ln()) {
            report.refuse(Finding::Evidence { ln_e_value, alpha });
        }
        if report.conforms() {
            let found = self.cost_beyond(tree, samples / 4, bits)?;
            found.into_iter().for_each(|finding| report.refuse(finding));
        }
        Ok(())
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

/// A target behind a pointer.
struct Same<'a, A>(&'a A);

impl<T, A: Target<T>> Target<T> for Same<'_, A> {
    fn wanted(&self, seen: &[T], precision: u32) -> Result<Wanted<T>, LawError> {
        self.0.wanted(seen, precision)
    }
}
