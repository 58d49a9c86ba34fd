use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use num_traits::Zero;

use super::chain::Chain;
use super::states::Next;
use super::tree::Tree;

/// The tree as nodes, each before its children.
struct Nodes {
    /// The children of an inner node; none below a leaf or an open node.
    children: Vec<Option<[usize; 2]>>,
    depths: Vec<usize>,
    /// The outcome of a leaf.
    outcomes: Vec<Option<usize>>,
}

impl Nodes {
    fn new<T>(tree: &Tree<T>) -> Self {
        let mut nodes = Self { children: vec![None], depths: vec![0], outcomes: vec![None] };
        // The nodes from the root to the last end, and the next child that each has to get.
        let mut path = vec![0];
        for (depth, outcome) in tree.ends() {
            while path.len() <= depth {
                let parent = path[path.len() - 1];
                let child = nodes.children.len();
                nodes.children.push(None);
                nodes.depths.push(path.len());
                nodes.outcomes.push(None);
                match &mut nodes.children[parent] {
                    Some(children) => children[1] = child,
                    empty => *empty = Some([child, child]),
                }
                path.push(child);
            }
            nodes.outcomes[path[depth]] = outcome;
            // Up from the end, and from each second child, which completes its parent.
            while let Some(node) = path.pop() {
                let done = path.last().and_then(|&parent: &usize| nodes.children[parent]);
                if done.is_none_or(|[_, second]| second != node)
                    || done.is_some_and(|[first, second]| first == second)
                {
                    break;
                }
            }
        }
        nodes
    }

    fn is_live(&self, node: usize) -> bool {
        self.outcomes[node].is_none()
    }
}

impl<T: Clone> Tree<T> {
    /// The machine's states, found from its tree, if it has at most `most` of them; the chain is solved exactly.
    ///
    /// Two nodes are in the same state if the machine goes on alike from them. With at most m states, those that differ at
    /// all differ within m flips (each of these splits a class, or none ever does again), and each state is met within m − 1
    /// flips. So a tree of depth 2m tells them all, and what is returned is *proved on the assumption that there are at most m
    /// states*, as there are for a rational coin of denominator m. Nothing is assumed where the tree has no open node.
    ///
    /// `None` if there are more than m states, or the tree is less than 2m deep.
    ///
    /// ```
    /// use buffon::{Die, explore};
    /// let q = |a: i64, b: i64| num_rational::BigRational::new(a.into(), b.into());
    /// let die = explore(&Die::new(6)?, 16).collapse(8).ok_or("more than eight states")?;
    /// assert_eq!((die.states(), die.probability(&5), die.expected_bits()), (7, q(1, 6), Some(q(11, 3))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn collapse(&self, most: usize) -> Option<Chain<T>> {
        let depth = if self.open().is_zero() { usize::MAX } else { self.depth() as usize };
        if !self.is_reproducible() || depth / 2 < most {
            return None;
        }
        let nodes = Nodes::new(self);
        let classes = classes(&nodes, most, depth);
        // A state for each class of live nodes that is met within m − 1 flips, in the order in which they are met.
        let mut met: Vec<usize> = (0..nodes.depths.len())
            .filter(|&node| nodes.is_live(node) && nodes.depths[node] < most)
            .collect();
        met.sort_by_key(|&node| nodes.depths[node]);
        let mut states = BTreeMap::new();
        for &node in &met {
            let number = states.len();
            states.entry(classes[node]).or_insert(number);
        }
        // With none allowed not even the root, if it asks, has been met.
        if states.len() > most || most == 0 && nodes.is_live(0) {
            return None;
        }
        let mut moves: Vec<Option<[Next<usize, usize>; 2]>> = vec![None; states.len()];
        for &node in &met {
            let mut next = [Next::Answer(0); 2];
            for (next, child) in next.iter_mut().zip(nodes.children[node]?) {
                *next = match nodes.outcomes[child] {
                    Some(outcome) => Next::Answer(outcome),
                    None => Next::State(*states.get(&classes[child])?),
                };
            }
            let known = &mut moves[*states.get(&classes[node])?];
            if known.is_some_and(|known| known != next) {
                return None;
            }
            *known = Some(next);
        }
        let start = nodes.outcomes[0].map_or(Next::State(0), Next::Answer);
        Some(Chain::new(self.outcomes().to_vec(), start, moves.into_iter().collect::<Option<_>>()?))
    }
}

/// The class of each node: two live nodes, at most `depth` − `rounds` deep, are in one class if they go on alike for
/// `rounds` flips.
fn classes(nodes: &Nodes, rounds: usize, depth: usize) -> Vec<usize> {
    // Leaves are told apart by their outcomes for good; all live nodes are one class at first.
    let leaves = nodes.outcomes.iter().flatten().max().map_or(0, |last| last + 1);
    let mut classes: Vec<usize> =
        nodes.outcomes.iter().map(|leaf| leaf.unwrap_or(leaves)).collect();
    for round in 1..=rounds {
        let mut pairs = BTreeMap::new();
        for node in 0..classes.len() {
            // Children come later, so theirs are still the classes of the round before.
            let (Some([tails, heads]), true) =
                (nodes.children[node], nodes.depths[node] <= depth - round)
            else {
                continue;
            };
            let number = leaves + pairs.len();
            classes[node] = *pairs.entry((classes[tails], classes[heads])).or_insert(number);
        }
    }
    classes
}
