//! Instances as JSON (FORMATS).

use crate::cli::LabError;
use schedule::completeness::instance::RawEi;
use schedule::completeness::{Builder, Instance};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// Most chronons of an instance.
const CHRONONS_MAX: u64 = 10_000_000;

#[derive(serde::Deserialize)]
#[serde(expecting = "an instance: {\"chronons\", \"budget\", \"profiles\"}")]
struct File {
    chronons: Chronons,
    budget: Budget,
    #[serde(default)]
    costs: Option<Vec<f64>>,
    profiles: Vec<RawProfile>,
}

#[derive(serde::Deserialize)]
#[serde(expecting = "a profile: {\"id\", \"utility\", \"ceis\"}")]
struct RawProfile {
    id: u64,
    #[serde(default = "one")]
    utility: f64,
    ceis: Vec<Vec<FileEi>>,
}

fn one() -> f64 {
    1.0
}

struct Chronons(usize);

impl<'de> Deserialize<'de> for Chronons {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let count = u64::deserialize(from)?;
        if (1..=CHRONONS_MAX).contains(&count) {
            return Ok(Self(count as usize));
        }
        let expected = format!("chronons is {count}; expected 1 to {CHRONONS_MAX}");
        Err(de::Error::custom(expected))
    }
}

/// One number for all chronons, or one each.
enum Budget {
    Same(f64),
    Each(Vec<f64>),
}

impl<'de> Deserialize<'de> for Budget {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Budget;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("budget as a number, or an array of one number for each chronon")
            }
            fn visit_u64<E>(self, value: u64) -> Result<Budget, E> {
                Ok(Budget::Same(value as f64))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Budget, E> {
                Ok(Budget::Same(value as f64))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Budget, E> {
                Ok(Budget::Same(value))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Budget, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(Budget::Each)
            }
        }
        from.deserialize_any(Numbers)
    }
}

struct FileEi(RawEi);

impl<'de> Deserialize<'de> for FileEi {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Triple;
        impl<'de> Visitor<'de> for Triple {
            type Value = FileEi;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an EI [source, start, finish] of three whole numbers from 0")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<FileEi, A::Error> {
                let mut part = |at: usize| {
                    seq.next_element::<u64>()?.ok_or_else(|| de::Error::invalid_length(at, &self))
                };
                let (source, start, finish) = (part(0)?, part(1)?, part(2)?);
                if seq.next_element::<de::IgnoredAny>()?.is_some() {
                    return Err(de::Error::invalid_length(4, &self));
                }
                if finish < start {
                    let said = format!(
                        "the EI [{source}, {start}, {finish}] finishes before it starts; \
                         expected start ≤ finish"
                    );
                    return Err(de::Error::custom(said));
                }
                Ok(FileEi((source, start, finish)))
            }
        }
        from.deserialize_seq(Triple)
    }
}

/// Reads an instance; `budget`, if given, takes the place of the file's.
///
/// # Errors
/// [`LabError::Input`], with the file, the place and what was expected.
pub fn read(path: &Path, budget: Option<f64>) -> Result<Instance, LabError> {
    let place = path.display();
    let text = std::fs::read(path)
        .map_err(|error| LabError::Input(format!("{place}: cannot be read: {error}")))?;
    parse(&text, budget).map_err(|said| LabError::Input(format!("{place}: {said}")))
}

/// As [`read`], from bytes; the error is a sentence.
///
/// # Errors
/// A sentence with the place and what was expected.
pub fn parse(text: &[u8], budget: Option<f64>) -> Result<Instance, String> {
    let file: File = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let chronons = file.chronons.0;
    let budget = match (budget, file.budget) {
        (Some(same), _) | (None, Budget::Same(same)) => vec![same; chronons],
        (None, Budget::Each(each)) if each.len() == chronons => each,
        (None, Budget::Each(each)) => {
            return Err(format!(
                "budget: {} numbers for {chronons} chronons; expected one for each",
                each.len()
            ));
        }
    };
    let mut builder = Builder::new();
    if let Some(costs) = file.costs {
        builder.costs(costs);
    }
    for RawProfile { id, utility, ceis } in file.profiles {
        let ceis = ceis.into_iter().map(|eis| eis.into_iter().map(|ei| ei.0).collect());
        builder.profile(id, utility, ceis.collect());
    }
    builder.build(budget).map_err(|malformed| malformed.to_string())
}

/// Writes profiles as an instance with budget 1, a profile a line.
///
/// # Errors
/// What `out` says.
pub fn write(
    chronons: u32,
    profiles: &[Vec<Vec<RawEi>>],
    out: &mut dyn Write,
) -> Result<(), LabError> {
    writeln!(out, "{{\"chronons\": {chronons}, \"budget\": 1, \"profiles\": [")?;
    for (id, ceis) in profiles.iter().enumerate() {
        let ceis = serde_json::to_string(ceis).map_err(std::io::Error::from)?;
        let comma = if id + 1 < profiles.len() { "," } else { "" };
        writeln!(out, "{{\"id\": {id}, \"utility\": 1.0, \"ceis\": {ceis}}}{comma}")?;
    }
    writeln!(out, "]}}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        parse(text.as_bytes(), None).expect_err("it is malformed")
    }

    #[test]
    fn a_malformed_file_is_refused_with_line_field_and_what_was_expected() {
        assert!(said("{\"chronons\": 3,\n\"profiles\": []}").starts_with("missing field `budget`"));
        let ei = |ei: &str| {
            let head = "{\"chronons\": 3, \"budget\": 1,\n\"profiles\": [{\"id\": 0,\n\"ceis\": ";
            said(&format!("{head}[[{ei}]]}}]}}"))
        };
        let backwards = ei("[0, 2, 1]");
        assert!(backwards.contains("[0, 2, 1] finishes before it starts"), "{backwards}");
        assert!(backwards.contains("line 3"), "{backwards}");
        assert!(ei("[0, 2]").contains("expected an EI [source, start, finish]"));
        assert!(ei("[-1, 2, 2]").contains("expected u64 at line 3"));
        assert!(ei("[0, 2, 3]").starts_with("profile 0, CEI 0, EI 0: it finishes outside the 3"));
        assert!(
            said("{\"chronons\": 3, \"budget\": [1, 1], \"profiles\": []}")
                .starts_with("budget: 2 numbers for 3 chronons")
        );
        assert!(
            said("{\"chronons\": 3, \"budget\": \"x\", \"profiles\": []}")
                .contains("expected budget as a number, or an array")
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        let profiles = vec![vec![vec![(5, 0, 1), (2, 1, 2)]], vec![]];
        let mut text = Vec::new();
        write(3, &profiles, &mut text).unwrap();
        let instance = parse(&text, Some(2.0)).unwrap();
        assert_eq!((instance.chronons(), instance.eis().len()), (3, 2));
        assert_eq!(instance.numbers(), [2, 5]);
        assert_eq!(instance.budget(), [2.0; 3]);
    }
}
