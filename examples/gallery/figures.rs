//! The figures of "Sampling a biased coin with a fair coin": what a flip of a biased coin costs and what it is worth.

use std::error::Error;

use buffon::{Batch, BitBuffer, Coin, Counted, Dyadic, Elias, KnownLaw, Rational, Recycler};
use num_rational::BigRational;
use plotters::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::facts::float;
use crate::picture::COLOURS;

/// The colours that `colours.css` knows plots by.
const INK: RGBColor = RGBColor(0x11, 0x11, 0x11);
const FAINT: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
const SERIES: [RGBColor; 5] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xd5, 0x5e, 0x00),
];
const SIZE: (u32, u32) = (640, 400);

type Points = Vec<(f64, f64)>;

/// A figure with its words.
pub(crate) struct Figure {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) caption: String,
    pub(crate) svg: String,
}

impl Figure {
    /// The same as a file of its own.
    pub(crate) fn alone(&self) -> String {
        let style = format!(
            "<style>{COLOURS}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
        );
        self.svg.replacen("</desc>", &format!("</desc>{style}"), 1)
    }
}

/// The entropy of a coin, in bits.
pub(crate) fn entropy(p: f64) -> f64 {
    [p, 1.0 - p].iter().filter(|p| **p > 0.0).map(|p| -p * p.log2()).sum()
}

pub(crate) fn all() -> Result<Vec<Figure>, Box<dyn Error>> {
    Ok(vec![one_coin()?, blocks_over_p()?, blocks_of_r()?, extraction()?])
}

/// Lines with names, in a frame.
struct Lines<'a> {
    id: &'static str,
    title: &'static str,
    description: &'a str,
    x: (&'a str, std::ops::Range<f64>),
    y: (&'a str, std::ops::Range<f64>),
    logarithmic: bool,
    lines: Vec<(String, RGBColor, Points)>,
    dots: Vec<(RGBColor, Points)>,
    stems: Vec<(RGBColor, [(f64, f64); 2])>,
    legend: SeriesLabelPosition,
}

macro_rules! plot {
    ($self:ident, $root:ident, $x:expr) => {{
        let mut chart = ChartBuilder::on(&$root)
            .margin(10)
            .margin_right(18)
            .x_label_area_size(42)
            .y_label_area_size(52)
            .build_cartesian_2d($x, $self.y.1.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style(("sans-serif", 14, &INK))
            .axis_desc_style(("sans-serif", 15, &INK))
            .x_desc($self.x.0)
            .y_desc($self.y.0)
            .x_labels(8)
            .y_labels(8)
            .x_label_formatter(&|x| format!("{}", (x * 1000.0).round() / 1000.0))
            .y_label_formatter(&|y| format!("{}", (y * 1000.0).round() / 1000.0))
            .draw()?;
        for (colour, ends) in &$self.stems {
            chart.draw_series(std::iter::once(PathElement::new(
                ends.to_vec(),
                colour.stroke_width(1),
            )))?;
        }
        for (name, colour, points) in &$self.lines {
            let colour = *colour;
            chart
                .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3))
                });
        }
        for (colour, points) in &$self.dots {
            chart.draw_series(points.iter().map(|&at| Circle::new(at, 3, colour.filled())))?;
        }
        chart
            .configure_series_labels()
            .position($self.legend.clone())
            .label_font(("sans-serif", 14, &INK))
            .margin(12)
            .draw()?;
    }};
}

impl Lines<'_> {
    fn figure(self, caption: impl Into<String>) -> Result<Figure, Box<dyn Error>> {
        let svg = self.draw()?;
        Ok(Figure { id: self.id, title: self.title, caption: caption.into(), svg })
    }

    fn draw(&self) -> Result<String, Box<dyn Error>> {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            if self.logarithmic {
                plot!(self, root, self.x.1.clone().log_scale());
            } else {
                plot!(self, root, self.x.1.clone());
            }
            root.present()?;
        }
        // The page's own head in place of plotters': a class, a title, a description.
        let body = svg.split_once('>').map_or("", |(_, body)| body).trim_end();
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" class=\"picture plot\" \
             role=\"img\" aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{body}",
            SIZE.0,
            SIZE.1,
            SIZE.0,
            SIZE.1,
            self.title,
            self.description,
            id = self.id
        ))
    }
}

/// The probabilities k/101, none of them dyadic.
fn grid() -> impl Iterator<Item = u64> {
    1..101
}

fn curve(f: impl Fn(f64) -> f64) -> Points {
    (0..=400).map(|k| f64::from(k) / 400.0).map(|p| (p, f(p))).collect()
}

/// Two bits, but for the dips at the dyadic numbers, over the entropy.
fn one_coin() -> Result<Figure, Box<dyn Error>> {
    let (mut dots, mut stems) = (Vec::new(), Vec::new());
    for m in 1..=6 {
        for a in (1..1u64 << m).step_by(2) {
            let p = a as f64 / f64::exp2(f64::from(m));
            let bits = float(Dyadic::new(a, m)?.try_expected_bits(10)?.low());
            dots.push((p, bits));
            stems.push((SERIES[4], [(p, 2.0), (p, bits)]));
        }
    }
    dots.extend([(0.0, 0.0), (1.0, 0.0)]);
    let title = "One flip of a biased coin: what it costs and what it is worth";
    let description = "The expected fair bits of one flip are 2 for every probability but the dyadic ones, where there are dips: 1 at 1/2, \
                       3/2 at the quarters, 7/4 at the eighths. Below lies the arch of the entropy, from 0 at p = 0 to 1 at p = 1/2.";
    let lines = vec![
        ("best single flip".to_owned(), SERIES[4], vec![(0.0, 2.0), (1.0, 2.0)]),
        ("entropy H(p)".to_owned(), SERIES[0], curve(entropy)),
    ];
    let frame = Lines {
        id: "one-coin",
        title,
        description,
        x: ("probability of heads p", 0.0..1.0),
        y: ("fair bits per answer", 0.0..2.2),
        logarithmic: false,
        lines,
        dots: vec![(SERIES[4], dots)],
        stems,
        legend: SeriesLabelPosition::LowerMiddle,
    };
    let caption = "A leaf of the decision tree has a probability of 2⁻ᵏ, so a lone answer costs two bits where its entropy is less than one. Only \
                   where the binary digits of p end, at a/2ᵐ, can it stop early, at 2 − 2¹⁻ᵐ bits (shown to m = 6).";
    frame.figure(caption)
}

/// Bits an answer in blocks of 1, 2, 4, 16, over p.
fn blocks_over_p() -> Result<Figure, Box<dyn Error>> {
    let mut lines = Vec::new();
    for (&r, colour) in [1, 2, 4, 16].iter().zip([4, 1, 3, 2]) {
        let mut points = vec![];
        for k in grid() {
            let batch = Batch::new(&Rational::<u64>::new(k, 101)?, r)?;
            points
                .push((k as f64 / 101.0, float(batch.try_expected_bits(30)?.low()) / f64::from(r)));
        }
        lines.push((format!("blocks of {r}"), SERIES[colour], points));
    }
    lines.push(("entropy H(p)".to_owned(), SERIES[0], curve(entropy)));
    let title = "Blocks of answers come down to the entropy";
    let description = "Curves of bits per answer over p for optimal blocks of 1, 2, 4 and 16 flips: two bits, and then lower and lower, down to the \
                       arch of the entropy, which the curve for 16 nearly touches.";
    let frame = Lines {
        id: "blocks-p",
        title,
        description,
        x: ("probability of heads p", 0.0..1.0),
        y: ("fair bits per answer", 0.0..2.2),
        logarithmic: false,
        lines,
        dots: vec![],
        stems: vec![],
        legend: SeriesLabelPosition::LowerMiddle,
    };
    let caption = "r flips of one coin, drawn as one answer by the optimal tree (Batch), at p = k/101. The law is exact; the cost lies between H(p) and \
                   H(p) + 2/r.";
    frame.figure(caption)
}

/// Bits an answer of a 1/3 coin over the length of the block.
fn blocks_of_r() -> Result<Figure, Box<dyn Error>> {
    let third = Rational::<u64>::new(1, 3)?;
    let h = entropy(1.0 / 3.0);
    let (mut rates, mut bound) = (Vec::new(), Vec::new());
    for r in (1..=20).chain((22..=40).step_by(2)).chain((45..=100).step_by(5)) {
        let bits = Batch::new(&third, r)?.try_expected_bits(30)?;
        rates.push((f64::from(r), float(bits.low()) / f64::from(r)));
        bound.push((f64::from(r), h + 2.0 / f64::from(r)));
    }
    let hundred = rates.last().map_or(0.0, |&(_, rate)| rate);
    // What a source that keeps what is left over draws for the same flips, one by one.
    let mut counted = Counted::new(BitBuffer::new(StdRng::seed_from_u64(3)));
    let mut recycler = Recycler::new(&mut counted);
    for _ in 0..1_000_000 {
        let Ok(_) = third.try_flip(&mut recycler);
    }
    let recycled = counted.count() as f64 / 1e6;
    let title = "Blocks of r flips of a 1/3 coin";
    let description = "Bits per answer over the block length r from 1 to 100, on a logarithmic scale: 2 for one flip, falling with small \
                       irregular steps towards the entropy 0.9183, always below the curve H + 2/r.";
    let flat = |y| vec![(1.0, y), (100.0, y)];
    let lines = vec![
        ("the bound H + 2/r".to_owned(), SERIES[1], bound),
        ("one by one".to_owned(), SERIES[4], flat(2.0)),
        ("optimal block of r".to_owned(), SERIES[2], rates.clone()),
        ("entropy H = 0.9183".to_owned(), SERIES[0], flat(h)),
    ];
    let frame = Lines {
        id: "blocks-r",
        title,
        description,
        x: ("flips in a block r", 1.0..100.0),
        y: ("fair bits per flip", 0.8..3.0),
        logarithmic: true,
        lines,
        dots: vec![(SERIES[2], rates)],
        stems: vec![],
        legend: SeriesLabelPosition::UpperRight,
    };
    let caption = format!(
        "A block of a hundred takes {hundred:.4} fair bits a flip, where the entropy is {h:.4}; one by one they take 2. A source that keeps what \
         each flip leaves over (Recycler) needs no blocks: a million flips, one by one, drew {recycled:.4} bits each."
    );
    frame.figure(caption)
}

/// The other way: fair bits from flips of an unfair coin.
fn extraction() -> Result<Figure, Box<dyn Error>> {
    let no_flips = || std::iter::empty::<bool>();
    let mut lines = Vec::new();
    for (&n, colour) in [2usize, 4, 16, 64].iter().zip([4, 1, 3, 2]) {
        let elias = Elias::new(no_flips(), n)?;
        let points = (0..=50u32).map(|k| {
            let p = BigRational::new(k.into(), 50.into());
            (f64::from(k) / 50.0, float(&elias.rate(&p)))
        });
        let name = if n == 2 {
            "pairs (von Neumann)".to_owned()
        } else {
            format!("blocks of {n} (Elias)")
        };
        lines.push((name, SERIES[colour], points.collect()));
    }
    lines.push(("entropy H(p)".to_owned(), SERIES[0], curve(entropy)));
    let title = "The other way round: fair bits from an unfair coin";
    let description = "Fair bits per flip over p: pairs give pq, at most a quarter; longer blocks give more, and blocks of 64 come near the arch of \
                       the entropy.";
    let frame = Lines {
        id: "extraction",
        title,
        description,
        x: ("probability of heads p, unknown", 0.0..1.0),
        y: ("fair bits per flip", 0.0..1.5),
        logarithmic: false,
        lines,
        dots: vec![],
        stems: vec![],
        legend: SeriesLabelPosition::UpperMiddle,
    };
    let caption = "Flips of an unfair coin are a source of fair bits: every machine here runs on them. All blocks with the same number of heads are \
                   equally likely, whatever p is; their number gives the bits (Elias 1972). The rates are exact.";
    frame.figure(caption)
}
