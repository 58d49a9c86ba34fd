//! Pictures of trees, as DOT and as SVG.
#![cfg(feature = "svg")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use buffon::{Always, Coin, Die, Fair, Machine, Rational, explore};
use svg::node::element::tag;
use svg::parser::Event;

/// How often each kind of element occurs.
fn count(picture: &str, name: &str) -> usize {
    let start = |event: &Event<'_>| match event {
        Event::Tag(tag, kind, _) => *tag == name && !matches!(kind, tag::Type::End),
        _ => false,
    };
    svg::read(picture).unwrap().filter(start).count()
}

#[test]
fn a_picture_has_each_node_and_each_edge_once() {
    let tree = explore(&Die::new(6).unwrap(), 6);
    let (leaves, open) = (tree.runs() - 4, 4);
    let picture = tree.to_svg();
    let inner = tree.runs() - 1; // a binary tree has one inner node less than ends
    assert_eq!((leaves, count(&picture, "circle") as u64), (12, inner + 3 * open));
    assert_eq!(count(&picture, "path") as u64, 2 * inner + 7); // and a line for each level
    assert!(picture.contains("&gt; 3 flips: 1/4") && picture.contains("P(0) ≥ 5/32"));
    assert!(picture.contains("<title>\nTHHTT\n</title>") || picture.contains("THHTT"));
    assert_eq!(picture, explore(&Die::new(6).unwrap(), 6).to_svg());
}

#[test]
fn pictures_of_the_smallest_and_of_the_oddest_machines_are_well_formed() {
    let always = explore(&Always, 0).to_svg();
    assert!(
        count(&always, "circle") == 0
            && always.contains("no flip")
            && always.contains("P(true) ≥ 1")
    );
    let nothing = explore(&Fair, 0).to_svg();
    assert!(nothing.contains("open: 1"));
    // What an answer is called is text, not markup.
    let odd = explore(&Fair.map(|heads| if heads { "<a & \"b\">" } else { "" }), 1);
    let picture = odd.to_svg();
    assert!(!picture.contains("<a &") && svg::read(&picture).unwrap().count() > 10);
    assert!(odd.to_dot().contains(r#"label="\"<a & \\\"b\\\">\"""#));
    // Long and wide ones too.
    let long = explore(&Rational::<u64>::new(1, 3).unwrap(), 200).to_svg();
    assert_eq!(count(&long, "path"), 2 * 200 + 201);
}

#[test]
fn dot_has_each_edge_once() {
    let tree = explore(&Fair.then(Rational::<u8>::new(1, 3).unwrap()), 4);
    let dot = tree.to_dot();
    assert_eq!(dot.matches(" -> ").count() as u64, 2 * (tree.runs() - 1));
    assert_eq!(dot.matches("shape=box").count() as u64 + 1, tree.runs());
    assert_eq!(dot.matches("shape=none").count(), 1);
    assert!(dot.starts_with("digraph {") && dot.ends_with("}\n"));
}
