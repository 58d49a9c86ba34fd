//! A machine's composition as a flow graph, written down in a few lines, and checked: its arithmetic must give the machine's
//! own law and cost.
//!
//! ```text
//! c @-1 = coin 1/3 | 2      a part, in row −1 (else that of the node before it), with its expected fair bits
//! bits > c                  where the flips go first
//! c > d : heads 1/3         an edge; the last word of its label is its probability
//! c > !tails @1 : tails 2/3 an edge to an answer of its own
//! d > … : 1/9               an edge to what is not drawn
//! ```
//!
//! A line that starts with `//` is a remark. `| ?` is a cost that the picture leaves open; `≈` stands before a rounded number.

use std::collections::BTreeMap;

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits,
    Part,
    Answer,
    Open,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The expected fair bits of a visit, as they are written, and as a number; no number where they are left open.
    pub(crate) cost: String,
    bits: Option<f64>,
    pub(crate) column: usize,
    pub(crate) row: i32,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: String,
    weight: Option<f64>,
    /// Whether it leads back, or to the node it comes from.
    pub(crate) back: bool,
}

/// The parsed graph; node 0 is the source of fair bits.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    rounded: bool,
}

/// What the graph's own arithmetic says: the mass of each answer, what is open, and the expected fair bits.
#[derive(Debug)]
pub(crate) struct Sums {
    pub(crate) answers: BTreeMap<String, f64>,
    pub(crate) open: f64,
    pub(crate) bits: Option<f64>,
    /// How near the sums can be to the truth, given rounded numbers.
    pub(crate) tolerance: f64,
}

/// A fraction, a decimal or a whole number, with or without `≈`.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches('≈');
    match text.split_once('/') {
        Some((num, den)) => Some(num.parse::<f64>().ok()? / den.parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

/// Cuts " @2" off the end of a name.
fn row(text: &str) -> Result<(&str, Option<i32>), String> {
    match text.rsplit_once('@') {
        None => Ok((text.trim(), None)),
        Some((name, row)) => {
            let row = row.trim().parse().map_err(|_| format!("{text:?} has no row"))?;
            Ok((name.trim(), Some(row)))
        }
    }
}

/// The graph while it is read.
struct Reader {
    graph: Graph,
    names: BTreeMap<String, usize>,
    rows: Vec<Option<i32>>,
}

impl Reader {
    fn node(&mut self, text: &str, kind: Kind, row: Option<i32>) -> usize {
        let (cost, text) = (String::new(), text.to_owned());
        self.graph.nodes.push(Node { text, kind, cost, bits: Some(0.0), column: 0, row: 0 });
        self.rows.push(row);
        self.graph.nodes.len() - 1
    }

    /// A node by its name, or a new answer or open end.
    fn named(&mut self, text: &str) -> Result<usize, String> {
        let (name, row) = row(text)?;
        if let Some(answer) = name.strip_prefix('!') {
            return Ok(self.node(answer, Kind::Answer, row));
        }
        if name == "…" {
            return Ok(self.node("…", Kind::Open, row));
        }
        self.names.get(name).copied().ok_or(format!("no node is called {name:?}"))
    }

    fn define(&mut self, name: &str, text: &str) -> Result<(), String> {
        let (name, row) = row(name)?;
        let (text, cost) = text.split_once('|').unwrap_or((text, "0"));
        let (text, cost) = (text.trim(), cost.trim());
        let kind = if text.starts_with('!') { Kind::Answer } else { Kind::Part };
        let place = self.node(text.trim_start_matches('!'), kind, row);
        let node = &mut self.graph.nodes[place];
        node.bits = if cost == "?" { None } else { Some(number(cost).ok_or(cost)?) };
        if cost != "?" && cost != "0" {
            node.cost = cost.to_owned();
        }
        self.names.insert(name.to_owned(), place);
        Ok(())
    }
}

impl Graph {
    /// Reads the lines.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rounded = text.contains('≈');
        let graph = Self { nodes: Vec::new(), edges: Vec::new(), rounded };
        let mut reader = Reader { graph, names: BTreeMap::new(), rows: Vec::new() };
        let start = reader.node("fair bits", Kind::Bits, Some(0));
        reader.names.insert("bits".to_owned(), start);
        let lines = || text.split(['\n', ';']).map(str::trim);
        let lines = || lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
        // Definitions first: an edge may come before them.
        let arrow = |line: &str| line.find(" > ").is_some_and(|at| !line[..at].contains('='));
        for line in lines().filter(|line| !arrow(line)) {
            let (name, text) = line.split_once(" = ").ok_or(format!("{line:?} says nothing"))?;
            reader.define(name, text)?;
        }
        for line in lines().filter(|line| arrow(line)) {
            let (from, to) = line.split_once(" > ").unwrap_or((line, ""));
            let (to, label) = to.split_once(" : ").unwrap_or((to, ""));
            let (from, to) = (reader.named(from)?, reader.named(to)?);
            let label = label.trim().to_owned();
            let weight = label.split_whitespace().last().and_then(number);
            reader.graph.edges.push(Edge { from, to, label, weight, back: false });
        }
        let Reader { mut graph, rows, .. } = reader;
        graph.find_back_edges();
        graph.place(&rows)?;
        Ok(graph)
    }

    /// An edge to a node that the way from the start to here has come through leads back.
    fn find_back_edges(&mut self) {
        // Depth first: a node is on the way (true) or done (false).
        let mut state: Vec<Option<bool>> = vec![None; self.nodes.len()];
        let mut stack = vec![(0, 0)];
        state[0] = Some(true);
        while let Some((node, next)) = stack.pop() {
            let mut edges = self.edges.iter_mut().filter(|edge| edge.from == node);
            let Some(edge) = edges.nth(next) else {
                state[node] = Some(false);
                continue;
            };
            stack.push((node, next + 1));
            match state[edge.to] {
                Some(on_the_way) => edge.back = on_the_way,
                None => {
                    state[edge.to] = Some(true);
                    stack.push((edge.to, 0));
                }
            }
        }
    }

    /// Columns by the longest way from the start; rows as stated, or that of the first node before.
    fn place(&mut self, rows: &[Option<i32>]) -> Result<(), String> {
        for _ in 0..self.nodes.len() {
            for edge in self.edges.iter().filter(|edge| !edge.back) {
                let column = self.nodes[edge.from].column + 1;
                self.nodes[edge.to].column = self.nodes[edge.to].column.max(column);
            }
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| self.nodes[node].column);
        for node in order {
            let before = self.edges.iter().find(|edge| edge.to == node && !edge.back);
            let inherited = before.map_or(0, |edge| self.nodes[edge.from].row);
            self.nodes[node].row = rows[node].unwrap_or(inherited);
        }
        for (place, node) in self.nodes.iter().enumerate() {
            let there = |other: &&Node| (other.column, other.row) == (node.column, node.row);
            if let Some(other) = self.nodes[..place].iter().find(there) {
                return Err(format!("{} and {} stand in one place", other.text, node.text));
            }
        }
        Ok(())
    }

    /// The graph as a Markov chain from the start; `None` if some edge has no probability.
    pub(crate) fn sums(&self) -> Result<Option<Sums>, String> {
        let mut ways: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.nodes.len()];
        for (node, ways) in ways.iter_mut().enumerate() {
            let edges: Vec<_> = self.edges.iter().filter(|edge| edge.from == node).collect();
            let single = edges.len() == 1;
            for edge in &edges {
                let Some(weight) = edge.weight.or(single.then_some(1.0)) else { return Ok(None) };
                ways.push((edge.to, weight));
            }
            let sum: f64 = ways.iter().map(|(_, weight)| weight).sum();
            if !edges.is_empty() && (sum - 1.0).abs() > self.tolerance() {
                return Err(format!("the edges from {} add up to {sum}", self.nodes[node].text));
            }
        }
        let mut visits = vec![0.0; self.nodes.len()];
        let mut now = vec![0.0; self.nodes.len()];
        now[0] = 1.0;
        while now.iter().sum::<f64>() > 1e-15 {
            let mut next = vec![0.0; now.len()];
            for (node, mass) in now.iter().enumerate() {
                visits[node] += mass;
                for &(to, weight) in &ways[node] {
                    next[to] += mass * weight;
                }
            }
            now = next;
        }
        let (mut answers, mut open, mut bits) = (BTreeMap::new(), 0.0, Some(0.0));
        for (node, visits) in self.nodes.iter().zip(visits) {
            match node.kind {
                Kind::Answer => *answers.entry(node.text.clone()).or_insert(0.0) += visits,
                Kind::Open => open += visits,
                _ => bits = bits.zip(node.bits).map(|(sum, cost)| sum + visits * cost),
            }
        }
        Ok(Some(Sums { answers, open, bits, tolerance: self.tolerance() }))
    }

    const fn tolerance(&self) -> f64 {
        if self.rounded { 2e-3 } else { 1e-9 }
    }

    /// Holds the picture against the law and the cost of the machine. Answers that are no outcomes, such as "a side", and
    /// open ends may hide any of them.
    pub(crate) fn check(&self, law: &[(String, f64)], bits: Option<f64>) -> Result<bool, String> {
        let Some(sums) = self.sums()? else { return Ok(false) };
        let outcome = |name: &String| law.iter().any(|(label, _)| label == name);
        let hidden: f64 =
            sums.answers.iter().filter(|(name, _)| !outcome(name)).map(|(_, mass)| mass).sum();
        for (label, p) in law {
            let mass = sums.answers.get(label).copied().unwrap_or(0.0);
            let most = mass + sums.open + hidden + sums.tolerance;
            if *p < mass - sums.tolerance || *p > most {
                return Err(format!("by the picture P({label}) is {mass}, by the law {p}"));
            }
        }
        if let Some((drawn, bits)) = sums.bits.zip(bits) {
            let most = if sums.open > 0.0 { f64::INFINITY } else { drawn + sums.tolerance };
            if bits < drawn - sums.tolerance || bits > most {
                return Err(format!("by the picture it costs {drawn} bits, by the law {bits}"));
            }
        }
        Ok(true)
    }
}

/// The first-heads rule for `num/den`: flip k answers digit k at heads; after the last new remainder it goes back.
pub(crate) fn digits(num: u128, den: u128, most: usize) -> String {
    let (mut rest, mut seen, mut lines) = (num % den, Vec::new(), vec!["bits > f1".to_owned()]);
    while seen.len() < most {
        seen.push(rest);
        let k = seen.len();
        let double = 2 * rest;
        let answer = if double >= den { "heads" } else { "tails" };
        rest = double % den;
        lines.push(format!("f{k} = flip {k} | 1; f{k} > !{answer} @1 : H 1/2"));
        if rest == 0 {
            lines.push(format!("f{k} > !tails @0 : T 1/2"));
            return lines.join("\n");
        }
        if let Some(back) = seen.iter().position(|&old| old == rest) {
            lines.push(format!("f{k} > f{} : T 1/2", back + 1));
            return lines.join("\n");
        }
        let next = if k == most { "… @0".to_owned() } else { format!("f{}", k + 1) };
        lines.push(format!("f{k} > {next} : T 1/2"));
    }
    lines.join("\n")
}

/// A run of coins up to the first tails, with the answer after 0, 1, 2, … heads: `coins` are their probabilities and costs.
pub(crate) fn comb(coins: &[(String, String)], answers: &[&str]) -> String {
    let mut lines = vec!["bits > c1".to_owned()];
    for (place, (p, cost)) in coins.iter().enumerate() {
        let k = place + 1;
        let answer = answers[place % answers.len()];
        let next = if k == coins.len() { "… @0".to_owned() } else { format!("c{}", k + 1) };
        lines.push(format!("c{k} = coin {p} | {cost}"));
        lines.push(format!("c{k} > {next} : H {p}"));
        let (num, den) = p.split_once('/').unwrap_or((p, "1"));
        let [num, den] = [num, den].map(|text| text.parse::<u128>().unwrap_or(0));
        if num < den {
            lines.push(format!("c{k} > !{answer} @1 : T {}/{den}", den - num));
        }
    }
    lines.join("\n")
}

/// The cost of a lone coin: 2, or 2 − 2^(1−m) for a/2^m in lowest terms.
pub(crate) fn kappa(num: u128, den: u128) -> String {
    let den = den / num_integer::gcd(num, den);
    match den {
        1 => "0".to_owned(),
        _ if den.is_power_of_two() && den == 2 => "1".to_owned(),
        _ if den.is_power_of_two() => format!("{}/{}", den - 1, den / 2),
        _ => "2".to_owned(),
    }
}

/// The parity of the run of these coins: heads if it is even.
pub(crate) fn parity(coins: &[(u128, u128)]) -> String {
    let named: Vec<_> = coins.iter().map(|&(a, b)| (format!("{a}/{b}"), kappa(a, b))).collect();
    comb(&named, &["heads", "tails"])
}
