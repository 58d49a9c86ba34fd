//! The tour: real coins, dice and choosers on the operating system's randomness, with their exact laws and counted bits.
//!
//!     cargo run --release --example tour
//!     cargo run --release --example tour -- 3/7 20 5,1,4
//!
//! The arguments ask for a coin, a die and weights of one's own.

use std::error::Error;
use std::fmt::Debug;
use std::process::ExitCode;

use buffon::{
    BitBuffer, BitSource, Bracket, Coin, Counted, Die, Dyadic, Fair, KnownLaw, Law, Leaf, Machine,
    OneOver, Rational, Reciprocals, Sequential, Tree, Viglietta, Weighted, explore, parity_of_run,
};
use num_bigint::BigUint;
use num_rational::BigRational;
use rand::rngs::SysRng;

const SAMPLES: u32 = 200_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (coin, die, weights) = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(message) => {
            eprintln!("tour: {message}");
            eprintln!("usage: tour [COIN] [DIE] [WEIGHTS], such as: tour 3/7 20 5,1,4");
            return ExitCode::from(2);
        }
    };
    match tour(coin, die, &weights) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tour: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The coin, die and weights that were asked for, or the usual ones.
fn parse(arguments: &[String]) -> Result<(Rational<BigUint>, Die, Vec<BigUint>), String> {
    if arguments.len() > 3 {
        return Err(format!("{} arguments are too many", arguments.len()));
    }
    let text =
        |place: usize, usual: &'static str| arguments.get(place).map_or(usual, String::as_str);
    let whole = |text: &str| -> Result<BigUint, String> {
        text.trim().parse().map_err(|_| format!("{text:?} is not a whole number"))
    };
    let coin = text(0, "3/7");
    let (num, den) =
        coin.split_once('/').ok_or(format!("{coin:?} is not a fraction such as 3/7"))?;
    let coin =
        Rational::<BigUint>::new(whole(num)?, whole(den)?).map_err(|e| format!("{coin}: {e}"))?;
    let die = text(1, "20");
    let sides =
        die.trim().parse().map_err(|_| format!("{die:?} is not a number of sides below 2^64"))?;
    let die = Die::new(sides).map_err(|e| format!("{die}: {e}"))?;
    let weights = text(2, "5,1,4");
    let list: Vec<BigUint> = weights.split(',').map(whole).collect::<Result<_, _>>()?;
    Weighted::new(&list).map_err(|e| format!("{weights}: {e}"))?;
    Ok((coin, die, list))
}

fn tour(coin: Rational<BigUint>, die: Die, weights: &[BigUint]) -> Result<(), Box<dyn Error>> {
    let bits = &mut BitBuffer::new(SysRng);
    let third = Rational::<u64>::new(1, 3)?;

    println!(
        "Exact coins from fair bits ({SAMPLES} flips each, from the operating system's randomness)\n"
    );
    println!(
        "{:<34}{:>20}{:>11}{:>17}{:>10}",
        "coin", "law: P(heads)", "measured", "law: fair bits", "counted"
    );
    let yours = format!("yours: {}/{}", coin.numer(), coin.denom());
    flips(&yours, &coin, bits)?;
    flips("Fair", &Fair, bits)?;
    flips("Dyadic 3/8", &Dyadic::new(3, 3)?, bits)?;
    flips("Rational 1/3", &third, bits)?;
    flips("the double 0.1, as it is stored", &Rational::from_f64(0.1)?, bits)?;
    flips("third.then(third)", &third.then(third), bits)?;
    flips("third.or_else(Fair)", &third.or_else(Fair), bits)?;
    flips("Fair.mix(third, third.not())", &Fair.mix(third, third.not()), bits)?;
    flips("third.parity_of_run()", &third.parity_of_run(), bits)?;
    flips("1/e = parity_of_run(Reciprocals)", &parity_of_run(Reciprocals), bits)?;
    let trick = third.zip(third).map(|(a, b)| (a != b).then_some(a)).retry();
    flips("von Neumann's trick on third", &trick, bits)?;

    println!(
        "\nDice and choosers ({SAMPLES} rolls each; law and measured frequency of the first few outcomes)\n"
    );
    rolls(&format!("yours: Die {}", die.sides()), &die, bits)?;
    rolls("Die 6", &Die::new(6)?, bits)?;
    let list = weights.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    rolls(&format!("yours: Weighted {list}"), &Weighted::new(weights)?, bits)?;
    rolls(&format!("Sequential {list}"), &Sequential::new(weights)?, bits)?;
    rolls("Viglietta 6, over the coin 1/6", &Viglietta::new(6, OneOver::try_from(6)?)?, bits)?;

    println!("\nThe decision tree of Dyadic 3/8, drawn from its compiled code\n");
    let tree = explore(&Dyadic::new(3, 3)?, 8);
    draw(&tree);
    println!(
        "\n  P(heads) = {} and {} fair bits on average, with nothing left open: a proof.",
        tree.mass(&true),
        tree.expected_bits()
    );
    let tree = explore(&parity_of_run(Reciprocals), 48);
    let width = Bracket::new(tree.mass(&true), tree.mass(&true) + tree.open());
    println!("  1/e, explored on every string of 48 bits ({} runs), is {width:.12}", tree.runs());
    Ok(())
}

/// One line for a coin: its law and cost as told by algebra, beside what is measured.
fn flips<C, B>(name: &str, coin: &C, bits: &mut B) -> Result<(), B::Error>
where
    C: Coin + KnownLaw,
    B: BitSource,
{
    let mut counted = Counted::new(bits);
    let mut heads = 0;
    for _ in 0..SAMPLES {
        heads += u32::from(coin.try_flip(&mut counted)?);
    }
    let (heads, used) = (share(heads), counted.count() as f64 / f64::from(SAMPLES));
    let cost = coin.expected_bits(40);
    let law = coin.probability(60);
    println!("{name:<34}{law:>20.12}{heads:>11.5}{cost:>17.5}{used:>10.5}");
    Ok(())
}

/// A few lines for a die or chooser.
fn rolls<M, B>(name: &str, machine: &M, bits: &mut B) -> Result<(), B::Error>
where
    M: KnownLaw,
    M::Output: PartialEq + Debug,
    B: BitSource,
{
    // The first few outcomes that are possible; a law of very many sides is not listed at all.
    let listed = machine.law(60).map_or_else(|_| Vec::new(), Law::into_outcomes);
    let possible = listed.into_iter().filter(|(_, weight)| *weight.high() > BigRational::default());
    let mut shown: Vec<_> =
        possible.take(4).map(|(outcome, weight)| (outcome, weight, 0)).collect();
    let mut counted = Counted::new(bits);
    for _ in 0..SAMPLES {
        let answer = machine.try_sample(&mut counted)?;
        if let Some((.., count)) = shown.iter_mut().find(|(outcome, ..)| *outcome == answer) {
            *count += 1;
        }
    }
    let used = counted.count() as f64 / f64::from(SAMPLES);
    let cost = machine.expected_bits(40);
    println!("{name:<34}{cost:.5} fair bits expected, {used:.5} counted");
    for (outcome, weight, count) in shown {
        let outcome = format!("{outcome:?}:");
        println!("{outcome:>37} {weight:>18.12} {:>10.5}", share(count));
    }
    Ok(())
}

fn share(count: u32) -> f64 {
    f64::from(count) / f64::from(SAMPLES)
}

/// The tree from left to right: each line is an answer, with the flips that lead to it and its mass.
fn draw(tree: &Tree<bool>) {
    let mut last: Vec<bool> = Vec::new();
    for leaf in tree.leaves() {
        let prefix = Leaf::prefix(&leaf);
        let shared = prefix.iter().zip(&last).take_while(|(a, b)| a == b).count();
        let path: String = (0..prefix.len())
            .map(|depth| match (depth < shared, prefix[depth]) {
                (true, false) => "│  ".to_owned(),
                (true, true) => "   ".to_owned(),
                (false, false) => "├T─".to_owned(),
                (false, true) => "└H─".to_owned(),
            })
            .collect();
        let answer = leaf.outcome().map_or("…", |&heads| if heads { "heads" } else { "tails" });
        println!("  {path} {answer:<6} 1/{}", 1u64 << prefix.len());
        last = prefix.to_vec();
    }
}
