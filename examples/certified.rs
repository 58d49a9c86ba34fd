//! The certified distance of machines: how near the compiled code is, for certain, to the law that it states.
//!
//!     cargo run --release --example certified
//!
//! The first part explores in fair bits; the second through weights, where a flip of a rational coin is one question.

use std::fmt::Debug;
use std::time::Instant;

use buffon::catalogue::{
    bessel_j0, cos, exp_minus, gauss_integral, inverse_e, inverse_sqrt_one_plus, sinc,
};
use buffon::explore::{Agreement, Says};
use buffon::{
    Coin, Die, Dyadic, Explorer, Fair, KnownLaw, Machine, OneOver, Rational, Sequential, ThreeWay,
    Viglietta, Weighted,
};

/// A row of the table: the distance, what it took, and what the machine costs.
fn row<M: KnownLaw>(name: &str, machine: &M, agreement: &Agreement, runs: u64, start: Instant) {
    let within = agreement.places().map_or("exact".to_owned(), |places| format!("2^-{places}"));
    let bits =
        machine.try_expected_bits(40).map_or("unbounded".to_owned(), |bits| format!("{bits:.8}"));
    let excess = if agreement.is_optimal() { "optimal" } else { "" };
    let time = start.elapsed().as_secs_f64() * 1e3;
    println!("| {name} | {within} | {runs} | {time:.1} ms | {bits} | {excess} |");
}

fn bits<M: KnownLaw>(name: &str, machine: &M, depth: u32)
where
    M::Output: PartialEq + Clone + Debug,
{
    let start = Instant::now();
    let tally = Explorer::new(depth).tally(machine);
    match tally.against(&Says(machine)) {
        Ok(agreement) => row(name, machine, &agreement, tally.runs(), start),
        Err(refusal) => println!("| {name} | REFUSED: {refusal} |"),
    }
}

fn weights<M: KnownLaw>(name: &str, machine: &M, depth: u32)
where
    M::Output: PartialEq + Clone + Debug,
{
    let start = Instant::now();
    let weighed = Explorer::new(depth).weigh(machine);
    match weighed.against(&Says(machine), 80) {
        Ok(agreement) => row(name, machine, &agreement, weighed.runs(), start),
        Err(refusal) => println!("| {name} | REFUSED: {refusal} |"),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| machine | within | runs | time | expected fair bits | |\n|---|---|---|---|---|---|"
    );
    let third = Rational::<u64>::new(1, 3)?;
    bits("Rational 1/3", &third, 1000);
    bits("Rational 355/1130", &Rational::<u64>::new(355, 1130)?, 1000);
    bits("Rational 1/(2^64 − 1)", &Rational::<u64>::new(1, u64::MAX)?, 1000);
    bits("OneOver 7", &OneOver::try_from(7)?, 1000);
    bits("Dyadic 3/8", &Dyadic::new(3, 3)?, 1000);
    bits("the double 0.1", &Rational::from_f64(0.1)?, 1000);
    bits("Die 6", &Die::new(6)?, 1000);
    bits("Die 100", &Die::new(100)?, 200);
    bits("Weighted 5, 1, 4", &Weighted::new([5, 1, 4])?, 1000);
    bits("Sequential 4, 1, 5", &Sequential::new([4, 1, 5])?, 200);
    bits("ThreeWay", &ThreeWay, 200);
    bits("third.then(Fair)", &third.then(Fair), 1000);
    bits("third.mix(third, Fair)", &third.mix(third, Fair), 200);
    bits("third, compiled from 1/3·1", &third.condition(|_| true).compile()?, 1000);

    println!(
        "\n| machine, through weights | within | runs | time | expected fair bits | |\n|---|---|---|---|---|---|"
    );
    weights("1/e", &inverse_e(), 40);
    weights("e^(−3/2)", &exp_minus(3, 2)?, 60);
    weights("cos 1", &cos(1, 1)?, 60);
    weights("(sin 1)/1", &sinc(1, 1)?, 60);
    weights("J₀(1)", &bessel_j0(1, 1)?, 60);
    weights("∫exp(−w²), to 1", &gauss_integral(1, 1)?, 90);
    weights("1/√(1 + 1/4)", &inverse_sqrt_one_plus(1, 4)?, 80);
    weights("third.parity_of_run()", &third.parity_of_run(), 70);
    weights("third.run()", &third.run(), 60);
    weights("Viglietta 6", &Viglietta::new(6, OneOver::try_from(6)?)?, 20);
    Ok(())
}
