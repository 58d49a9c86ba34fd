//! The page: cards in families, a choice of families without any script, the figures.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use buffon::{Bracket, Tail};

use crate::bars;
use crate::draw;
use crate::facts::{Certified, Facts, Outcome, SAMPLES, SHOWN};
use crate::figures::Figure;
use crate::graph::Graph;
use crate::machines::{Entry, Family};
use crate::picture::{COLOURS, OUTCOMES, Picture, colour};
use crate::tree;

const STYLE: &str = include_str!("style.css");

/// A card's machine with all that was found out about it.
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) entry: Entry,
    pub(crate) graph: Graph,
    /// Whether the graph's probabilities add up to the law and the cost; it says where it has none.
    pub(crate) checked: bool,
    pub(crate) facts: Facts,
    pub(crate) seed: u64,
}

impl Card {
    pub(crate) fn picture_of_graph(&self) -> Picture {
        let nodes = self.graph.nodes.len();
        let what = format!(
            "{} A flow graph of {nodes} nodes from fair bits to answers.",
            self.entry.about
        );
        Picture::new(
            format!("{}-graph", self.id),
            "graph",
            format!("Graph: {}", self.entry.name),
            what,
        )
    }

    pub(crate) fn picture_of_tree(&self) -> Picture {
        let open =
            "Strips from top to bottom, halved by each flip, coloured where the machine answers.";
        Picture::new(
            format!("{}-tree", self.id),
            "tree",
            format!("Decision tree: {}", self.entry.name),
            open.to_owned(),
        )
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.facts.outcomes.iter().position(|outcome| outcome.name == name)
    }

    pub(crate) fn draw_graph(&self, picture: Picture) -> String {
        draw::draw(&self.graph, |name| self.place(name).map(colour), picture)
    }

    pub(crate) fn draw_tree(&self, picture: Picture) -> Option<String> {
        let place = |name: &String| self.place(name).unwrap_or(0);
        self.facts.tree.as_ref().map(|tree| tree::draw(tree, place, picture))
    }
}

pub(crate) fn page(families: &[(Family, Vec<Card>)], figures: &[Figure]) -> String {
    let cards = || families.iter().flat_map(|(_, cards)| cards);
    let (mut shown, mut missed) = (0, 0);
    for card in cards() {
        let (outcomes, misses) = bars::misses(&card.facts);
        (shown, missed) = (shown + outcomes, missed + misses);
    }
    let checked = cards().filter(|card| card.checked).count();
    let filters: String = families
        .iter()
        .map(|(family, _)| family.id)
        .chain(["figures"])
        .map(|id| format!("body:has(#show-{id}:checked) main>section:not(#{id}){{display:none}}\n"))
        .collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "A gallery of Buffon machines" }
                meta name="description" content="Exact coins, dice and choosers from fair bits: graphs, laws, costs and proofs.";
                style { (PreEscaped(COLOURS)) (PreEscaped(STYLE)) (PreEscaped(filters)) }
            }
            body {
                header {
                    h1 { "A gallery of Buffon machines" }
                    p class="lead" {
                        "Each of these " (cards().count()) " machines turns independent fair bits, flips of a fair coin, into an answer of an exactly known law: "
                        "a coin of 1/3, a coin of 1/π, a die, a Poisson number. No floating-point number takes part."
                    }
                    p {
                        "A card shows how a machine is composed, its law to thirty decimals, what it costs in fair bits beside the least that any exact machine can, "
                        "how near its compiled code is to that law for certain, its decision tree, and " (SAMPLES) " seeded answers beside the law."
                    }
                    (key(shown, missed, checked))
                }
                (contents(families))
                main {
                    section id="figures" {
                        h2 { "What a flip is worth" }
                        p class="family-about" {
                            "A single answer of a coin of probability p carries H(p) = −p·log₂ p − (1 − p)·log₂(1 − p) bits. Why does it cost two?"
                        }
                        div class="figures" { @for figure in figures { (show_figure(figure)) } }
                    }
                    @for (family, cards) in families {
                        section id=(family.id) {
                            h2 { (family.name) }
                            p class="family-about" { (family.about) }
                            div class="cards" { @for card in cards { (show_card(card)) } }
                        }
                    }
                }
                footer {
                    p { "Made by " code { "cargo run --release --example gallery" } " of the crate buffon; the same code makes the same page." }
                }
            }
        }
    };
    page.into_string()
}

/// How to read the cards, and what the counts of the page are.
fn key(shown: usize, missed: usize, checked: usize) -> Markup {
    let expected = shown as f64 * 0.0027;
    html! {
        details class="contents" {
            summary { "How to read the pictures" }
            ul style="columns:auto" {
                li { b { "Graph. " } "Flips go in at the left. Boxes are parts, with the fair bits that a visit costs on average; the last word on an edge is the "
                    "probability of going there. " (checked) " of the graphs have all their probabilities, and were held against law and cost by arithmetic." }
                li { b { "Cost. " } "Green: what the optimal machine of the same law costs. Red: what this one costs above it. The dot: the bits that were counted in the seeded run." }
                li { b { "Decision tree. " } "Each flip halves the strip, tails to the left, heads to the right; where the machine has an answer, the strip has its colour from "
                    "there down. So widths are probabilities, and the grey rest at the foot is what longer strings decide." }
                li { b { "Seeded run. " } "Bars are the law, dots are frequencies with an interval of three standard deviations (Wilson's). Of the "
                    (shown) " intervals on this page " (missed) " miss the law; about " (format!("{expected:.1}")) " would by chance." }
                li { b { "Proved. " } "The compiled machine was run on every string of fair bits to the depth named, or on every answer to the questions that it asks. The distance is an "
                    "upper bound, for certain, of the greatest error in the probability of any event." }
            }
        }
    }
}

fn contents(families: &[(Family, Vec<Card>)]) -> Markup {
    html! {
        nav aria-label="Contents" {
            fieldset {
                legend { "Show" }
                label { input type="radio" name="show" id="show-all" checked; "everything" }
                label { input type="radio" name="show" id="show-figures"; "figures" }
                @for (family, cards) in families {
                    label { input type="radio" name="show" id={ "show-" (family.id) }; (family.name) " (" (cards.len()) ")" }
                }
            }
            details class="contents" {
                summary { "All machines by name" }
                ul {
                    @for (_, cards) in families {
                        @for card in cards { li { a href={ "#" (card.id) } { (card.entry.name) } } }
                    }
                }
            }
        }
    }
}

fn show_figure(figure: &Figure) -> Markup {
    html! {
        figure id={ "figure-" (figure.id) } {
            h3 { (figure.title) }
            (PreEscaped(&figure.svg))
            figcaption { (figure.caption) }
        }
    }
}

fn show_card(card: &Card) -> Markup {
    let Card { id, entry, facts, .. } = card;
    let picture = |part: &str, class, description: String| {
        Picture::new(format!("{id}-{part}"), class, format!("{part}: {}", entry.name), description)
    };
    let graph = card.draw_graph(card.picture_of_graph());
    let cost = picture(
        "cost",
        "cost",
        format!(
            "{:.4} fair bits expected, {:.4} at least for any exact machine, entropy {:.4}.",
            facts.expected(),
            facts.optimum,
            facts.entropy
        ),
    );
    let counts = facts
        .outcomes
        .iter()
        .take(SHOWN)
        .map(|outcome| format!("{}: {}", outcome.name, outcome.count));
    let frequency = picture(
        "run",
        "frequency",
        format!("Of {SAMPLES} answers: {}.", counts.collect::<Vec<_>>().join(", ")),
    );
    let long = facts.outcomes.len() > 3;
    let run = html! {
        figure {
            (PreEscaped(bars::frequencies(facts, frequency)))
            @let more = facts.outcomes.len().saturating_sub(SHOWN);
            figcaption {
                (SAMPLES) " answers with seed " (card.seed) @if more > 0 { "; " (more) " more outcomes not drawn" }
            }
        }
    };
    html! {
        article class="card" id=(id) {
            h3 { (entry.name) }
            code { (entry.code) }
            p { (entry.about) }
            div class="halves" {
                div {
                    figure {
                        div class="scroll" { (PreEscaped(graph)) }
                        @if !card.checked { figcaption { "Some probabilities in it depend on what happened before, and are left out." } }
                    }
                    (law(facts))
                    (proved(facts))
                    @if !long { (run) }
                }
                div {
                    figure {
                        (PreEscaped(bars::cost(facts, cost)))
                        figcaption { (expected(facts)) }
                    }
                    figure {
                        @match card.draw_tree(card.picture_of_tree()) {
                            Some(tree) => (PreEscaped(tree)),
                            None => figcaption { "No decision tree: the machine reads whole words of 64 bits." },
                        }
                    }
                    @if long { (run) }
                }
            }
        }
    }
}

/// The law to thirty decimals, and as a fraction where it is a short one.
fn law(facts: &Facts) -> Markup {
    let rows = if facts.is_coin() { 1 } else { SHOWN };
    let heads_first = |outcome: &&Outcome| {
        !facts.is_coin() || outcome.name == "heads" || facts.outcomes.len() == 1
    };
    let rows: Vec<_> = facts
        .outcomes
        .iter()
        .enumerate()
        .filter(|(_, outcome)| heads_first(outcome))
        .take(rows)
        .collect();
    let more = facts.outcomes.len().saturating_sub(SHOWN);
    html! {
        table aria-label="Law" {
            @for (place, outcome) in rows {
                tr {
                    th scope="row" { i class={ "fill-" (place % OUTCOMES) } {} "P(" (outcome.name) ")" }
                    td class="number" { (format!("{:.30}", outcome.p)) @if let Some(short) = fraction(outcome) { " = " (short) } }
                }
            }
            @if more > 0 { tr { th { "…" } td { (more) " more outcomes" } } }
        }
    }
}

fn fraction(outcome: &Outcome) -> Option<String> {
    let text = outcome.p.low().to_string();
    (outcome.p.is_exact() && text.contains('/') && text.len() <= 16).then_some(text)
}

/// "2", "1.75 = 7/4", "2.3531807204…".
fn number(bits: &Bracket) -> String {
    let text = format!("{bits:.10}");
    if !bits.is_exact() {
        return text;
    }
    let short = bits.low().to_string();
    let decimals = text.trim_end_matches('0').trim_end_matches('.');
    if short.contains('/') && short.len() <= 14 {
        format!("{decimals} = {short}")
    } else {
        decimals.to_owned()
    }
}

fn expected(facts: &Facts) -> Markup {
    let tail = match facts.tail {
        Tail::Bounded(1) => "Never more than 1 bit".to_owned(),
        Tail::Bounded(bits) => format!("Never more than {bits} bits"),
        Tail::Exponential => {
            "The chance of needing more than k bits falls exponentially".to_owned()
        }
        Tail::FiniteMean => {
            "Long runs fall off slowly: the mean is finite, higher moments are not".to_owned()
        }
        Tail::AlmostSure => "It ends with probability one".to_owned(),
        _ => "The algebra knows no bound of its tail".to_owned(),
    };
    let above = facts.expected() - facts.optimum;
    html! {
        b {
            @match &facts.bits {
                Ok(bits) => (number(bits)),
                Err(least) => { "at least " (format!("{:.6}", Bracket::exact(least.clone()))) },
            }
            " fair bits"
        }
        " expected, "
        @if above.abs() < 1e-6 { "the least possible; " } @else { (format!("{above:.4}")) " above the optimum; " }
        (format!("{:.4}", facts.counted)) " counted. " (tail) "."
    }
}

fn proved(facts: &Facts) -> Markup {
    let distance = |proof: &Certified| {
        html! {
            @match proof.places {
                None => b { "exactly its law" },
                Some(places) => { "within " b { "2" sup { "−" (places) } } " of its law" },
            }
        }
    };
    let runs = |proof: &Certified| html! { (proof.runs) " runs" };
    html! {
        div class="proved" {
            @if let Some(proof) = &facts.by_bits {
                p {
                    @if proof.places.is_none() { "Proved on all of its " (proof.runs) " strings of flips: " }
                    @else { "Proved on every string of " (proof.depth) " flips, " (runs(proof)) ": " }
                    (distance(proof))
                    @if proof.optimal { ", and on no level can an exact machine have fewer strings undecided" }
                    "."
                }
            }
            @if let Some(proof) = &facts.by_weights {
                p { "On every answer to " (proof.depth) " questions, such as “a coin of 1/3?”, " (runs(proof)) ": " (distance(proof)) "." }
            }
            @if let Some((states, most)) = facts.states {
                p {
                    "Its " (states) " states, found from its tree and solved: " b { "exactly its law" } " and cost, if it has no more than " (most) " states."
                }
            }
            @if let Some(proof) = &facts.by_words {
                p { "By intervals of words, " (runs(proof)) ", taking words between like ones to be alike: " (distance(proof)) "." }
            }
        }
    }
}
