//! Evidence that continues across runs: counts for each machine and version of its source.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Display, Formatter, Write};

use num_rational::BigRational;

use super::Evidence;

/// Counts of outcomes for each machine, kept as text between runs.
///
/// An e-process may be continued at will, so nights of samples add up to one test at the same false-alarm rate. An entry is
/// reset when the version changes, as samples of another machine say nothing of this one.
///
/// A line is `name version count count …`, its words separated by tabs.
///
/// ```
/// use buffon::conformance::Ledger;
/// let mut ledger: Ledger = "third\tv1\t10\t20\n".parse()?;
/// ledger.add("third", "v1", &[1, 2]);
/// assert_eq!(ledger.to_string(), "third\tv1\t11\t22\n");
/// ledger.add("third", "v2", &[1, 0]); // another version: from the start
/// assert_eq!(ledger.counts("third", "v2"), [1, 0]);
/// # Ok::<(), buffon::conformance::LedgerError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    entries: BTreeMap<String, (String, Vec<u64>)>,
}

/// A line of a ledger that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerError {
    line: usize,
}

impl LedgerError {
    /// Which line, counted from one.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }
}

impl Display for LedgerError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the ledger is not a name, a version and counts", self.line)
    }
}

impl Error for LedgerError {}

impl Ledger {
    /// Adds counts to the entry of a machine; tabs and line breaks in the names become spaces.
    pub fn add(&mut self, name: &str, version: &str, counts: &[u64]) {
        let (name, version) = (word(name), word(version));
        let entry = self.entries.entry(name).or_default();
        if entry.0 != version {
            *entry = (version, Vec::new());
        }
        if entry.1.len() < counts.len() {
            entry.1.resize(counts.len(), 0);
        }
        for (sum, count) in entry.1.iter_mut().zip(counts) {
            *sum = sum.saturating_add(*count);
        }
    }

    /// The counts of a machine at this version; none if there is no such entry.
    #[must_use]
    pub fn counts(&self, name: &str, version: &str) -> &[u64] {
        match self.entries.get(&word(name)) {
            Some((known, counts)) if *known == word(version) => counts,
            _ => &[],
        }
    }

    /// All the evidence for a machine at this version, against a claimed law.
    #[must_use]
    pub fn evidence(&self, name: &str, version: &str, claim: Vec<BigRational>) -> Evidence {
        let mut evidence = Evidence::new(claim);
        for (outcome, &count) in self.counts(name, version).iter().enumerate() {
            evidence.add_many(outcome, count);
        }
        evidence
    }
}

fn word(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

impl Display for Ledger {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, (version, counts)) in &self.entries {
            write!(f, "{name}\t{version}")?;
            counts.iter().try_for_each(|count| write!(f, "\t{count}"))?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl core::str::FromStr for Ledger {
    type Err = LedgerError;

    fn from_str(text: &str) -> Result<Self, LedgerError> {
        let mut entries = BTreeMap::new();
        for (place, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let error = LedgerError { line: place + 1 };
            let mut words = line.split('\t');
            let (name, version) = words.next().zip(words.next()).ok_or(error)?;
            let counts = words.map(|word| word.parse().map_err(|_| error));
            let counts = counts.collect::<Result<_, _>>()?;
            entries.insert(name.to_string(), (version.to_string(), counts));
        }
        Ok(Self { entries })
    }
}
