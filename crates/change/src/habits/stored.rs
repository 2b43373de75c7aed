//! Habits as bytes, for the store.

use super::{Habit, Habits, Key, SAMPLE_BYTES, TRACES_MAX, Trace};

/// The form of the bytes. Bytes of another form are forgotten: habits are learned anew.
const FORM: u8 = 1;

/// Bytes that are no habits: damaged, or of another release.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("what was learned of a page cannot be read; it is learned anew")]
pub struct Unreadable;

impl Habits {
    /// As bytes: about 30 for each trace, and its sample.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![FORM];
        bytes.extend(self.looks.to_le_bytes());
        for (key, trace) in &self.traces {
            bytes.push(key.habit as u8);
            bytes.extend(key.hash.to_le_bytes());
            bytes.extend(trace.since.to_le_bytes());
            bytes.extend(trace.last.to_le_bytes());
            bytes.extend(trace.recent.to_le_bytes());
            bytes.extend(trace.times.to_le_bytes());
            bytes.extend(trace.all.to_le_bytes());
            bytes.push(trace.sample.len() as u8);
            bytes.extend(trace.sample.as_bytes());
        }
        bytes
    }

    /// The inverse of [`Habits::encode`].
    ///
    /// # Errors
    /// The bytes are of no habits.
    pub fn decode(bytes: &[u8]) -> Result<Habits, Unreadable> {
        let mut rest = bytes;
        let [form] = take(&mut rest)?;
        if form != FORM {
            return Err(Unreadable);
        }
        let mut habits =
            Habits { looks: u32::from_le_bytes(take(&mut rest)?), ..Habits::default() };
        while !rest.is_empty() && habits.traces.len() < TRACES_MAX {
            let [habit] = take(&mut rest)?;
            let habit = *Habit::ALL.get(usize::from(habit)).ok_or(Unreadable)?;
            let key = Key { habit, hash: u64::from_le_bytes(take(&mut rest)?) };
            let mut trace = Trace {
                since: i64::from_le_bytes(take(&mut rest)?),
                last: u32::from_le_bytes(take(&mut rest)?),
                recent: u16::from_le_bytes(take(&mut rest)?),
                times: u16::from_le_bytes(take(&mut rest)?),
                all: u16::from_le_bytes(take(&mut rest)?),
                sample: "".into(),
            };
            let [length] = take(&mut rest)?;
            let length = usize::from(length).min(SAMPLE_BYTES);
            let (sample, after) = rest.split_at_checked(length).ok_or(Unreadable)?;
            trace.sample = std::str::from_utf8(sample).map_err(|_| Unreadable)?.into();
            rest = after;
            if trace.last > habits.looks {
                return Err(Unreadable);
            }
            habits.traces.insert(key, trace);
        }
        Ok(habits)
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Unreadable> {
    let (taken, after) = rest.split_first_chunk::<N>().ok_or(Unreadable)?;
    *rest = after;
    Ok(*taken)
}
