//! The machines on show: each with its code as it stands here, a line about it, and its graph.

mod catalogue;
mod combinators;
mod dice;
mod factories;
mod walks;

use std::error::Error;

use buffon::{Dyadic, Fair, KnownLaw, OneOver, Rational};

use crate::facts::Effort;
use crate::graph::digits;
use crate::subject::{Label, Subject};

/// A machine on show.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// The expression that made it.
    pub(crate) code: String,
    pub(crate) about: &'static str,
    pub(crate) graph: String,
    pub(crate) subject: Subject,
    pub(crate) effort: Effort,
}

/// A family of machines: a section of the page.
pub(crate) struct Family {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) entries: Vec<Entry>,
}

impl Family {
    const fn new(id: &'static str, name: &'static str, about: &'static str) -> Self {
        Self { id, name, about, entries: Vec::new() }
    }

    fn add(
        &mut self,
        name: &'static str,
        about: &'static str,
        graph: impl Into<String>,
        code: &str,
        subject: Subject,
    ) {
        // The macro's text of an expression may be broken over lines.
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = code.replace("( ", "(").replace(" .", ".").replace(", )", ")");
        let effort = Effort::Levels(400);
        self.entries.push(Entry { name, code, about, graph: graph.into(), subject, effort });
    }

    /// How the machine added last is to be explored, if not to the usual depth.
    fn explored(&mut self, effort: Effort) {
        if let Some(last) = self.entries.last_mut() {
            last.effort = effort;
        }
    }
}

/// `show!(family, "name", "about", graph, machine)`, or with `= law` a machine whose law is that of another one.
macro_rules! show {
    ($family:ident, $name:literal, $about:literal, $graph:expr, $machine:expr) => {
        $family.add($name, $about, $graph, stringify!($machine), crate::machines::subject($machine))
    };
    ($family:ident, $name:literal, $about:literal, $graph:expr, $machine:expr, = $law:expr) => {{
        let subject = crate::subject::Subject::with_law_of($machine, $law);
        $family.add($name, $about, $graph, stringify!($machine), subject)
    }};
}
pub(crate) use show;

fn subject<M: KnownLaw<Output: Label> + Send + Sync + 'static>(machine: M) -> Subject {
    Subject::new(machine)
}

pub(crate) fn all() -> Result<Vec<Family>, Box<dyn Error>> {
    Ok(vec![
        coins()?,
        combinators::combinators()?,
        dice::dice()?,
        dice::choosers()?,
        catalogue::series()?,
        catalogue::schema()?,
        walks::walks()?,
        walks::integrals()?,
        factories::factories()?,
        combinators::compiled()?,
    ])
}

type Shown = Result<Family, Box<dyn Error>>;

fn coins() -> Shown {
    let mut coins = Family::new(
        "coins",
        "Coins",
        "One rule for every known probability: flip until the first heads; if it comes on flip k, answer the k-th binary digit. \
         That takes two fair bits however fine the probability is, which is the least possible, and a little less where \
         the digits end.",
    );
    show!(coins, "A fair coin", "One flip.", digits(1, 2, 4), Fair);
    show!(
        coins,
        "A coin of 3/8",
        "The digits 0.011 end, so after three tails the answer is known.",
        digits(3, 8, 4),
        Dyadic::new(3, 3)?
    );
    show!(
        coins,
        "A coin of 1/3",
        "The digits 0.0101… come round again, and so does the graph.",
        digits(1, 3, 4),
        Rational::<u64>::new(1, 3)?
    );
    show!(
        coins,
        "A coin of 2/5",
        "0.0110 0110…: a circle of four flips.",
        digits(2, 5, 4),
        Rational::<u64>::new(2, 5)?
    );
    show!(
        coins,
        "A coin of 1/7",
        "0.001 001…: a circle of three.",
        digits(1, 7, 4),
        OneOver::try_from(7)?
    );
    show!(
        coins,
        "The double 0.1",
        "What is stored under that name: 3602879701896397/2^55, exactly, and not 1/10. It ends after 55 flips at the latest.",
        digits(3_602_879_701_896_397, 1 << 55, 5),
        Rational::from_f64(0.1)?
    );
    show!(
        coins,
        "A coin of 1/(2^64 − 1)",
        "A very rare event, still at two fair bits a flip: its first 63 digits are zeros.",
        digits(1, u128::from(u64::MAX), 4),
        Rational::<u64>::new(1, u64::MAX)?
    );
    Ok(coins)
}
