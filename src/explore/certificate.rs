use alloc::string::String;
use core::fmt::{Debug, Write};

use super::tree::Tree;
use super::verdict::word;

impl<T: Debug> Tree<T> {
    /// The tree as a text that others can check without this library: a certificate.
    ///
    /// The first lines name the machine and the depth, and number the outcomes. Then each leaf and open node stands on a line
    /// of its own, from left to right: its flips, `-` for none, and the number of its outcome, or `?` where it is open. The
    /// example `recheck` of this crate is a checker of some forty lines.
    ///
    /// ```
    /// use buffon::{Rational, explore};
    /// let tree = explore(&Rational::<u8>::new(1, 3)?, 2);
    /// assert_eq!(
    ///     tree.certificate("the coin 1/3"),
    ///     "buffon certificate 1\nmachine the coin 1/3\ndepth 2\noutcome 0 true\noutcome 1 false\nTT ?\nTH 0\nH 1\n"
    /// );
    /// # Ok::<(), buffon::ProbabilityError>(())
    /// ```
    #[must_use]
    pub fn certificate(&self, machine: &str) -> String {
        let machine = machine.replace(['\n', '\r'], " ");
        let mut text = String::from("buffon certificate 1\n");
        let _ = writeln!(text, "machine {machine}\ndepth {}", self.depth());
        for (number, outcome) in self.outcomes().iter().enumerate() {
            // A name that takes several lines is quoted.
            let name = alloc::format!("{outcome:?}");
            let name = if name.contains(['\n', '\r']) { alloc::format!("{name:?}") } else { name };
            let _ = writeln!(text, "outcome {number} {name}");
        }
        for (leaf, (_, number)) in self.leaves().zip(self.ends()) {
            let flips = if leaf.prefix().is_empty() { "-".into() } else { word(leaf.prefix()) };
            let _ = match number {
                Some(number) => writeln!(text, "{flips} {number}"),
                None => writeln!(text, "{flips} ?"),
            };
        }
        text
    }
}
