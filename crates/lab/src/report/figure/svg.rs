//! The writer: shapes with classes, colours in one style sheet with a dark half.

use super::axis::Axis;
use super::style::{Mark, Style, TINTS, style};
use super::{Figure, Panel, Places, Series};
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 18.0;
/// Left of a panel's axis, for the texts of its ticks.
const GUTTER: f64 = 46.0;
/// Over and under a panel's axes.
const OVER: f64 = 44.0;
const UNDER: f64 = 46.0;
/// Mean width of a letter of 12 pixels.
const LETTER: f64 = 7.2;
/// With more places than this no marks are drawn.
const MARKED_MAX: usize = 26;

/// The figure as text. Empty for a figure without panels.
#[must_use]
pub fn render_svg(figure: &Figure, about: &str) -> String {
    if figure.panels.is_empty() {
        return String::new();
    }
    let names = names(figure);
    let (legend, legend_height) = legend(&names);
    let columns = figure.panels.len().min(2);
    let rows = figure.panels.len().div_ceil(columns);
    let width = (WIDTH - MARGIN) / columns as f64;
    let height = if columns == 1 { 330.0 } else { 290.0 };
    let total = MARGIN + legend_height + rows as f64 * height + 4.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total:.0}\" \
         width=\"{WIDTH}\" height=\"{total:.0}\" role=\"img\">\n<title>{}</title>\n{}\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n{legend}",
        escape(about),
        sheet(),
    );
    for (at, panel) in figure.panels.iter().enumerate() {
        let left = MARGIN / 2.0 + (at % columns) as f64 * width;
        let top = MARGIN + legend_height + (at / columns) as f64 * height;
        let frame = Frame {
            left: left + GUTTER,
            right: left + width - MARGIN,
            top: top + OVER,
            bottom: top + height - UNDER,
        };
        svg.push_str(&panel_shapes(panel, &frame, &names));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Colours, light and dark.
fn sheet() -> String {
    let mut css = String::from(
        "<style>\nsvg{--ink:#24292f;--soft:#57606a;--line:#d8dee4;--paper:#fff}\n\
         text{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;\
         fill:var(--ink)}\n.t{font-weight:600;font-size:13px}.s{fill:var(--soft);font-size:11px}\n\
         .m{text-anchor:middle}.e{text-anchor:end}.paper{fill:var(--paper)}\n\
         .g{stroke:var(--line);stroke-width:1}.a{stroke:var(--soft);stroke-width:1}\n\
         .l{fill:none;stroke-linejoin:round}.w{stroke-width:1.2}\n\
         .v{stroke:var(--soft);stroke-dasharray:5 3;stroke-width:1.5}\n",
    );
    for (at, (light, _)) in TINTS.iter().enumerate() {
        let _ = writeln!(css, ".c{at}{{stroke:{light}}}.f{at}{{fill:{light}}}");
    }
    css.push_str("@media(prefers-color-scheme:dark){\nsvg{--ink:#e6edf3;--soft:#9ba6b2;");
    css.push_str("--line:#2f363d;--paper:#161b22}\n");
    for (at, (_, dark)) in TINTS.iter().enumerate() {
        let _ = writeln!(css, ".c{at}{{stroke:{dark}}}.f{at}{{fill:{dark}}}");
    }
    css.push_str("}\n</style>");
    css
}

/// Every series with its style, then every level without one, in order of appearance.
fn names(figure: &Figure) -> Vec<(String, Option<Style>)> {
    let mut all: Vec<(String, Option<Style>)> = Vec::new();
    for series in figure.panels.iter().flat_map(|panel| &panel.series) {
        if !all.iter().any(|row| row.0 == series.name) {
            all.push((series.name.clone(), Some(style(&series.name, all.len()))));
        }
    }
    for (name, _) in figure.panels.iter().flat_map(|panel| &panel.levels) {
        if !all.iter().any(|row| row.0 == *name) {
            all.push((name.clone(), None));
        }
    }
    all
}

/// The legend over all panels, in as many lines as it needs, and its height.
fn legend(names: &[(String, Option<Style>)]) -> (String, f64) {
    let (mut svg, mut x, mut y) = (String::new(), MARGIN, MARGIN);
    for (name, style) in names {
        let width = 38.0 + LETTER * name.chars().count() as f64;
        if x + width > WIDTH - MARGIN && x > MARGIN {
            (x, y) = (MARGIN, y + 20.0);
        }
        let (end, middle) = (x + 24.0, x + 12.0);
        match style {
            Some(style) => {
                svg.push_str(&line(&[(x, y), (end, y)], style));
                svg.push_str(&mark(*style, middle, y));
            }
            None => {
                let _ = writeln!(svg, "<path class=\"v\" d=\"M{x:.1} {y:.1}H{end:.1}\"/>");
            }
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 30.0,
            y + 4.0,
            escape(name)
        );
        x += width + 8.0;
    }
    (svg, y + 2.0)
}

struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

fn panel_shapes(panel: &Panel, frame: &Frame, names: &[(String, Option<Style>)]) -> String {
    let span = (frame.left, frame.right);
    let x = match &panel.places {
        Places::Numbers(all) => Axis::of_places(panel.x_scale, all, span),
        Places::Names(all) => Axis::of_names(all.len(), span),
    };
    let points = panel.series.iter().flat_map(|series| series.points.iter().flatten());
    let ends = points.flat_map(|p| [p.mean - p.error, p.mean, p.mean + p.error]);
    let values: Vec<f64> = ends.chain(panel.levels.iter().map(|level| level.1)).collect();
    let y = Axis::new(panel.y_scale, &values, (frame.bottom, frame.top));
    let mut svg = axes(panel, frame, &x, &y);
    for (_, level) in &panel.levels {
        let (left, right, at) = (frame.left, frame.right, y.at(*level));
        let _ = writeln!(svg, "<path class=\"v\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>");
    }
    for (at, series) in panel.series.iter().enumerate() {
        let style = names.iter().find(|row| row.0 == series.name).and_then(|row| row.1);
        let style = style.expect("every series has a style");
        // Points at names stand side by side.
        let shift = match &panel.places {
            Places::Numbers(_) => 0.0,
            Places::Names(_) if panel.series.len() == 1 => 0.0,
            Places::Names(all) => {
                let room = (frame.right - frame.left) / all.len() as f64 * 0.7;
                room * ((at as f64 + 0.5) / panel.series.len() as f64 - 0.5)
            }
        };
        let place = |at: usize| match &panel.places {
            Places::Numbers(all) => x.at(all[at]),
            Places::Names(_) => x.at(at as f64) + shift,
        };
        let joined = matches!(panel.places, Places::Numbers(_));
        svg.push_str(&series_shapes(series, style, place, joined, &y));
    }
    svg
}

fn axes(panel: &Panel, frame: &Frame, x: &Axis, y: &Axis) -> String {
    let Frame { left, right, top, bottom } = *frame;
    let mut svg = format!(
        "<text class=\"t\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n\
         <text class=\"s\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
        left - GUTTER + MARGIN / 2.0,
        top - 26.0,
        escape(&panel.title),
        left - GUTTER + MARGIN / 2.0,
        top - 10.0,
        escape(&panel.y),
    );
    for (value, text) in y.ticks() {
        let at = y.at(value);
        let _ = writeln!(
            svg,
            "<path class=\"g\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>\
             <text class=\"s e\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    let ticks: Vec<(f64, String)> = match &panel.places {
        Places::Numbers(_) => x.ticks(),
        Places::Names(all) => all.iter().enumerate().map(|(i, n)| (i as f64, n.clone())).collect(),
    };
    for (value, text) in ticks {
        let at = x.at(value);
        let _ = writeln!(
            svg,
            "<path class=\"a\" d=\"M{at:.1} {bottom:.1}v4\"/>\
             <text class=\"s m\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
            bottom + 16.0,
            escape(&text)
        );
    }
    let _ = writeln!(
        svg,
        "<path class=\"a\" d=\"M{left:.1} {bottom:.1}H{right:.1}\"/>\
         <text class=\"s m\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        f64::midpoint(left, right),
        bottom + 33.0,
        escape(&panel.x)
    );
    svg
}

fn series_shapes(
    series: &Series,
    style: Style,
    place: impl Fn(usize) -> f64,
    joined: bool,
    y: &Axis,
) -> String {
    let mut svg = String::new();
    let measured: Vec<_> = series
        .points
        .iter()
        .enumerate()
        .filter_map(|(at, point)| point.map(|sample| (place(at), sample)))
        .collect();
    if joined {
        let points: Vec<_> = measured.iter().map(|(x, sample)| (*x, y.at(sample.mean))).collect();
        svg.push_str(&line(&points, &style));
    }
    for &(x, sample) in &measured {
        let (low, high) = (y.at(sample.mean - sample.error), y.at(sample.mean + sample.error));
        if low - high > 3.0 {
            let tint = style.tint;
            let _ = writeln!(svg, "<path class=\"w c{tint}\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>");
        }
        if measured.len() <= MARKED_MAX {
            svg.push_str(&mark(style, x, y.at(sample.mean)));
        }
    }
    svg
}

fn line(points: &[(f64, f64)], style: &Style) -> String {
    let Some((first, rest)) = points.split_first() else { return String::new() };
    let mut path = format!("M{:.1} {:.1}", first.0, first.1);
    if !rest.is_empty() {
        path.push('L');
    }
    let steps: Vec<String> = rest.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    path.push_str(&steps.join(" "));
    let dash = match style.dash {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    };
    let (tint, width) = (style.tint, style.width);
    format!("<path class=\"l c{tint}\" stroke-width=\"{width}\"{dash} d=\"{path}\"/>\n")
}

fn mark(style: Style, x: f64, y: f64) -> String {
    let tint = style.tint;
    let filled = |path: &str| {
        format!("<path class=\"f{tint}\" transform=\"translate({x:.1} {y:.1})\" d=\"{path}\"/>\n")
    };
    match style.mark {
        Mark::Disc => format!("<circle class=\"f{tint}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n"),
        Mark::Ring => format!(
            "<circle class=\"paper c{tint}\" stroke-width=\"1.8\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
             r=\"3.4\"/>\n"
        ),
        Mark::Square => filled("M-3.5-3.5h7v7h-7z"),
        Mark::Triangle => filled("M0-4.5 4.4 3.4h-8.8z"),
        Mark::Diamond => filled("M0-5 4.4 0 0 5-4.4 0z"),
        Mark::Cross => filled("M-4-1.2h2.8v-2.8h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8z"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::Sample;
    use super::*;

    fn figure() -> Figure {
        let point = |v: f64| Some(Sample { mean: v, error: 0.05, n: 3 });
        let series = |name: &str, by: f64| Series {
            name: name.to_owned(),
            points: vec![point(0.2 + by), None, point(0.9 + by)],
        };
        let panel = Panel {
            title: "a < b".to_owned(),
            x: "C, probes per chronon".to_owned(),
            y: "share".to_owned(),
            places: Places::Numbers(vec![1.0, 2.0, 3.0]),
            series: vec![series("MRSF(P)", 0.0), series("gain", 0.1)],
            ..Panel::default()
        };
        let names = Places::Names(vec!["one".to_owned(), "two".to_owned(), "three".to_owned()]);
        let beside = Panel { places: names, ..panel.clone() }.level("bound", 1.0);
        Figure { panels: vec![panel, beside] }
    }

    #[test]
    fn a_figure_is_well_formed_and_names_its_series_once() {
        let svg = render_svg(&figure(), "R0 & more");
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(svg.contains("a &lt; b") && svg.contains("R0 &amp; more"));
        assert_eq!(svg.matches(">MRSF(P)</text>").count(), 1);
        assert_eq!(svg.matches(">bound</text>").count(), 1);
        assert!(svg.contains("prefers-color-scheme:dark"));
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn all_shapes_lie_within_the_picture() {
        let svg = render_svg(&figure(), "");
        for field in svg.split(" cx=\"").skip(1) {
            let x: f64 = field.split('"').next().unwrap().parse().unwrap();
            assert!((0.0..=WIDTH).contains(&x), "{x}");
        }
    }
}
