//! Every machine against what it says of itself: the compiled code, in fair bits and through weights, against the law and the cost
//! by algebra. No sampling, no false alarm.
#![cfg(feature = "conformance")]

#[path = "support/machines.rs"]
mod machines;

use std::fmt::Debug;
use std::time::Instant;

use buffon::conformance::check;
use buffon::{Bracket, Die, KnownLaw, LawError, Machine, OneOver, Viglietta};
use machines::{Answer, Stated, Visit, every_machine, law_in_words};
use num_rational::BigRational;
use rand::{SeedableRng, rngs::StdRng};

/// Laws with too many outcomes to be listed: see the test below.
const UNLISTED: [&str; 3] = ["Die 2^63", "Die 2^64-1", "Viglietta 2^64-1"];

/// The most runs of an exploration.
const RUNS: u64 = 1 << 10;

/// Places to which each law is told.
const PLACES: u32 = 42;

#[derive(Default)]
struct Itself {
    seen: usize,
    unlisted: Vec<&'static str>,
    wrong: Vec<String>,
}

impl Visit for Itself {
    fn machine<M>(&mut self, name: &'static str, machine: M, _: fn(&M::Output) -> bool)
    where
        M: Stated<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        let start = Instant::now();
        self.seen += 1;
        let law = match law_in_words(&machine, PLACES) {
            Ok(law) => law,
            Err(LawError::TooManyOutcomes) => return self.unlisted.push(name),
            Err(error) => return self.wrong.push(format!("{name}: {error}")),
        };
        if law.outcomes().len() > RUNS as usize {
            // So few runs would show nothing of so many outcomes.
            return println!("           {name} has too many outcomes for {RUNS} runs");
        }
        let bits = machine.try_expected_bits(40);
        // One type for all machines, so that the explorer is compiled once.
        let erased = machine.map(|answer| answer.words()).erased();
        let check = check(&erased).against(law).max_runs(RUNS);
        let report = match &bits {
            Ok(bits) => check.cost(bits.clone()).explored(),
            Err(_) => check.explored(),
        };
        println!("{:7.1} ms {name}: {report}", start.elapsed().as_secs_f64() * 1e3);
        if let Err(error) = bits {
            println!("           {error}");
        }
        if !report.conforms() {
            self.wrong.push(format!("{name}: {report}"));
        }
    }

    fn opaque<M>(&mut self, name: &'static str, _: M, _: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        println!("           {name} cannot state its law");
    }
}

#[test]
fn every_machine_is_what_it_says_it_is() {
    let mut all = Itself::default();
    every_machine(&mut all);
    assert!(all.wrong.is_empty(), "{}", all.wrong.join("\n"));
    assert_eq!(all.unlisted, UNLISTED);
    assert!(all.seen > 90);
}

/// A law that cannot be listed is compared where answers are seen.
#[test]
fn machines_of_many_outcomes_are_what_they_say_they_are() {
    let side = |n: u64| BigRational::new(1.into(), n.into());
    for n in [1 << 63, u64::MAX, 1_000_003] {
        let die = Die::new(n).unwrap();
        let report = check(&die).against_itself().max_runs(1 << 10).samples(1_000);
        assert!(report.run(&mut StdRng::seed_from_u64(7)).unwrap().conforms());
        assert_eq!(die.mass_at(&(n - 1), 64), Ok(Bracket::exact(side(n))));
        assert_eq!(die.mass_at(&n, 64), Ok(Bracket::exact(side(n) - side(n))));
        let viglietta = Viglietta::new(n, OneOver::try_from(n).unwrap()).unwrap();
        for face in [0, 1, n / 2, n - 1] {
            assert_eq!(viglietta.mass_at(&face, 64), Ok(Bracket::exact(side(n))));
        }
        assert!(check(&viglietta).against_itself().max_runs(1 << 10).explored().conforms());
    }
}
