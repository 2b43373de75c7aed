//! The cells of the grid: one parameter at a time around the papers' baseline.

use super::super::generate::{AuctionWatch, Window, generate};
use crate::cli::LabError;
use policies::completeness::{Builder, Instance};

/// One point of the grid.
pub struct Cell {
    pub name: String,
    pub params: AuctionWatch,
    pub budget: f64,
}

/// The baseline: W = 10, n = 1000, m = 100, C = 1, λ = 20, rank ≤ 3, α = 0.3, β = 0, K = 1000.
fn baseline() -> AuctionWatch {
    AuctionWatch {
        rank: 3,
        exact_rank: false,
        profiles: 100,
        sources: 1000,
        chronons: 1000,
        intensity: Some(20.0),
        window: Window::Chronons(10),
        alpha: 0.3,
        beta: 0.0,
        no_overlap: false,
        seed: 1,
        trace: None,
    }
}

/// All of them.
pub fn cells() -> Vec<Cell> {
    let mut all: Vec<Cell> = Vec::new();
    let mut cell = |name: String, budget: f64, change: &dyn Fn(&mut AuctionWatch)| {
        for (kind, window) in [("window", None), ("overwrite", Some(Window::Overwrite))] {
            let mut params = baseline();
            change(&mut params);
            params.window = window.unwrap_or(params.window);
            all.push(Cell { name: format!("{name} {kind}"), params, budget });
        }
    };
    for c in 1..=5_u8 {
        cell(format!("C={c}"), f64::from(c), &|_| {});
    }
    for n in [100, 200, 500] {
        cell(format!("n={n}"), 1.0, &|p| p.sources = n);
    }
    for m in [200, 500, 1000, 2500] {
        cell(format!("m={m}"), 1.0, &|p| p.profiles = m);
    }
    for intensity in [10.0, 30.0, 40.0, 50.0] {
        cell(format!("λ={intensity}"), 1.0, &|p| p.intensity = Some(intensity));
    }
    for rank in [1, 2, 4, 5] {
        cell(format!("rank≤{rank}"), 1.0, &|p| p.rank = rank);
    }
    for exponent in [0.0, 0.5, 1.0, 1.37, 2.0] {
        cell(format!("α={exponent}"), 1.0, &|p| p.alpha = exponent);
    }
    for exponent in [0.5, 1.0, 1.5, 2.0] {
        cell(format!("β={exponent}"), 1.0, &|p| p.beta = exponent);
    }
    for (rank, w) in [(2, 0), (3, 0), (4, 0), (5, 0), (3, 10)] {
        let name = format!("exact rank {rank}, W={w}");
        let params =
            AuctionWatch { rank, exact_rank: true, window: Window::Chronons(w), ..baseline() };
        all.push(Cell { name, params, budget: 1.0 });
    }
    for w in [0, 2, 5, 15, 20] {
        let params = AuctionWatch { window: Window::Chronons(w), ..baseline() };
        all.push(Cell { name: format!("W={w}"), params, budget: 1.0 });
    }
    all
}

impl Cell {
    /// One of its instances.
    ///
    /// # Errors
    /// [`LabError`].
    pub fn instance(&self, seed: u64) -> Result<Instance, LabError> {
        let params = AuctionWatch { seed, ..self.params.clone() };
        let mut builder = Builder::new();
        for (id, ceis) in generate(&params)?.into_iter().enumerate() {
            builder.profile(id as u64, 1.0, ceis);
        }
        let budget = vec![self.budget; params.chronons as usize];
        builder.build(budget).map_err(|malformed| LabError::Input(malformed.to_string()))
    }
}
