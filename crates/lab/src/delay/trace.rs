//! Traces as CSV: `source,time[,weight][,host]`.

use crate::cli::LabError;
use crate::rows::{Rows, read_text};
use policies::delay::{DAY, Posting};
use std::collections::BTreeMap;
use std::path::Path;

/// Times are nearer to 0 than this, seconds: beyond, fractions of a second are lost.
const TIME_MAX: f64 = 1e12;

/// What each source published, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    pub sources: Vec<String>,
    pub postings: Vec<Vec<Posting>>,
    /// The number of each source's host; none where each has its own.
    pub hosts: Vec<u32>,
    first: f64,
    last: f64,
}

impl Trace {
    /// From what each source published, in any order; at least one posting in all.
    #[must_use]
    pub fn new(sources: Vec<String>, mut postings: Vec<Vec<Posting>>) -> Trace {
        for own in &mut postings {
            own.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        let times = || postings.iter().flatten().map(|posting| posting.time);
        let first = times().fold(f64::INFINITY, f64::min);
        let last = times().fold(f64::NEG_INFINITY, f64::max);
        Trace { sources, postings, hosts: Vec::new(), first, last }
    }

    /// The start of the first posting's day.
    #[must_use]
    pub fn first_day(&self) -> f64 {
        (self.first / DAY).floor() * DAY
    }

    /// The first `days` alone, if told: who posts only later is watched in vain.
    #[must_use]
    pub fn first_days(mut self, days: Option<u32>) -> Trace {
        let Some(days) = days else { return self };
        self.last = self.last.min(self.first_day() + f64::from(days) * DAY);
        for own in &mut self.postings {
            own.retain(|posting| posting.time <= self.last);
        }
        self
    }

    /// The time of the last posting, or the end of the days that count.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.last
    }
}

/// Reads a trace. Rows may stand in any order; the column may be called `time` or `unix_time`.
///
/// # Errors
/// What is not as `docs/formats.md` says: line, field, what was expected.
pub fn read_trace(path: &Path) -> Result<Trace, LabError> {
    parse_trace(path, &read_text(path)?)
}

/// As [`read_trace`], from text.
///
/// # Errors
/// As [`read_trace`].
pub fn parse_trace(path: &Path, text: &str) -> Result<Trace, LabError> {
    let rows = Rows::new(path, text)?;
    let source = rows.required(&["source"])?;
    let time = rows.required(&["time", "unix_time"])?;
    let weight = rows.column(&["weight"]);
    let host = rows.column(&["host"]);
    let (mut ids, mut hosts) = (BTreeMap::new(), BTreeMap::new());
    let mut trace = Trace {
        sources: Vec::new(),
        postings: Vec::new(),
        hosts: Vec::new(),
        first: f64::INFINITY,
        last: f64::NEG_INFINITY,
    };
    for row in rows.rows() {
        let row = row?;
        let name = row.text(source);
        if name.is_empty() {
            return Err(row.wrong("source", "expected a name, found nothing"));
        }
        let time = row.number(time, "time", "a time in seconds", |t| t.abs() < TIME_MAX)?;
        let weight = match weight {
            Some(weight) => row.number(weight, "weight", "a number in 0 … 1e15", |w| {
                (0.0..=1e15).contains(&w)
            })?,
            None => 1.0,
        };
        let id = *ids.entry(name.to_owned()).or_insert_with(|| {
            trace.sources.push(name.to_owned());
            trace.postings.push(Vec::new());
            if let Some(host) = host {
                let next = hosts.len() as u32;
                trace.hosts.push(*hosts.entry(row.text(host).to_owned()).or_insert(next));
            }
            trace.sources.len() - 1
        });
        trace.postings[id].push(Posting { time, weight });
        (trace.first, trace.last) = (trace.first.min(time), trace.last.max(time));
    }
    if trace.sources.is_empty() {
        let what = "expected at least one posting, found none";
        return Err(LabError::Input(format!("{}: {what}", path.display())));
    }
    for postings in &mut trace.postings {
        postings.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
    Ok(trace)
}

#[cfg(test)]
mod tests {
    use super::parse_trace;
    use std::path::Path;

    #[test]
    fn the_first_days_keep_their_sources_and_hosts() {
        let text = "source,time,host\na,5,x\nb,90000,y\nc,7,x\n";
        let trace = parse_trace(Path::new("t.csv"), text).expect("a trace");
        assert_eq!(trace.hosts, [0, 1, 0]);
        let first = trace.clone().first_days(Some(1));
        let counts: Vec<usize> = first.postings.iter().map(Vec::len).collect();
        assert_eq!((counts, first.end()), (vec![1, 0, 1], 86_400.0));
        assert_eq!(trace.clone().first_days(Some(9)), trace);
    }

    #[test]
    fn a_malformed_trace_is_refused_with_line_field_and_expectation() {
        let error = |text: &str| parse_trace(Path::new("t.csv"), text).unwrap_err().to_string();
        assert_eq!(
            error("source,time\na,1\nb,soon\n"),
            "t.csv line 3, field time: expected a time in seconds, found `soon`"
        );
        assert_eq!(
            error("source,time,weight\na,1,-1\n"),
            "t.csv line 2, field weight: expected a number in 0 … 1e15, found `-1`"
        );
        assert_eq!(
            error("source,when\n"),
            "t.csv line 1: expected a column `time`, found `source,when`"
        );
        assert!(error("source,time\n").contains("at least one posting"));
        for time in ["NaN", "inf", "-inf", "1e300", "", "0x10", "2024-01-01"] {
            assert_eq!(
                error(&format!("source,time\na,1\na,{time}\n")),
                format!("t.csv line 3, field time: expected a time in seconds, found `{time}`")
            );
        }
        assert_eq!(
            error("source,time,weight\na,1,1\na,2,NaN\n"),
            "t.csv line 3, field weight: expected a number in 0 … 1e15, found `NaN`"
        );
        assert_eq!(error(""), "t.csv line 1: expected a header, found nothing");
        assert_eq!(error("a,1\na,2\n"), "t.csv line 1: expected a column `source`, found `a,1`");
        assert_eq!(
            error("source,time\n,5\n"),
            "t.csv line 2, field source: expected a name, found nothing"
        );
        assert_eq!(
            error("source,time\na,5,1\n"),
            "t.csv line 2: expected 2 fields as in the header, found 3"
        );
    }

    #[test]
    fn times_before_the_origin_and_weights_of_zero_are_taken() {
        let trace = parse_trace(Path::new("t"), "source,time,weight\na,-90000,0\na,5,2\n").unwrap();
        assert!((trace.first_day() + 2.0 * 86_400.0).abs() < 1e-9);
        assert!(trace.postings[0][0].weight.abs() < 1e-12);
    }

    #[test]
    fn rows_may_stand_in_any_order() {
        let trace = parse_trace(Path::new("t"), "source,time\nb,90000.5\na,7\nb,86400\n").unwrap();
        assert_eq!(trace.sources, ["b", "a"]);
        assert!((trace.postings[0][0].time - 86_400.0).abs() < 1e-9);
        assert!((trace.end() - 90_000.5).abs() < 1e-9 && trace.first_day().abs() < 1e-9);
    }
}
