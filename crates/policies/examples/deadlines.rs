//! Intervals that have to be met together: which policy captures most?
//!
//! Three auctions are watched, each at two or three sites: a bid is only worth something if every
//! site is seen while the bid stands.
//!
//! `cargo run -p policies --example deadlines`

use policies::completeness::gain::Discount;
use policies::completeness::rules::Kind;
use policies::completeness::wic::Wic;
use policies::completeness::{
    Builder, DeadCeis, Instance, Malformed, OnlinePolicy, Preemption, Rule, run_online,
};

fn main() -> Result<(), Malformed> {
    let instance = auctions()?;
    let rule = |kind| Box::new(Rule::new(kind, Preemption::On, DeadCeis::Drop));
    let policies: [(&str, Box<dyn OnlinePolicy>); 5] = [
        ("s-edf", rule(Kind::SEdf)),
        ("mrsf", rule(Kind::Mrsf)),
        ("m-edf", rule(Kind::MEdf)),
        ("wic", Box::new(Wic::default())),
        ("gain, q = .5", Box::new(Discount::new(0.5))),
    ];
    for (name, mut policy) in policies {
        let schedule = run_online(&instance, policy.as_mut());
        let outcome = schedule.outcome(&instance);
        println!("{name:<12} captures {} of {}", outcome.captured, outcome.total);
    }
    Ok(())
}

/// Forty rounds of three profiles; one probe a chronon. An EI is (source, start, finish).
fn auctions() -> Result<Instance, Malformed> {
    let mut builder = Builder::new();
    let rounds = |sources: &[u64], every: u64, stands: u64| -> Vec<Vec<(u64, u64, u64)>> {
        let round = |start: u64| {
            let each = sources.iter().zip(0..);
            each.map(|(&source, late)| (source, start + late, start + late + stands)).collect()
        };
        (0..40).map(|i| round(i * every)).collect()
    };
    builder.profile(0, 1.0, rounds(&[0, 1, 2], 5, 3));
    builder.profile(1, 1.0, rounds(&[3, 4], 4, 2));
    builder.profile(2, 1.0, rounds(&[5, 6], 3, 1));
    builder.build(vec![1.0; 210])
}
