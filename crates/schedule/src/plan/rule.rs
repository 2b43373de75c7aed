//! Rules on a circle of edges: from each edge a step to another.

/// The cycles that a rule ends in, each as its edges in order. O(edges).
#[must_use]
pub fn cycles(edges: usize, to: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let mut mark = vec![usize::MAX; edges];
    let mut cycles = Vec::new();
    for start in 0..edges {
        let mut a = start;
        while mark[a] == usize::MAX {
            mark[a] = start;
            a = to(a);
        }
        if mark[a] == start {
            let onward = std::iter::successors(Some(to(a)), |&b| Some(to(b)));
            cycles.push(std::iter::once(a).chain(onward.take_while(|&b| b != a)).collect());
        }
    }
    cycles
}

/// The sum of `extra` over the steps from each edge to `anchor`, where it is 0; edges from which
/// the rule never comes there end at `far`, so that the next improvement leads there. O(edges).
#[must_use]
pub fn values(
    edges: usize,
    anchor: usize,
    to: impl Fn(usize) -> usize,
    extra: impl Fn(usize) -> f64,
    far: f64,
) -> Vec<f64> {
    let mut values = vec![f64::NAN; edges];
    values[anchor] = 0.0;
    let mut path = Vec::new();
    for start in 0..edges {
        let mut a = start;
        path.clear();
        while values[a].is_nan() && path.len() <= edges {
            path.push(a);
            a = to(a);
        }
        let mut value = if values[a].is_nan() { far } else { values[a] };
        for &b in path.iter().rev() {
            value += extra(b);
            values[b] = value;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{cycles, values};

    #[test]
    fn each_cycle_is_found_once_and_values_lead_to_the_anchor() {
        // 0 → 1 → 2 → 1; 3 → 3.
        let to = |a: usize| [1, 2, 1, 3][a];
        assert_eq!(cycles(4, to), [vec![1, 2], vec![3]]);
        let values = values(4, 1, to, |_| 1.0, 100.0);
        assert_eq!(values[..3], [1.0, 0.0, 1.0]);
        assert!(values[3] > 100.0);
    }
}
