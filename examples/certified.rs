//! The certified distance of every machine: how near the compiled code is, for certain, to the law that it states.
//!
//!     cargo run --release --example certified
//!
//! Each machine is run on every string of fair bits to some depth, and on every answer to what it asks, where a flip of a rational
//! coin or a roll of a die is one question. Both give a distance; the table has both. Where the first flips show a machine of few
//! states, which is then solved, the table says for how many states at most that proves its law.
//!
//! A second table is of the series that fall like a power of n, which exploration closes only as fast as they fall.

#[path = "../tests/support/machines.rs"]
mod machines;

use std::fmt::Debug;
use std::time::{Duration, Instant};

use buffon::catalogue::{beta, eta};
use buffon::combinators::Erased;
use buffon::explore::{self, Agreement, Refusal, Target, Wanted};
use buffon::{Coin, Explorer, Hypergeometric, KnownLaw, Law, LawError, Machine, parity_of_run};
use machines::{Answer, Stated, Visit, every_machine, law_in_words};
use num_rational::BigRational;
use num_traits::{One, Zero};

/// How deep, and with how many runs: in fair bits, at first and where that is quick, and in questions.
const BITS: ([u32; 2], u64) = ([200, 1000], 1 << 13);
const QUESTIONS: (u32, u64) = (256, 1 << 13);

/// What counts as quick.
const QUICK: Duration = Duration::from_millis(50);

/// The most states of a machine that is solved.
const STATES: usize = 24;

/// Places to which a law is told for the questions.
const PLACES: u32 = 72;

/// An answer of any machine, in words, so that the explorer is compiled once.
type Words = Vec<u64>;

/// What a machine says of its law.
struct Says(Box<dyn Fn(u32) -> Result<Law<Words>, LawError>>);

impl Target<Words> for Says {
    fn wanted(&self, _: &[Words], precision: u32) -> Result<Wanted<Words>, LawError> {
        (self.0)(precision).map(Wanted::from)
    }
}

struct Table;

impl Visit for Table {
    fn machine<M>(&mut self, name: &'static str, machine: M, _: fn(&M::Output) -> bool)
    where
        M: Stated<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        let said = machine.clone();
        let says = Says(Box::new(move |precision| law_in_words(&said, precision)));
        let bits = machine.try_expected_bits(40);
        let bits = bits.map_or_else(|_| "no bound".to_owned(), |bits| format!("{bits:.8}"));
        let machine = machine.map(|answer| answer.words()).erased();
        let start = Instant::now();
        let mut tally = Explorer::new(BITS.0[0]).max_runs(BITS.1).tally(&machine);
        if tally.depth() == BITS.0[0] && start.elapsed() < QUICK {
            tally = Explorer::new(BITS.0[1]).max_runs(BITS.1).tally(&machine);
        }
        let agreement = tally.against(&says);
        let optimal = matches!(&agreement, Ok(agreement) if agreement.is_optimal());
        let in_bits = format!("{} | {} | {}", within(agreement), tally.runs(), time(start));
        let start = Instant::now();
        let weighed = Explorer::new(QUESTIONS.0).max_runs(QUESTIONS.1).weigh(&machine);
        let within = within(weighed.against(&says, PLACES));
        let through = format!("{within} | {} | {}", weighed.runs(), time(start));
        let optimal = if optimal { "optimal" } else { "" };
        let states =
            solved(&machine, &says).map_or(String::new(), |most| format!("of {most} states"));
        println!("| {name} | {in_bits} | {through} | {states} | {bits} | {optimal} |");
    }

    fn opaque<M>(&mut self, name: &'static str, _: M, _: fn(&M::Output) -> bool)
    where
        M: Machine<Output: Answer> + Send + Sync + Clone + Debug + 'static,
    {
        println!("| {name} | a closure states no law | | | | | | | | |");
    }
}

fn within(found: Result<Agreement, Refusal<Words>>) -> String {
    match found {
        Ok(agreement) => {
            agreement.places().map_or("exact".to_owned(), |places| format!("2^-{places}"))
        }
        Err(Refusal::Target(error)) => error.to_string(),
        Err(refusal) => format!("REFUSED: {refusal}"),
    }
}

/// The number of states at most for which the machine, solved, has exactly the law that it says it has.
fn solved(machine: &Erased<Words>, says: &Says) -> Option<usize> {
    let tree = Explorer::new(2 * STATES as u32).max_runs(BITS.1).tree(machine);
    if tree.open().is_zero() {
        return None;
    }
    let most = tree.depth() as usize / 2;
    let chain = tree.collapse(most)?;
    let wanted = says.wanted(chain.outcomes(), PLACES).ok()?;
    let exact = chain.outcomes().iter().zip(chain.law()).all(|(outcome, p)| {
        let said = wanted.outcomes().iter().find(|(known, _)| known == outcome);
        said.is_some_and(|(_, said)| *said.low() == p && *said.high() == p)
    });
    let all: BigRational = chain.law().into_iter().sum();
    (exact && all.is_one()).then_some(most)
}

/// A row of the second table: a coin by a series that falls like a power of n. Its law by algebra, to 64 and to 1000 places, and
/// the machine that `compile` makes of it, explored in fair bits.
fn slow<C: Coin + KnownLaw + Clone>(
    name: &str,
    coin: &C,
) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let weighed = Explorer::new(1024).max_runs(QUESTIONS.1).weigh(coin);
    let explored = weighed.against(&explore::Says(coin), PLACES).map_err(|e| e.to_string())?;
    let exploring = time(start);
    let start = Instant::now();
    let law = coin.try_probability(64)?;
    let (to_64, start) = (time(start), Instant::now());
    coin.try_probability(1000)?;
    let (to_1000, start) = (time(start), Instant::now());
    let tally = Explorer::new(256).tally(&coin.clone().compile()?);
    let compiled = tally.against(&explore::Says(coin)).map_err(|e| e.to_string())?;
    let within = |found: &Agreement| found.places().map_or(String::new(), |k| format!("2^-{k}"));
    let (explored, compiled) = (within(&explored), within(&compiled));
    println!(
        "| {name} | {law:.20} | {explored} | {exploring} | {to_64} | {to_1000} | {compiled} | {} |",
        time(start)
    );
    Ok(())
}

fn time(start: Instant) -> String {
    format!("{:.1} ms", start.elapsed().as_secs_f64() * 1e3)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| machine | within, in fair bits | runs | time | within, through weights | runs | time | exact, if it has at most | expected fair bits | |"
    );
    println!("|---|---|--:|--:|---|--:|--:|---|--:|---|");
    every_machine(&mut Table);

    println!(
        "\n| series | law | within, 8192 runs | time | law to 2^-64 | law to 2^-1000 | compiled, within | time |"
    );
    println!("|---|---|---|--:|--:|--:|---|--:|");
    slow("η(2)", &eta::<2>())?;
    slow("η(3)", &eta::<3>())?;
    slow("η(4)", &eta::<4>())?;
    slow("η(7)", &eta::<7>())?;
    slow("β(2), Catalan", &beta::<2>())?;
    slow("β(3)", &beta::<3>())?;
    slow("β(6)", &beta::<6>())?;
    slow("1/√2", &parity_of_run(Hypergeometric::new([((2, 1), (2, 2))])?))?;
    Ok(())
}
