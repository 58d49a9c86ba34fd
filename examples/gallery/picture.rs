//! What all pictures share: a title and a description for those who cannot see them, and colours by class.

use svg::node::element::{Description, Group, Rectangle, Style, Text, Title};
use svg::{Document, Node};

/// Colours, light and dark, for the page and for pictures that stand alone.
pub(crate) const COLOURS: &str = include_str!("colours.css");

/// How many colours outcomes have in turn.
pub(crate) const OUTCOMES: usize = 8;

/// The class of outcome number `place`.
pub(crate) fn colour(place: usize) -> String {
    format!("o{}", place % OUTCOMES)
}

/// A picture to be: its name, unique in the page, its kind, and what it shows.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) id: String,
    pub(crate) class: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    /// Whether it is to stand alone, with its own colours and background.
    pub(crate) alone: bool,
}

impl Picture {
    pub(crate) fn new(id: String, class: &'static str, title: String, description: String) -> Self {
        Self { id, class, title, description, alone: false }
    }

    /// The same, for a file of its own.
    pub(crate) fn alone(self) -> Self {
        Self { alone: true, ..self }
    }

    /// The document of these groups.
    pub(crate) fn finish(self, width: f64, height: f64, groups: Vec<Box<dyn Node>>) -> String {
        let (width, height) = (width.ceil(), height.ceil());
        let [title, description] = ["t", "d"].map(|part| format!("{}-{part}", self.id));
        let mut document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set(
                "class",
                format!("picture {}{}", self.class, if width > 560.0 { " wide" } else { "" }),
            )
            .set("role", "img")
            .set("aria-labelledby", format!("{title} {description}"))
            .add(Title::new(self.title).set("id", title))
            .add(
                Description::new()
                    .set("id", description)
                    .add(svg::node::Text::new(self.description)),
            );
        if self.alone {
            let paper = Rectangle::new().set("width", width).set("height", height);
            document = document.add(Style::new(COLOURS)).add(paper.set("class", "paper"));
        }
        for group in groups {
            document = document.add(group);
        }
        document.to_string()
    }
}

/// A word at a place, to a tenth of a pixel.
pub(crate) fn text(x: f64, y: f64, content: &str) -> Text {
    Text::new(content).set("x", round(x)).set("y", round(y))
}

pub(crate) fn group(class: &str) -> Group {
    Group::new().set("class", class)
}

pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let frame = Rectangle::new().set("x", round(x)).set("y", round(y));
    frame.set("width", round(width)).set("height", round(height))
}

pub(crate) fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
