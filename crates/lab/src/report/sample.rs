//! Means of repetitions, and which of two is larger.

/// Standard errors that make a difference clear.
const CLEAR: f64 = 2.0;

/// A mean of repetitions with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub mean: f64,
    /// 0 for a single repetition.
    pub error: f64,
    pub n: usize,
}

impl Sample {
    /// The mean and its standard error, from at least one value.
    #[must_use]
    pub fn of(values: &[f64]) -> Sample {
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = if values.len() < 2 { 0.0 } else { (squares / (n - 1.0) / n).sqrt() };
        Sample { mean, error, n: values.len() }
    }

    /// `0.123 ± 0.004`; the error is left out where there is none.
    #[must_use]
    pub fn text(&self) -> String {
        if self.n < 2 || self.error == 0.0 {
            return short(self.mean);
        }
        // Two digits of the error, and as many places of the mean; four digits of the mean suffice.
        let digits = |value: f64, count: i32| count - 1 - value.abs().log10().floor() as i32;
        let most = digits(self.mean, 4).max(5);
        let decimals = digits(self.error, 2).clamp(0, most) as usize;
        format!("{:.decimals$} ± {:.decimals$}", self.mean, self.error)
    }
}

/// How one value stands to another over the same repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Above,
    Level,
    Below,
}

/// Compares repetition by repetition: the mean difference counts as clear beyond two standard
/// errors.
#[must_use]
pub fn compare(a: &[f64], b: &[f64]) -> Order {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let Sample { mean, error, .. } = Sample::of(&differences);
    let doubt = (CLEAR * error).max(1e-12);
    if mean > doubt {
        Order::Above
    } else if mean < -doubt {
        Order::Below
    } else {
        Order::Level
    }
}

/// Four significant digits, without exponent where that is readable.
#[must_use]
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "–".to_owned() };
    }
    let magnitude = value.abs().log10().floor() as i32;
    if magnitude < -5 {
        return format!("{value:.2e}");
    }
    let decimals = (3 - magnitude).clamp(0, 8) as usize;
    trimmed(&format!("{value:.decimals$}"))
}

/// Without zeros at the end of a fraction.
#[must_use]
pub fn trimmed(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

/// The exponent of the power law nearest to the points: the slope of ln y by ln x.
#[must_use]
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    slope(&logs)
}

/// The slope of the straight line nearest to the points.
#[must_use]
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let across: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    across / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// The linear correlation of two series.
#[must_use]
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (Sample::of(a).mean, Sample::of(b).mean);
    let across: f64 = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
    let spread = |of: &[f64], mean: f64| -> f64 { of.iter().map(|v| (v - mean).powi(2)).sum() };
    across / (spread(a, mean_a) * spread(b, mean_b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_comes_with_its_standard_error() {
        let sample = Sample::of(&[1.0, 2.0, 3.0, 4.0]);
        assert!((sample.mean - 2.5).abs() < 1e-12);
        assert!((sample.error - (5.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(Sample::of(&[7.0]).text(), "7");
        assert_eq!(Sample { mean: 0.5, error: 0.001, n: 9 }.text(), "0.5000 ± 0.0010");
        assert_eq!(Sample { mean: 512.3, error: 31.0, n: 9 }.text(), "512 ± 31");
    }

    #[test]
    fn a_difference_counts_only_beyond_two_standard_errors() {
        assert_eq!(compare(&[2.0, 3.0, 4.1], &[1.0, 2.0, 3.0]), Order::Above);
        assert_eq!(compare(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.1]), Order::Below);
        assert_eq!(compare(&[1.0, 3.0, 2.0], &[2.0, 1.5, 2.0]), Order::Level);
        assert_eq!(compare(&[1.0, 2.0], &[1.0, 2.0]), Order::Level);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.123_456, 12.0, 123_456.0, 1e-9, -3.5].map(short);
        assert_eq!(texts, ["0", "0.1235", "12", "123456", "1.00e-9", "-3.5"]);
    }

    #[test]
    fn slopes_and_correlations_are_those_of_the_line() {
        let line: Vec<(f64, f64)> = [1.0, 2.0, 5.0].iter().map(|&x| (x, 3.0 * x - 1.0)).collect();
        assert!((slope(&line) - 3.0).abs() < 1e-12);
        assert!((exponent(&[(1.0, 2.0), (10.0, 200.0)]) - 2.0).abs() < 1e-12);
        assert!((correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]) - 1.0).abs() < 1e-12);
        assert!((correlation(&[1.0, 2.0, 3.0], &[6.0, 4.0, 2.0]) + 1.0).abs() < 1e-12);
    }
}
