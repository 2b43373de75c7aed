//! Bytes on the disk: by hash, compressed, versions as differences from the version before, results
//! of comparisons from the result before, messages from the message before or from the result that
//! they tell of.
//!
//! A body is compressed with its predecessor's bytes as zstd prefix (`ref_prefix`), so that a page
//! of which one line changed costs some tens of bytes. To read one, its bases are decoded first:
//! at most [`CHAIN_MAX`], then comes a full one. What was used lately is at hand decoded. Short
//! blobs have [`KNOWN`] for a prefix, before their base if they have one.

use crate::error::sentence;
use crate::packed::FRAME;
use crate::recent::Recent;
use crate::{StoreError, Writer};
use chronon::BlobId;
use rusqlite::{Connection, OptionalExtension, params};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};
use store::BLOB_BYTES_MAX;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, get_error_name};

/// Bases below a blob, at most: as many as git has.
pub(crate) const CHAIN_MAX: u32 = 50;
/// What results and bodies of notifications have in common, as [`KNOWN_CODEC`] needs it: never
/// changed, since stored blobs are decoded with it.
const KNOWN: &[u8] = include_bytes!("known.json");
/// Longer blobs gain nothing from [`KNOWN`].
const KNOWN_BYTES_MAX: usize = 16 << 10;
/// Larger bases are not worth the memory.
const BASE_BYTES_MAX: usize = 16 << 20;
/// zstd's own default; higher levels cost ten times as much for a tenth less.
const LEVEL: i32 = 3;
/// Shorter blobs are stored as they are.
const COMPRESSED_BYTES_MIN: usize = 64;
/// Bases that are held at once while a chain is decoded, in bytes; one of them in any case.
const RUN_BYTES_MAX: usize = 4 << 20;
/// From this many bytes on, zstd looks for far matches too.
const FAR_BYTES: usize = 1 << 20;

const RAW: u8 = 0;
const ZSTD: u8 = 1;
/// zstd with the prefix that [`prefix`] makes of the base.
const DELTA: u8 = 2;
/// zstd with [`KNOWN`] as prefix, and no base.
const KNOWN_CODEC: u8 = 3;

/// One row of the table.
struct Stored {
    codec: u8,
    base: Option<[u8; 32]>,
    depth: u32,
    size: usize,
    data: Vec<u8>,
}

/// What a blob may be compressed against.
pub(crate) struct Base {
    id: BlobId,
    depth: u32,
    bytes: Arc<[u8]>,
}

/// The number of the blob whose hash is the parameter of this place; null, if it is not stored.
pub(crate) fn number_of(place: usize) -> String {
    let start = format!("substr(id, 1, 5) = substr(?{place}, 1, 5)");
    format!("(SELECT number FROM blobs WHERE {start} AND id = ?{place})")
}

fn damaged(id: BlobId, what: &str) -> StoreError {
    StoreError::Damaged(format!("blob {id} {what}"))
}

fn load(connection: &Connection, id: BlobId) -> Result<Option<Stored>, StoreError> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let base = "SELECT id FROM blobs AS below WHERE below.number = blobs.base";
        let number = number_of(1);
        format!("SELECT codec, ({base}), depth, size, data FROM blobs WHERE number = {number}")
    });
    let mut statement = connection.prepare_cached(&SQL).map_err(sentence)?;
    let stored = |row: &rusqlite::Row<'_>| {
        Ok(Stored {
            codec: row.get(0)?,
            base: row.get(1)?,
            depth: row.get(2)?,
            size: row.get::<_, u32>(3)? as usize,
            data: row.get(4)?,
        })
    };
    statement.query_row(params![id.0], stored).optional().map_err(sentence)
}

/// The bytes of a blob, or `None` if it is not stored. Decodes at most [`CHAIN_MAX`] bases.
pub(crate) fn read(
    connection: &Connection,
    recent: &Recent,
    id: BlobId,
) -> Result<Option<Arc<[u8]>>, StoreError> {
    match recent.get(id) {
        Some(bytes) => Ok(is_stored(connection, id)?.then_some(bytes)),
        None => decode(connection, recent, id),
    }
}

pub(crate) fn is_stored(connection: &Connection, id: BlobId) -> Result<bool, StoreError> {
    static SQL: LazyLock<String> = LazyLock::new(|| format!("SELECT {}", number_of(1)));
    let mut statement = connection.prepare_cached(&SQL).map_err(sentence)?;
    let number = statement.query_row(params![id.0], |row| row.get::<_, Option<i64>>(0));
    Ok(number.map_err(sentence)?.is_some())
}

/// The bytes of a blob from the disk, down to the first base that is at hand.
fn decode(
    connection: &Connection,
    recent: &Recent,
    id: BlobId,
) -> Result<Option<Arc<[u8]>>, StoreError> {
    let Some(mut stored) = load(connection, id)? else { return Ok(None) };
    let mut above = Vec::new();
    let mut at_hand = None;
    while let Some(base) = stored.base {
        if above.len() > CHAIN_MAX as usize {
            return Err(damaged(id, "stands on too many others"));
        }
        at_hand = recent.get(BlobId(base));
        if at_hand.is_some() {
            break;
        }
        above.push(stored);
        let below = load(connection, BlobId(base))?;
        stored = below.ok_or_else(|| damaged(id, "stands on one that is gone"))?;
    }
    above.reverse();
    let bytes = decompress(&stored, at_hand.as_deref(), &above);
    let bytes = bytes.ok_or_else(|| damaged(id, "cannot be decoded"))?;
    if *blake3::hash(&bytes).as_bytes() != id.0 {
        return Err(damaged(id, "has other bytes than it was stored with"));
    }
    let bytes = Arc::from(bytes);
    recent.keep(id, &bytes);
    Ok(Some(bytes))
}

/// The bytes of the last of `above`, each of which stands on the one before it, and the first on
/// `lowest`. One context decodes as many as may be held at once, since to make one takes longer
/// than to decode a difference.
fn decompress(lowest: &Stored, base: Option<&[u8]>, above: &[Stored]) -> Option<Vec<u8>> {
    let largest = above.iter().map(|stored| stored.size).max().unwrap_or(0);
    let at_once = (RUN_BYTES_MAX / largest.max(1)).max(1);
    let (first, rest) = above.split_at(at_once.min(above.len()));
    let prefix = base.map(|base| prefix(Cow::Borrowed(base), lowest.size));
    let prefixes = places(first);
    let mut context = DCtx::create();
    let bytes = decompress_one(&mut context, lowest, prefix.as_deref())?;
    let bytes = decompress_run(&mut context, bytes, first, &prefixes)?;
    rest.chunks(at_once).try_fold(bytes, |bytes, run| {
        let prefixes = places(run);
        decompress_run(&mut DCtx::create(), bytes, run, &prefixes)
    })
}

/// Room for what each of a few differences is decoded with.
fn places<'p>(run: &[Stored]) -> Vec<OnceCell<Cow<'p, [u8]>>> {
    run.iter().map(|_| OnceCell::new()).collect()
}

/// The bytes of the last of a few differences; what each stands on is held until then.
fn decompress_run<'p>(
    context: &mut DCtx<'p>,
    base: Vec<u8>,
    run: &[Stored],
    prefixes: &'p [OnceCell<Cow<'p, [u8]>>],
) -> Option<Vec<u8>> {
    let mut bytes = base;
    for (stored, below) in run.iter().zip(prefixes) {
        let below = below.get_or_init(|| prefix(Cow::Owned(bytes), stored.size));
        bytes = decompress_one(context, stored, Some(below))?;
    }
    Some(bytes)
}

/// What a difference of `size` bytes is decoded with: its base, and [`KNOWN`] before that if it is
/// short. Differences count back from where they begin: one that was made with its base alone is
/// decoded with this, too.
fn prefix(base: Cow<'_, [u8]>, size: usize) -> Cow<'_, [u8]> {
    if size > KNOWN_BYTES_MAX {
        return base;
    }
    Cow::Owned([KNOWN, &base].concat())
}

/// Bounded by `size`, which is bounded by [`BLOB_BYTES_MAX`].
fn decompress_one<'b>(
    context: &mut DCtx<'b>,
    stored: &Stored,
    prefix: Option<&'b [u8]>,
) -> Option<Vec<u8>> {
    if stored.size > BLOB_BYTES_MAX {
        return None;
    }
    if stored.codec == RAW {
        return Some(stored.data.clone());
    }
    let mut bytes = Vec::with_capacity(stored.size);
    let prefix = if stored.codec == KNOWN_CODEC { Some(KNOWN) } else { prefix };
    if let Some(prefix) = prefix {
        context.ref_prefix(prefix).ok()?;
    }
    // Frames are stored without their magic number. Rows of earlier formats have it; no header
    // begins alike, since the magic number sets a bit that is reserved there.
    let frame = if stored.data.starts_with(&FRAME) {
        Cow::Borrowed(&*stored.data)
    } else {
        Cow::Owned([&FRAME, &*stored.data].concat())
    };
    context.decompress(&mut bytes, &frame[..]).ok()?;
    (bytes.len() == stored.size).then_some(bytes)
}

fn compress(bytes: &[u8], prefix: Option<&[u8]>) -> Result<Vec<u8>, StoreError> {
    let fail = |code| StoreError::Failed(format!("zstd: {}", get_error_name(code)));
    let span = bytes.len() + prefix.map_or(0, <[u8]>::len);
    let window = span.next_power_of_two().ilog2().clamp(10, 27);
    let mut context = CCtx::create();
    context.set_parameter(CParameter::CompressionLevel(LEVEL)).map_err(fail)?;
    context.set_parameter(CParameter::WindowLog(window)).map_err(fail)?;
    if span > FAR_BYTES {
        context.set_parameter(CParameter::EnableLongDistanceMatching(true)).map_err(fail)?;
    }
    if let Some(prefix) = prefix {
        context.ref_prefix(prefix).map_err(fail)?;
    }
    let mut packed = Vec::with_capacity(zstd::zstd_safe::compress_bound(bytes.len()));
    context.compress2(&mut packed, bytes).map_err(fail)?;
    packed.drain(..FRAME.len());
    Ok(packed)
}

/// Chooses the smallest form; a difference that saves less than a fifth is not worth its base.
fn encode(bytes: &[u8], bases: &[Base]) -> Result<Stored, StoreError> {
    let size = bytes.len();
    let raw = |data| Stored { codec: RAW, base: None, depth: 0, size, data };
    if size < COMPRESSED_BYTES_MIN {
        return Ok(raw(bytes.to_vec()));
    }
    let delta = |base: &Base| compress(bytes, Some(&prefix(Cow::Borrowed(&base.bytes), size)));
    let deltas = bases.iter().map(|base| Ok((base, delta(base)?)));
    let deltas = deltas.collect::<Result<Vec<_>, StoreError>>()?;
    let delta = deltas.into_iter().min_by_key(|(_, data)| data.len());
    // A page alone is seldom packed so tightly.
    if let Some((base, data)) = &delta
        && data.len() < size / 8
    {
        return Ok(difference(base, data.clone(), size));
    }
    let (codec, known) = match size {
        ..=KNOWN_BYTES_MAX => (KNOWN_CODEC, Some(KNOWN)),
        _ => (ZSTD, None),
    };
    let plain = compress(bytes, known)?;
    match delta {
        Some((base, data)) if data.len() < size && data.len() * 5 < plain.len() * 4 => {
            Ok(difference(base, data, size))
        }
        _ if plain.len() < size => Ok(Stored { codec, base: None, depth: 0, size, data: plain }),
        _ => Ok(raw(bytes.to_vec())),
    }
}

fn difference(base: &Base, data: Vec<u8>, size: usize) -> Stored {
    Stored { codec: DELTA, base: Some(base.id.0), depth: base.depth + 1, size, data }
}

impl Writer<'_> {
    pub(crate) fn has_blob(&self, id: BlobId) -> Result<bool, StoreError> {
        is_stored(self.connection, id)
    }

    /// Stores bytes that are not stored yet, as a difference from one of `bases` where that helps.
    pub(crate) fn put_blob(
        &self,
        id: BlobId,
        bytes: &Arc<[u8]>,
        bases: Vec<BlobId>,
    ) -> Result<(), StoreError> {
        let bases = bases.into_iter().filter(|base| *base != id);
        let bases = bases.filter_map(|base| self.base(base).transpose());
        let stored = encode(bytes, &bases.collect::<Result<Vec<_>, _>>()?)?;
        static SQL: LazyLock<String> = LazyLock::new(|| {
            let base = number_of(3);
            format!(
                "INSERT INTO blobs (id, codec, base, depth, size, data)
                 VALUES (?1, ?2, {base}, ?4, ?5, ?6)"
            )
        });
        let Stored { codec, base, depth, size, data } = stored;
        self.run(&SQL, params![id.0, codec, base, depth, size as u32, data])?;
        self.recent.keep(id, bytes);
        Ok(())
    }

    /// `id` as a base, if it can be read, is not too large and not too far from a full one.
    fn base(&self, id: BlobId) -> Result<Option<Base>, StoreError> {
        static SQL: LazyLock<String> = LazyLock::new(|| {
            format!("SELECT depth, size FROM blobs WHERE number = {}", number_of(1))
        });
        let mut statement = self.connection.prepare_cached(&SQL).map_err(sentence)?;
        let known = statement.query_row(params![id.0], |row| Ok((row.get(0)?, row.get(1)?)));
        let depth = match known.optional().map_err(sentence)? {
            Some((depth, size)) if base_is_fit(depth, size) => depth,
            _ => return Ok(None),
        };
        match read(self.connection, self.recent, id) {
            Ok(bytes) => Ok(bytes.map(|bytes| Base { id, depth, bytes })),
            // Whoever asks for it is told; what comes after it is stored all the same.
            Err(StoreError::Damaged(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Encodes the stored blob of a number anew on another base, or on none.
    pub(crate) fn rebase(&self, number: i64, base: Option<i64>) -> Result<(), StoreError> {
        let (id, base) = (self.blob(number)?, base.map(|base| self.blob(base)).transpose()?);
        let decoded = read(self.connection, self.recent, id)?;
        let bytes = decoded.ok_or_else(|| damaged(id, "is gone"))?;
        let base = base.map(|base| self.base(base)).transpose()?;
        let Stored { codec, base, data, .. } = encode(&bytes, base.flatten().as_slice())?;
        // The depth stays: those that stand on this blob count from it, and it only bounds.
        static SQL: LazyLock<String> = LazyLock::new(|| {
            let base = number_of(3);
            format!("UPDATE blobs SET codec = ?2, base = {base}, data = ?4 WHERE number = ?1")
        });
        self.run(&SQL, params![number, codec, base, data]).map(drop)
    }

    /// The name of the blob of a number.
    fn blob(&self, number: i64) -> Result<BlobId, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT id FROM blobs WHERE number = ?1")
            .map_err(sentence)?;
        statement.query_row([number], |row| row.get(0).map(BlobId)).map_err(sentence)
    }
}

fn base_is_fit(depth: u32, size: u32) -> bool {
    depth < CHAIN_MAX && size as usize <= BASE_BYTES_MAX
}
