//! Constants and functions that are in no list, each built from public parts in a line or a few, as a user would.

mod support;

use buffon::catalogue::{Poisson, beta, integrals, inverse_e, sinc, tanh_of_half};
use buffon::factories::{
    Gap, Heads, Pgf, Scaled, affine, exp_minus_of, linear, odds, one_over_one_plus,
    rational_function, to_the, to_the_coin,
};
use buffon::uniform::{Integrand, Monomial};
use buffon::walks::first_return;
use buffon::{
    Always, Beta, Coin, Fair, Hypergeometric, KnownLaw, Machine, Rational, parity_of_run,
};
use support::{has_decimals, has_law, trees_agree};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn constants() -> Done {
    has_law(&to_the(Rational::<u64>::new(1, 3)?, 1, 2)?, "0.57735026918962576451", 30, "4.979257"); // 1/√3
    has_law(
        &Rational::<u64>::new(1, 2)?.then(sinc(1, 2)?),
        "0.47942553860420300027",
        30,
        "2.042190",
    ); // sin ½
    has_law(&tanh_of_half(2, 1)?, "0.76159415595576488812", 30, "7.431932"); // tanh 1
    has_law(&exp_minus_of(integrals::quarter_pi()), "0.45593812776599623677", 30, "6.443575"); // e^(−π/4)
    assert!(has_decimals(&Fair.then(beta::<2>()).probability(64), "0.45798279708860950752")); // Catalan's over two
    // N flips are even, for a geometric N: a word of the lattice with as many of each letter, 1/√3 once more.
    let even =
        Fair.run().and_then(|n| Heads::new(Fair, n as usize).map(move |k| 2 * k as u64 == n));
    assert!(has_decimals(&even.probability(64), "0.57735026918962576451"));
    // ∫∫ exp(−uv), and the mean of 1/√(1 + u/2) for the arcsine law: 1/agm(1, √(3/2)).
    let two = Monomial::new(Always, 1).exp_minus().urns([Beta::UNIFORM; 2]);
    has_law(&two, "0.79659959929705313428", 30, "2.356628");
    Ok(())
}

#[test]
fn functions_of_a_coin_whose_bias_is_three_tenths() -> Done {
    let p = Rational::<u64>::new(3, 10)?;
    has_law(&one_over_one_plus(p.not()), "0.58823529411764705882", 30, "2.352941"); // 1/(2 − p)
    let quotient = [odds(0, 1, 2)?, odds(1, 2, 3)?, odds(1, 2, 0)?]; // p/(1 + p + p²), in the Bernstein form over 3
    has_law(&rational_function(p, quotient)?, "0.21582733812949640287", 30, "12.949640");
    has_law(&p.then(affine(1, p.power(2), 2)?), "0.16350000000000000000", 30, "2.690000"); // p(1 + p²)/2
    has_law(&to_the(p, 1, 2)?.not(), "0.45227744249483388654", 30, "5.364725"); // 1 − √p
    has_law(&to_the(p, 2, 3)?, "0.44814047465571647087", 30, "5.078925"); // p^(2/3)
    has_law(&to_the_coin(p, p), "0.69684530193594893014", 30, "8.105081"); // p^p
    let cosine = Hypergeometric::new([((0, 1), (2, 1)), ((0, 1), (2, 2))])?; // 1/((2k − 1)2k)
    has_law(
        &parity_of_run(Scaled::new(cosine, p.power(2))),
        "0.95533648912560601964",
        30,
        "2.400456",
    );
    has_law(&Pgf::new(Poisson::new(1, 1)?, p), "0.49658530379140951470", 30, "7.200368"); // e^(p − 1)
    has_law(&p.then(inverse_e()).parity_of_run(), "0.90060570316153607323", 30, "3.041641"); // 1/(1 + p/e)
    has_law(&first_return(p), "0.83666002653407554798", 30, "3.107594"); // √(1 − p)
    assert!(linear(2, 1, p, Gap::new(1, 5)?)?.probability(64).is_exact()); // 2p
    // (arctan p)/p, by an integral and by the run of its series.
    let arctan = Hypergeometric::new([((2, 1), (2, 3))])?; // (2k − 1)/(2k + 1)
    let run = parity_of_run(Scaled::new(arctan, p.power(2)));
    has_law(&run, "0.97152264825955697332", 30, "2.980166");
    let integral = Monomial::new(p, 2).one_over_one_plus().urns([Beta::UNIFORM]);
    assert!(has_decimals(&integral.probability(40), "0.971522648259"));
    trees_agree(&integral, 12, 10);
    Ok(())
}
