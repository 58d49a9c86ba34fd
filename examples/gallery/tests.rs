//! The pictures' own arithmetic.

use buffon::explore::{Says, Target};
use buffon::{Dyadic, KnownLaw, Rational};

use crate::bars::interval;
use crate::facts::{Effort, Facts, float, share};
use crate::figures::entropy;
use crate::graph::{Graph, digits, kappa};
use crate::machines;
use crate::subject::Subject;

fn law(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
    pairs.iter().map(|&(name, p)| (name.to_owned(), p)).collect()
}

#[test]
fn every_graph_agrees_with_the_law_and_the_cost_of_its_machine() {
    let mut checked = 0;
    for entry in machines::all().unwrap().iter().flat_map(|family| &family.entries) {
        let graph = Graph::parse(&entry.graph).unwrap();
        assert!(graph.nodes.len() > 2 && graph.edges.len() > 1, "{}", entry.name);
        let law = Says(&entry.subject).wanted(&[], 40).unwrap();
        let law: Vec<_> =
            law.outcomes().iter().map(|(name, p)| (name.clone(), float(p.low()))).collect();
        let bits = entry.subject.try_expected_bits(30).ok().map(|bits| float(bits.low()));
        checked += usize::from(graph.check(&law, bits).unwrap());
    }
    assert!(checked > 70, "{checked}");
}

#[test]
fn the_facts_of_a_third_are_known() {
    let third = Subject::new(Rational::<u64>::new(1, 3).unwrap());
    let facts = Facts::of(&third, Effort::Levels(40), 1).unwrap();
    assert_eq!(facts.expected(), 2.0);
    assert!((facts.optimum - 2.0).abs() < 1e-12);
    assert!((facts.entropy - (3f64.log2() - 2.0 / 3.0)).abs() < 1e-12);
    assert_eq!(facts.states, Some((2, 32)));
    let proof = facts.by_bits.unwrap();
    assert_eq!((proof.places, proof.depth, proof.runs, proof.optimal), (Some(40), 40, 41, true));
}

#[test]
fn a_wrong_graph_is_refused() {
    let third = law(&[("heads", 1.0 / 3.0), ("tails", 2.0 / 3.0)]);
    let check =
        |text: &str, bits| Graph::parse(text).and_then(|graph| graph.check(&third, Some(bits)));
    let good = "a = coin | 2; bits > a; a > !heads @0 : 1/3; a > !tails @1 : 2/3";
    assert_eq!(check(good, 2.0), Ok(true));
    assert!(check(good, 2.5).is_err());
    assert!(
        check(&good.replace("heads @0 : 1/3; a > !tails", "tails @0 : 1/3; a > !heads"), 2.0)
            .is_err()
    );
    assert!(check(&good.replace("2/3", "1/3"), 2.0).unwrap_err().contains("add up"));
    assert!(check(&good.replace("@1", "@0"), 2.0).unwrap_err().contains("one place"));
    assert!(check("bits > b", 2.0).unwrap_err().contains("\"b\""));
    // What is not drawn may be either, and no number says nothing.
    assert_eq!(check("a = coin | 2; bits > a; a > !heads @0 : 1/4; a > … @1 : 3/4", 9.0), Ok(true));
    assert_eq!(check("a = coin | 2; bits > a; a > !heads @0; a > !tails @1", 2.0), Ok(false));
}

#[test]
fn the_first_heads_rule_is_drawn_with_its_digits() {
    for (num, den) in [(1u32, 3u32), (2, 5), (1, 7), (3, 8), (5, 6), (1, 2)] {
        let p = f64::from(num) / f64::from(den);
        let graph = Graph::parse(&digits(num.into(), den.into(), 8)).unwrap();
        let bits = match kappa(num.into(), den.into()).split_once('/') {
            Some((a, b)) => a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap(),
            None => kappa(num.into(), den.into()).parse().unwrap(),
        };
        let law = law(&[("heads", p), ("tails", 1.0 - p)]);
        assert_eq!(graph.check(&law, Some(bits)), Ok(true), "{num}/{den}");
        assert_eq!(graph.sums().unwrap().unwrap().open, 0.0);
    }
}

#[test]
fn the_figures_go_through_known_points() {
    assert_eq!((entropy(0.0), entropy(0.5), entropy(1.0)), (0.0, 1.0, 0.0));
    assert!((entropy(0.25) - (2.0 - 0.75 * 3f64.log2())).abs() < 1e-12);
    // Shares of optimal trees: 11/3 for a die of six sides.
    let sixth = num_rational::BigRational::new(1.into(), 6.into());
    assert!((6.0 * share(&sixth) - 11.0 / 3.0).abs() < 1e-12);
    let half = Facts::of(&Subject::new(Dyadic::new(1, 1).unwrap()), Effort::Levels(9), 1).unwrap();
    assert_eq!((half.optimum, half.entropy, half.counted), (1.0, 1.0, 1.0));
    // Wilson's interval at three standard deviations: symmetric about a half, and open towards the middle at the ends.
    let (low, high) = interval(50, 100);
    assert!((low + high - 1.0).abs() < 1e-12 && (high - low - 0.3 / 1.09f64.sqrt()).abs() < 1e-12);
    assert!(interval(0, 100).0 == 0.0 && (interval(0, 100).1 - 9.0 / 109.0).abs() < 1e-12);
}
