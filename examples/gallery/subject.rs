//! A machine whose type is forgotten: its answers are their names, and its law and cost are closures. So the gallery is
//! compiled once and not once for each machine.

use std::sync::Arc;

use buffon::combinators::Erased;
use buffon::{BitSource, Cost, Explorer, KnownLaw, Law, LawError, Machine, Tail};

/// An answer's name.
pub(crate) trait Label {
    fn label(&self) -> String;
}

impl Label for bool {
    fn label(&self) -> String {
        if *self { "heads".to_owned() } else { "tails".to_owned() }
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {$(
        impl Label for $number {
            fn label(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

numbers!(u64 i64 usize &str String);

impl<T: Label, U: Label> Label for (T, U) {
    fn label(&self) -> String {
        format!("{}, {}", self.0.label(), self.1.label())
    }
}

impl<T: Label, const N: usize> Label for [T; N] {
    fn label(&self) -> String {
        self.each_ref().map(Label::label).join(", ")
    }
}

/// Flips in a row: "HTT".
impl Label for Vec<bool> {
    fn label(&self) -> String {
        self.iter().map(|&heads| if heads { 'H' } else { 'T' }).collect()
    }
}

type AtPlaces<T> = Arc<dyn Fn(u32) -> Result<T, LawError> + Send + Sync>;

/// The machine.
#[derive(Clone)]
pub(crate) struct Subject {
    machine: Erased<String>,
    law: AtPlaces<Law<String>>,
    cost: AtPlaces<Cost>,
    tail: Tail,
}

impl Subject {
    /// A machine that tells its law and cost.
    pub(crate) fn new<M>(machine: M) -> Self
    where
        M: KnownLaw<Output: Label> + Send + Sync + 'static,
    {
        let named = Arc::new(machine.map(|answer: M::Output| answer.label()));
        let (law, cost) = (Arc::clone(&named), Arc::clone(&named));
        Self {
            tail: named.tail(),
            law: Arc::new(move |places| law.law_at(places)),
            cost: Arc::new(move |places| cost.cost_at(places)),
            machine: named.erased(),
        }
    }

    /// A machine whose law is that of another one, by a theorem; of its cost and its tail only what exploring shows is known.
    pub(crate) fn with_law_of<M, L>(machine: M, same: L) -> Self
    where
        M: Machine<Output: Label> + Send + Sync + 'static,
        L: KnownLaw<Output = M::Output> + Send + Sync + 'static,
    {
        let machine = machine.map(|answer: M::Output| answer.label()).erased();
        let found = Explorer::new(400).max_runs(4000).weigh(&machine).expected_bits(40);
        let tally = Explorer::new(64).max_runs(1000).tally(&machine);
        let ended = tally.open() == num_rational::BigRational::default();
        let tail = if ended { Tail::Bounded(tally.depth().into()) } else { Tail::MayNeverEnd };
        Self { machine, cost: Arc::new(move |_| Ok(found.clone())), tail, ..Self::new(same) }
    }
}

impl Machine for Subject {
    type Output = String;

    fn try_sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<String, B::Error> {
        self.machine.try_sample(bits)
    }
}

impl KnownLaw for Subject {
    fn law_at(&self, places: u32) -> Result<Law<String>, LawError> {
        (self.law)(places)
    }

    fn cost_at(&self, places: u32) -> Result<Cost, LawError> {
        (self.cost)(places)
    }

    fn tail(&self) -> Tail {
        self.tail
    }
}
