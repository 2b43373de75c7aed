//! Figures: panels of series over common places, drawn as one SVG that follows the reader's light
//! or dark scheme.
//!
//! An own writer: a plotting crate would bring no dark scheme, no legend outside of the panels,
//! and more code than it saves here.

mod axis;
mod style;
mod svg;

use super::sample::Sample;
pub use svg::render_svg;

/// A figure: its panels, in rows of two.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figure {
    pub panels: Vec<Panel>,
}

/// What lies along the x axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Places {
    Numbers(Vec<f64>),
    /// Conditions without an order: points side by side, no lines between them.
    Names(Vec<String>),
}

impl Default for Places {
    fn default() -> Places {
        Places::Numbers(Vec::new())
    }
}

impl Places {
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(all) => all.len(),
            Self::Names(all) => all.len(),
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    #[default]
    Linear,
    /// Values must be above 0.
    Log,
}

/// One pair of axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    pub title: String,
    /// Labels, with units.
    pub x: String,
    pub y: String,
    pub places: Places,
    pub series: Vec<Series>,
    /// Horizontal lines with a name: bounds and expectations.
    pub levels: Vec<(String, f64)>,
    pub x_scale: Scale,
    pub y_scale: Scale,
}

impl Panel {
    #[must_use]
    pub fn level(mut self, name: &str, y: f64) -> Panel {
        self.levels.push((name.to_owned(), y));
        self
    }

    #[must_use]
    pub fn log_x(mut self) -> Panel {
        self.x_scale = Scale::Log;
        self
    }

    #[must_use]
    pub fn log_y(mut self) -> Panel {
        self.y_scale = Scale::Log;
        self
    }
}

/// A value at each place, where there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Option<Sample>>,
}
