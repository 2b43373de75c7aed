//! Instances as JSON (`docs/formats.md`, Completeness).

mod place;

use crate::cli::LabError;
use crate::rows::read_bytes;
use place::{Step, line_of, offset_of, path_at, written};
use policies::completeness::instance::RawEi;
use policies::completeness::{Builder, Instance, Malformed};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// Most chronons of an instance.
pub const CHRONONS_MAX: u64 = 10_000_000;

/// Largest budget, cost and utility: sums of them stay numbers.
pub const NUMBER_MAX: f64 = 1e15;

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
    let text = read_bytes(path)?;
    parse(&text, budget).map_err(|said| LabError::Input(format!("{} {said}", path.display())))
}

/// As [`read`], from bytes; the error is a sentence.
///
/// # Errors
/// A sentence with line, field and what was expected.
pub fn parse(text: &[u8], budget: Option<f64>) -> Result<Instance, String> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let file: File = serde_json::from_slice(text).map_err(|error| not_as_asked(text, &error))?;
    let chronons = file.chronons.0;
    let one_number = budget.is_some() || matches!(file.budget, Budget::Same(_));
    let budget = match (budget, file.budget) {
        (Some(same), _) | (None, Budget::Same(same)) => vec![same; chronons],
        (None, Budget::Each(each)) if each.len() == chronons => each,
        (None, Budget::Each(each)) => {
            let found = each.len();
            let what = format!("{found} numbers for {chronons} chronons; expected one for each");
            return Err(at(text, &[key("budget")], &what));
        }
    };
    let said = |mut path: Vec<Step>, what: &str| {
        if one_number && path[0] == key("budget") {
            path.truncate(1);
        }
        at(text, &path, what)
    };
    check_largest(&budget, file.costs.as_deref(), &file.profiles)
        .map_err(|path| said(path, &format!("it is more than {NUMBER_MAX:e}; expected less")))?;
    let mut builder = Builder::new();
    if let Some(costs) = file.costs {
        builder.costs(costs);
    }
    let mut ids = Vec::new();
    for RawProfile { id, utility, ceis } in file.profiles {
        ids.push(id);
        let ceis = ceis.into_iter().map(|eis| eis.into_iter().map(|ei| ei.0).collect());
        builder.profile(id, utility, ceis.collect());
    }
    builder
        .build(budget)
        .map_err(|malformed| said(place_of(&malformed, &ids), &malformed.to_string()))
}

/// The place of a number larger than [`NUMBER_MAX`].
fn check_largest(
    budget: &[f64],
    costs: Option<&[f64]>,
    profiles: &[RawProfile],
) -> Result<(), Vec<Step>> {
    let large = |number: &f64| *number > NUMBER_MAX;
    if let Some(chronon) = budget.iter().position(large) {
        return Err(vec![key("budget"), Step::At(chronon)]);
    }
    if let Some(source) = costs.unwrap_or_default().iter().position(large) {
        return Err(vec![key("costs"), Step::At(source)]);
    }
    match profiles.iter().position(|profile| large(&profile.utility)) {
        Some(index) => Err(vec![key("profiles"), Step::At(index), key("utility")]),
        None => Ok(()),
    }
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}

/// What is wrong at a path, with its line.
fn at(text: &[u8], path: &[Step], what: &str) -> String {
    let line = line_of(text, path).map(|line| format!("line {line}, ")).unwrap_or_default();
    format!("{line}field {}: {what}", written(path))
}

/// Where in the file it is. Profiles are named by id, files count them.
fn place_of(malformed: &Malformed, ids: &[u64]) -> Vec<Step> {
    let of = |id: u64, rest: &[Step]| {
        let index = ids.iter().position(|own| *own == id).unwrap_or_default();
        let mut path = vec![key("profiles"), Step::At(index)];
        path.extend_from_slice(rest);
        path
    };
    match *malformed {
        Malformed::DuplicateProfile { id } => {
            let index = ids.iter().rposition(|own| *own == id).unwrap_or_default();
            vec![key("profiles"), Step::At(index), key("id")]
        }
        Malformed::Utility { profile, .. } => of(profile, &[key("utility")]),
        Malformed::EmptyCei { profile, cei } => of(profile, &[key("ceis"), Step::At(cei)]),
        Malformed::Backwards { profile, cei, ei } | Malformed::Outside { profile, cei, ei, .. } => {
            of(profile, &[key("ceis"), Step::At(cei), Step::At(ei)])
        }
        Malformed::Budget { chronon, .. } => vec![key("budget"), Step::At(chronon)],
        Malformed::Cost { source, .. } => vec![key("costs"), Step::At(source as usize)],
        Malformed::NoCost { .. } => vec![key("costs")],
        Malformed::TooLarge => vec![key("profiles")],
    }
}

/// What the parser says, with the path of the place it says it of, and in words.
fn not_as_asked(text: &[u8], error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    let what = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
    let what = what.replace("expected u64", "expected a whole number from 0");
    let what = what.replace("expected f64", "expected a number");
    let what = what.replace("EOF while parsing", "the text ends in the middle of");
    let what = what.replace("expected a sequence", "expected an array");
    let what = what.replace("type: sequence", "type: array").replace("type: map", "type: object");
    let what = format!("{what}{}", wanted(text, &what));
    if line == 0 {
        return what;
    }
    // The byte at the place has been read; the path is the one before it.
    let mut path = path_at(text, offset_of(text, line, column).saturating_sub(1));
    if what.starts_with("missing field") {
        path.pop();
    }
    let path = written(&path);
    let field = if path.is_empty() { String::new() } else { format!(", field {path}") };
    format!("line {line}{field}: {what}")
}

/// What was expected, where the parser does not say it.
fn wanted(text: &[u8], what: &str) -> &'static str {
    if text.trim_ascii().is_empty() {
        return "; expected an instance: {\"chronons\", \"budget\", \"profiles\"}";
    }
    match what {
        "trailing characters" => "; expected nothing after the instance",
        "number out of range" => "; expected a finite number",
        "expected value" => ": a number, a string, an array, an object, true, false or null",
        "missing field `id`" | "missing field `ceis`" => "; expected it in every profile",
        _ if what.starts_with("missing field") => {
            "; expected an instance: {\"chronons\", \"budget\", \"profiles\"}"
        }
        _ if what.starts_with("duplicate field") => "; expected it once",
        _ => "",
    }
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
        let head = "{\"chronons\": 3, \"budget\": 1,\n\"profiles\": [{\"id\": 7,\n\"ceis\": [\n";
        let ei = |ei: &str| said(&format!("{head}[[5, 0, 0], {ei}]]}}]}}"));
        let field = "line 4, field profiles[0].ceis[0][1]";
        let expected = [
            ("[0, 2, 1]", "[2]: the EI [0, 2, 1] finishes before it starts; expected start ≤ fin"),
            ("[0, 2]", "[1]: invalid length 2, expected an EI [source, start, finish]"),
            ("[0, 2, 2, 2]", "[3]: invalid length 4, expected an EI [source, start, finish]"),
            ("[-1, 2, 2]", "[0]: invalid value: integer `-1`, expected a whole number from 0"),
            ("[0, 2, 2.5]", "[2]: invalid type: floating point `2.5`, expected a whole number"),
            ("[0, 2, 3]", ": profile 7, CEI 0, EI 1: it finishes outside the 3 chronons; expected"),
            ("\"x\"", ": invalid type: string \"x\", expected an EI [source, start, finish]"),
            ("[0, 2, NaN]", "[2]: expected value"),
        ];
        for (text, expected) in expected {
            let found = ei(text);
            assert!(found.starts_with(&format!("{field}{expected}")), "{found}");
        }
    }

    #[test]
    fn a_malformed_number_is_refused_with_line_field_and_what_was_expected() {
        let with = |budget: &str, costs: &str, profiles: &str| {
            let head = format!("{{\"chronons\": 2,\n\"budget\": {budget},\n\"costs\": {costs},");
            said(&format!("{head}\n\"profiles\": [{profiles}]}}"))
        };
        let ei = "{\"id\": 1, \"ceis\": [[[1, 0, 0]]]}";
        let twice = format!("{ei},\n{ei}");
        let expected = [
            (with("[1, 1, 1]", "null", ""), "line 2, field budget: 3 numbers for 2 chronons; exp"),
            (with("\"x\"", "null", ""), "line 2, field budget: invalid type: string \"x\", expec"),
            (with("[1,\n -1]", "null", ""), "line 3, field budget[1]: budget of chronon 1 is -1; "),
            (
                with("-1", "null", ""),
                "line 2, field budget: budget of chronon 0 is -1; expected a ",
            ),
            (
                with("1", "[1, 0]", ""),
                "line 3, field costs[1]: costs: source 1 costs 0; expected a",
            ),
            (
                with("1", "[1]", ei),
                "line 3, field costs: costs: there are 1, none for source 1; ex",
            ),
            (with("1e400", "null", ""), "line 2, field budget: number out of range; expected a fi"),
            (
                with("1", "null", "]} {\"x\": [0"),
                "line 4: trailing characters; expected nothing after the instance",
            ),
            (said("{'chronons': 3}"), "line 1: key must be a string"),
            (said("{\"budget\": 1, \"budget\": 1}"), "line 1, field budget: duplicate field `b"),
            (
                said("{\"budget\": [[1]]}"),
                "line 1, field budget: invalid type: array, expected a n",
            ),
            (
                with("1", "null", &twice),
                "line 5, field profiles[1].id: profiles: two have the id 1",
            ),
            (
                with("1", "null", "{\"ceis\": []}"),
                "line 4, field profiles[0]: missing field `id`; expected it in every profile",
            ),
            (
                with("1", "null", "{\"id\": 1, \"utility\": -2, \"ceis\": []}"),
                "line 4, field profiles[0].utility: profile 1: utility is -2; expected a finite",
            ),
            (
                with("1", "null", "{\"id\": 1, \"ceis\": [[]]}"),
                "line 4, field profiles[0].ceis[0]: profile 1, CEI 0: it has no EIs; expected at",
            ),
            (
                said("{\"chronons\": 3,\n\"profiles\": []}"),
                "line 2: missing field `budget`; expected an instance: {\"chronons\", \"bu",
            ),
            (
                said("{\"chronons\": 1000000000, \"budget\": 1, \"profiles\": []}"),
                "line 1, field chronons: chronons is 1000000000; expected 1 to 10000000",
            ),
            (said(""), "line 1: the text ends in the middle of a value; expected an instance: {\""),
            (
                said("[]"),
                "line 1, field [0]: invalid length 0, expected an instance: {\"chronons\"",
            ),
        ];
        for (found, expected) in expected {
            assert!(found.starts_with(expected), "{found}\n{expected}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_windows_lines_do_no_harm() {
        let text = "\u{feff}{\"chronons\": 3,\r\n\"budget\": 1,\r\n\"profiles\": []}\r\n";
        assert_eq!(parse(text.as_bytes(), None).unwrap().chronons(), 3);
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
