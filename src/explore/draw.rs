use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Write};

use super::tree::Tree;

impl<T: Debug> Tree<T> {
    /// The tree in the DOT language of Graphviz: edges T and H, answers in boxes, open nodes as dots.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let name = |prefix: &[bool]| -> String {
            "n".chars().chain(prefix.iter().map(|&bit| if bit { 'H' } else { 'T' })).collect()
        };
        let mut dot = String::from("digraph {\n  node [shape=point];\n");
        let mut last: Vec<bool> = Vec::new();
        for leaf in self.leaves() {
            let prefix = leaf.prefix();
            let shared = prefix.iter().zip(&last).take_while(|(a, b)| a == b).count();
            for depth in shared..prefix.len() {
                let (from, to) = (name(&prefix[..depth]), name(&prefix[..=depth]));
                let side = if prefix[depth] { "H" } else { "T" };
                let _ = writeln!(dot, "  {from} -> {to} [label={side}];");
            }
            let node = name(prefix);
            let _ = match leaf.outcome() {
                Some(outcome) => {
                    let label = alloc::format!("{outcome:?}");
                    writeln!(dot, "  {node} [shape=box, label={label:?}];")
                }
                None => writeln!(dot, "  {node} [shape=none, label=\"…\"];"),
            };
            last = prefix.to_vec();
        }
        dot.push_str("}\n");
        dot
    }
}
