use core::convert::Infallible;
use core::fmt::{self, Debug, Display, Formatter};
use core::panic::Location;

use rand_core::{SeedableRng, TryRng};

use super::check::Check;
use super::report::Report;
use crate::explore::Target;
use crate::machine::Machine;

/// The name of the environment variable that replays a run, see [`Seed::fresh`].
const VARIABLE: &str = "BUFFON_SEED";

/// The seed of a check's samples: written down, so that a run is the same every time, or fresh, so that runs differ.
///
/// A run with a seed says in its report by which line it can be repeated. In continuous integration let it be fixed; in a
/// nightly run let it be fresh, and nothing that is found will be lost.
///
/// ```
/// use buffon::{Rational, conformance::{self, Seed}};
/// use num_rational::BigRational;
/// use rand::rngs::StdRng;
///
/// let coin = Rational::<u64>::new(1, 3)?;
/// let third = BigRational::new(1.into(), 3.into());
/// let check = conformance::check(&coin).against(third).samples(1000);
/// let report = check.run_from::<StdRng>(Seed::fresh());
/// println!("{report}"); // … replay: .run_from::<…::StdRng>(Seed::fixed(0x…)), or BUFFON_SEED=0x…
/// let seed = report.replay().ok_or("it was run from a seed")?.seed();
/// assert_eq!(check.run_from::<StdRng>(seed).ln_e_value(), report.ln_e_value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(u64);

impl Seed {
    /// This seed.
    #[must_use]
    pub const fn fixed(seed: u64) -> Self {
        Self(seed)
    }

    /// A seed of a generator's randomness.
    ///
    /// # Errors
    ///
    /// The generator's own error.
    pub fn from_rng<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        rng.try_next_u64().map(Self)
    }

    /// Another seed in every run, of the system's randomness; but what the environment variable `BUFFON_SEED` says, if it is
    /// set to a number, decimal or after `0x`. So a run of a test that is in doubt is repeated without touching its code.
    #[must_use]
    pub fn fresh() -> Self {
        use std::hash::{BuildHasher, RandomState};
        // The keys of a `RandomState` are random, and another one in each.
        let drawn = || RandomState::new().hash_one(VARIABLE);
        let named = std::env::var(VARIABLE).ok();
        named.as_deref().and_then(Self::parse).unwrap_or_else(|| Self(drawn()))
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        }
        .ok()
        .map(Self)
    }

    /// The seed as a number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Display for Seed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// How the run of a report can be repeated. Its `Display` is the line of code, its place, and the environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replay {
    seed: Seed,
    generator: &'static str,
    place: &'static Location<'static>,
}

impl Replay {
    /// The seed of the run.
    #[must_use]
    pub const fn seed(&self) -> Seed {
        self.seed
    }

    /// The name of the generator's type.
    #[must_use]
    pub const fn generator(&self) -> &'static str {
        self.generator
    }
}

impl Display for Replay {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { seed, generator, place } = self;
        write!(
            f,
            "replay: .run_from::<{generator}>(Seed::fixed({seed})) at {place}, or {VARIABLE}={seed}"
        )
    }
}

impl<M, A> Check<'_, M, A>
where
    M: Machine,
    M::Output: PartialEq + Clone + Debug,
    A: Target<M::Output>,
{
    /// Runs the check on a generator with this seed, and notes in the report how to repeat it.
    #[track_caller]
    pub fn run_from<G>(&self, seed: Seed) -> Report<M::Output>
    where
        G: SeedableRng + TryRng<Error = Infallible>,
    {
        let place = Location::caller();
        let Ok(mut report) = self.run(&mut G::seed_from_u64(seed.value()));
        report.replay = Some(Replay { seed, generator: core::any::type_name::<G>(), place });
        report
    }
}

/// The body of [`assert_conforms!`](crate::assert_conforms) with samples: panics with the report, which says how to repeat it.
///
/// # Panics
///
/// If the machine does not conform.
#[track_caller]
pub fn must_conform_from<G, M, A>(check: &Check<'_, M, A>, seed: Seed)
where
    G: SeedableRng + TryRng<Error = Infallible>,
    M: Machine,
    M::Output: PartialEq + Clone + Debug,
    A: Target<M::Output>,
{
    let report = check.run_from::<G>(seed);
    assert!(report.conforms(), "{report}");
}
