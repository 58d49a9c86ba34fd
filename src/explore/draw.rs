use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Write};

use super::tree::Tree;
use super::verdict::word;

/// Colours that are told apart by all eyes, for outcomes in turn (Okabe and Ito 2008).
pub(super) const COLOURS: [&str; 7] =
    ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999933"];

/// The colour of an outcome.
pub(super) fn colour(outcome: usize) -> &'static str {
    COLOURS.get(outcome % COLOURS.len()).unwrap_or(&"#000000")
}

impl<T: Debug> Tree<T> {
    /// The tree in the DOT language of Graphviz: edges T and H, answers in boxes coloured by outcome, open nodes as dots.
    ///
    /// ```
    /// use buffon::{Rational, explore};
    /// let dot = explore(&Rational::<u8>::new(1, 3)?, 3).to_dot();
    /// assert!(dot.contains("n -> nH [label=\"H\"]"));
    /// assert!(dot.contains("nTH [shape=box, style=\"rounded,filled\", fillcolor=\"#E69F00\", fontcolor=white, label=\"true\"]"));
    /// # Ok::<(), buffon::ProbabilityError>(())
    /// ```
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::from(
            "digraph {\n  graph [ranksep=0.3, nodesep=0.15];\n  \
             node [shape=circle, label=\"\", width=0.12, height=0.12, margin=\"0.08,0.04\", fontname=\"sans-serif\", fontsize=11];\n  \
             edge [arrowhead=none, fontname=\"sans-serif\", fontsize=9, fontcolor=\"#666666\"];\n",
        );
        let mut last: Vec<bool> = Vec::new();
        for (leaf, (_, outcome)) in self.leaves().zip(self.ends()) {
            let prefix = leaf.prefix();
            let shared = prefix.iter().zip(&last).take_while(|(a, b)| a == b).count();
            for depth in shared..prefix.len() {
                let (from, to) = (word(&prefix[..depth]), word(&prefix[..=depth]));
                let side = word(&prefix[depth..=depth]);
                let _ = writeln!(dot, "  n{from} -> n{to} [label=\"{side}\"];");
            }
            let node = word(prefix);
            let _ = match (leaf.outcome(), outcome) {
                (Some(answer), Some(outcome)) => {
                    let (label, fill) = (alloc::format!("{answer:?}"), colour(outcome));
                    writeln!(
                        dot,
                        "  n{node} [shape=box, style=\"rounded,filled\", fillcolor=\"{fill}\", fontcolor=white, label={label:?}];"
                    )
                }
                _ => writeln!(dot, "  n{node} [shape=none, label=\"…\"];"),
            };
            last = prefix.to_vec();
        }
        dot.push_str("}\n");
        dot
    }
}
