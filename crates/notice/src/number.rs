//! Numbers as people read them.

use std::fmt::Display;

/// A number with its thousands apart: `12,345`, `1,234.5`.
pub fn grouped(number: impl Display) -> String {
    let mut said = number.to_string();
    let end = said.find('.').unwrap_or(said.len());
    let start = said.find(|c: char| c.is_ascii_digit()).unwrap_or(end);
    for at in (start + 1..end).rev().filter(|at| (end - at).is_multiple_of(3)) {
        said.insert(at, ',');
    }
    said
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_stand_apart() {
        let said = [0, 999, 1_000, -123, -12_345, 1_234_567].map(grouped);
        assert_eq!(said, ["0", "999", "1,000", "-123", "-12,345", "1,234,567"]);
        assert_eq!([1_234.5, 0.25].map(grouped), ["1,234.5", "0.25"]);
        assert_eq!(grouped("null"), "null");
    }
}
