//! “This was noise”: what an alert told of a page is not told again.
//!
//! The texts of the alert's changes are looked up in the versions that were compared, for a message
//! shows long ones in part. Each becomes a [`Key`] of its source, which `any change` leaves out.

use crate::App;
use crate::diff;
use crate::keeper::Known;
use crate::problem::Problem;
use change::{Aspect, Habit, Key, Thing};
use chronon::{NotificationId, SourceId, VersionNo};
use kernel::io::Command;
use std::collections::BTreeMap;
use store::{LOUD_KEPT, Reader, StoreError};

/// Detections of one alert that are looked at.
const DETECTIONS_MAX: usize = 20;
/// Characters of a text that is shown to name it.
const SAMPLE_CHARS: usize = 80;
/// Versions that are looked through for a text of what is noise.
const VERSIONS: usize = 3;

/// Texts of one source, by what names them.
pub(crate) type Texts = BTreeMap<(SourceId, Key), String>;

/// What an alert told that can be left out from now on. Empty: nothing can, as its sentinel does
/// not ask for any change of the page, or the versions are not kept any more.
///
/// # Errors
/// There is no such alert; the store cannot be read.
pub(crate) async fn texts(app: &App, id: NotificationId) -> Result<Texts, Problem> {
    let row = app.desk.read(move |reader| reader.notification(id)).await?;
    let row = row.ok_or_else(|| Problem::not_found(format!("notification {}", id.0)))?;
    let found = app.desk.read(move |reader| {
        let mut texts = Texts::new();
        for &member in row.members.iter().take(DETECTIONS_MAX) {
            if let Some(detection) = reader.detection(member)? {
                of_detection(reader, &detection, &mut texts)?;
            }
        }
        Ok(texts)
    });
    Ok(found.await?)
}

fn of_detection(
    reader: &dyn Reader,
    detection: &outbox::Detection,
    texts: &mut Texts,
) -> Result<(), StoreError> {
    for piece in &detection.evidence {
        let result = reader.blob(piece.result)?.and_then(|bytes| change::decode(&bytes).ok());
        let compared = result.into_iter().flat_map(|result| result.comparisons);
        for compared in compared.filter(|one| one.change_type.aspect == Aspect::Any) {
            let (from, to) = (compared.from, compared.to);
            let told = compared.leaves.iter().flat_map(|leaf| &leaf.hits);
            let told = told.filter_map(|&hit| compared.changes.get(hit as usize));
            let things = told.flat_map(|change| [&change.old, &change.new]).flatten();
            let (texts_told, behind): (Vec<&Thing>, Vec<&Thing>) =
                things.partition(|thing| matches!(thing, Thing::Text { .. }));
            // What stands behind a text is noise by itself: the text is not.
            for thing in behind {
                if let Some(key) = Key::noise_of(thing) {
                    let said = Some(thing.text()).filter(|text| !text.is_empty());
                    let said = said.or(thing.address()).unwrap_or_default();
                    let sample = said.chars().take(SAMPLE_CHARS).collect();
                    texts.entry((piece.source, key)).or_insert(sample);
                }
            }
            let said: Vec<&str> =
                texts_told.iter().map(|thing| thing.text().trim_matches(['…', ' '])).collect();
            for version in [from, to] {
                each_text(reader, piece.source, version, |block, told| {
                    // A row among very many is told by its text.
                    let is_told = said.iter().any(|said| {
                        let is_part = said.len() >= SAMPLE_CHARS && told.contains(said);
                        told == *said || block == *said || is_part
                    });
                    if is_told && let Some(key) = Key::noise(block) {
                        let sample = told.chars().take(SAMPLE_CHARS).collect();
                        texts.entry((piece.source, key)).or_insert(sample);
                    }
                })?;
            }
        }
    }
    Ok(())
}

/// Calls `each` with the texts of a stored version, and what people are told of each. One at a
/// time: a cell may be told of every row that it spans. Never for a version that is not kept.
fn each_text(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
    mut each: impl FnMut(&str, &str),
) -> Result<(), StoreError> {
    let Some(row) = reader.version(source, version)? else { return Ok(()) };
    let bytes = diff::extract_of(reader, &row)?;
    if let Some(extract) = bytes.and_then(|bytes| page::decode(&bytes).ok()) {
        for (at, block) in extract.blocks.iter().enumerate() {
            each(&block.text, &extract.told(at).unwrap_or_default());
        }
    }
    Ok(())
}

/// Teaches a source what is noise, or takes that back; how many texts it is about.
///
/// # Errors
/// Nothing of the alert can be noise; too much was said of its page.
pub(crate) async fn teach(
    app: &App,
    known: Known,
    id: NotificationId,
    is_noise: bool,
) -> Result<usize, Problem> {
    let texts = texts(app, id).await?;
    if texts.is_empty() {
        return Err(Problem::conflict(
            "Only `any change` of a page can leave out what is noise, while its versions are \
             kept. In other sentinels write `outside css \"…\"`, `ignoring \"…\"` or `matching \
             \"…\"`.",
        ));
    }
    let sources: Vec<SourceId> = texts.keys().map(|(source, _)| *source).collect();
    let said = app.desk.read(move |reader| {
        let said = sources.iter().map(|&source| Ok((source, reader.loud(source)?)));
        said.collect::<Result<BTreeMap<SourceId, Vec<Key>>, StoreError>>()
    });
    let said = said.await?;
    let new = |source: SourceId| {
        let mine = texts.keys().filter(|(one, _)| *one == source);
        mine.filter(|(_, key)| !said.get(&source).is_some_and(|said| said.contains(key))).count()
    };
    let is_full = |(source, said): (&SourceId, &Vec<Key>)| said.len() + new(*source) > LOUD_KEPT;
    if is_noise && said.iter().any(is_full) {
        return Err(Problem::conflict(format!(
            "{LOUD_KEPT} things were said of this page already; take some back on the page of the \
             source, or write `outside` or `ignoring`."
        )));
    }
    for (source, key) in texts.keys().copied() {
        let command = Command::Quiet { source, key, is_loud: is_noise };
        app.desk.ask(known.actor(), command).await?;
    }
    Ok(texts.len())
}

/// What people said is noise of a source, each with a text of it if the page has one.
///
/// # Errors
/// What the store says.
pub(crate) fn listed(
    reader: &dyn Reader,
    source: SourceId,
    said: &[Key],
) -> Result<Vec<crate::wire::Quiet>, StoreError> {
    let noise: Vec<Key> = said.iter().copied().filter(|key| key.habit == Habit::Noise).collect();
    let mut samples = BTreeMap::new();
    if !noise.is_empty() {
        for row in reader.versions(source, None, VERSIONS)? {
            each_text(reader, source, row.number, |block, told| {
                if let Some(key) = Key::noise(block).filter(|key| noise.contains(key)) {
                    let sample: String = told.chars().take(SAMPLE_CHARS).collect();
                    samples.entry(key).or_insert(sample);
                }
            })?;
        }
    }
    let one = |key: Key| crate::wire::Quiet::noise(key, samples.get(&key).cloned());
    Ok(noise.into_iter().map(one).collect())
}
