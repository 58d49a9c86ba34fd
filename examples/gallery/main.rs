//! The gallery: one page with a card for each machine of the crate, and the figures of what flips are worth.
//!
//!     cargo run --release --example gallery
//!     cargo run --release --example gallery -- my.html
//!     cargo run --release --example gallery -- --pictures docs/pictures
//!
//! Each card shows the machine's graph, its law to thirty decimals, its cost beside the optimum, how near the compiled code is to the
//! law for certain, its decision tree, and a seeded run beside the law. The same code makes the same bytes each time; with
//! `--pictures` it makes the pictures of the README instead.

mod bars;
mod draw;
mod facts;
mod figures;
mod graph;
mod machines;
mod page;
mod picture;
mod subject;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
mod tree;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use facts::{Facts, float};
use graph::Graph;
use machines::{Entry, Family};
use page::Card;

const USAGE: &str = "usage: gallery [PAGE.html], or gallery --pictures DIRECTORY";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments.as_slice() {
        ["--pictures", directory] => write_pictures(Path::new(directory)),
        [] => write_page(&PathBuf::from("target/gallery/index.html")),
        [path] if !path.starts_with('-') => write_page(Path::new(path)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gallery: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_page(path: &Path) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let families = machines::all()?;
    let cards = work(&families)?;
    let before = Instant::now();
    let figures = figures::all()?;
    eprintln!("{:>40} {:>7.2} s", "figures", before.elapsed().as_secs_f64());
    let mut cards = cards.into_iter();
    let families: Vec<(Family, Vec<Card>)> = families
        .into_iter()
        .map(|family| {
            let count = family.entries.len();
            (family, cards.by_ref().take(count).collect())
        })
        .collect();
    let page = page::page(&families, &figures);
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    std::fs::write(path, &page)?;
    println!(
        "{}: {} machines, {} kB, in {:.1} s",
        path.display(),
        families.iter().map(|(_, cards)| cards.len()).sum::<usize>(),
        page.len() / 1000,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// The pictures that the README shows.
fn write_pictures(directory: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(directory)?;
    let write = |name: &str, picture: &str| -> Result<(), Box<dyn Error>> {
        let path = directory.join(name);
        std::fs::write(&path, picture)?;
        println!("{}: {} bytes", path.display(), picture.len());
        Ok(())
    };
    for entry in machines::all()?.iter().flat_map(|family| &family.entries) {
        let name = match entry.name {
            "1/e" => "inverse-e",
            "A die of six sides" => "die",
            _ => continue,
        };
        let card = card(name.to_owned(), entry, 1)?;
        if name == "die" {
            let tree = card.draw_tree(card.picture_of_tree().alone());
            write("die-tree.svg", &tree.unwrap_or_default())?;
        } else {
            write("inverse-e-graph.svg", &card.draw_graph(card.picture_of_graph().alone()))?;
        }
    }
    for figure in figures::all()?.iter().take(2) {
        write(&format!("{}.svg", figure.id), &figure.alone())?;
    }
    Ok(())
}

/// The cards of all machines in order, by as many threads as there are cores, with a line for each as it is done.
fn work(families: &[Family]) -> Result<Vec<Card>, String> {
    let numbered = |family: &'_ Family| -> Vec<String> {
        (1..=family.entries.len()).map(|place| format!("{}-{place}", family.id)).collect()
    };
    let ids: Vec<String> = families.iter().flat_map(numbered).collect();
    let entries: Vec<&Entry> = families.iter().flat_map(|family| &family.entries).collect();
    let next = AtomicUsize::new(0);
    let cards: Mutex<Vec<(usize, Result<Card, String>)>> = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some((entry, id)) = entries.get(place).zip(ids.get(place)) else { return };
            let start = Instant::now();
            let card = card(id.clone(), entry, place as u64 + 1);
            let Ok(mut cards) = cards.lock() else { return };
            cards.push((place, card));
            let done = format!("[{}/{}] {}", cards.len(), entries.len(), entry.name);
            eprintln!("{done:>40} {:>7.2} s", start.elapsed().as_secs_f64());
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(worker);
        }
    });
    let mut cards = cards.into_inner().map_err(|error| error.to_string())?;
    cards.sort_by_key(|(place, _)| *place);
    cards.into_iter().map(|(_, card)| card).collect()
}

/// All about one machine; its picture must agree with its law.
fn card(id: String, entry: &Entry, seed: u64) -> Result<Card, String> {
    let about = |error| format!("{}: {error}", entry.name);
    let graph = Graph::parse(&entry.graph).map_err(about)?;
    let facts = Facts::of(&entry.subject, entry.effort, seed).map_err(about)?;
    let law: Vec<(String, f64)> = facts
        .outcomes
        .iter()
        .map(|outcome| (outcome.name.clone(), float(outcome.p.low())))
        .collect();
    let bits = facts.bits.as_ref().ok().map(|bits| float(bits.low()));
    let checked = graph.check(&law, bits).map_err(about)?;
    Ok(Card { id, entry: entry.clone(), graph, checked, facts, seed })
}
