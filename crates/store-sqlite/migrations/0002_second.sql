-- The second format. Each section says what it is for; what was released is never edited.

-- Clocks: the newest time that anything was written at. A clock behind it is doubted.
ALTER TABLE meta ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET newest = (
  SELECT max(at) FROM (
    SELECT 0 AS at
    UNION ALL SELECT max(defined_at) FROM sentinels
    UNION ALL SELECT max(at) FROM transitions
    UNION ALL SELECT max(start) FROM probes
    UNION ALL SELECT max(fetched_at) FROM versions
    UNION ALL SELECT max(at) FROM detections
    UNION ALL SELECT max(created_at) FROM outbox
    UNION ALL SELECT max(at) FROM attempts
  )
);

-- Giving up: tries since a row was queued or sent again, how long the server was up between them,
-- and when the last one ended. Rows on their way begin their day of trying anew.
ALTER TABLE outbox ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN tried_up INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN tried_at INTEGER;

-- Health: since when its source fails, as each sentinel was told. The first release told those who
-- were active when the source was found to fail.
ALTER TABLE sentinel_lives ADD COLUMN failing_told INTEGER;
UPDATE sentinel_lives SET failing_told = (
  SELECT sources.failing_since FROM sentinels JOIN sources ON sources.id = sentinels.source
  WHERE sentinels.id = sentinel_lives.id AND sources.failing_told
    AND (sentinel_lives.since <= sources.failing_since OR EXISTS (
      SELECT 1 FROM outbox WHERE outbox.sentinel = sentinels.id AND outbox.source = sources.id
        AND outbox.kind = 'source.failing' AND outbox.created_at >= sources.failing_since
    ))
);

-- What a probe's answer took on the wire, compressed; 0 for probes of the first release.
ALTER TABLE probes ADD COLUMN wire_bytes INTEGER NOT NULL DEFAULT 0;

-- Who may come in: tokens made with the data directory's, and sessions of browsers. `hash` is
-- BLAKE3 of a secret that is nowhere; `lineage` is a hash of the data directory's token.
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  lineage BLOB NOT NULL,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  lineage BLOB NOT NULL,
  token INTEGER,
  scope TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  agent TEXT NOT NULL,
  address TEXT NOT NULL
) STRICT;

-- Looks without a clock begin spread over their period: 0 until those of the first release are.
ALTER TABLE meta ADD COLUMN spread INTEGER NOT NULL DEFAULT 0;

-- Doubtful answers: what a source holds back until a second look decides, the kinds of content
-- that a stream showed, and which versions count for no comparison. kinds: words; last_fingerprint
-- has one fingerprint for each. elements: [[index, version, fetched_at], …], or with three more
-- fields where a stream showed several kinds: "within", history, number; "begins", history, the
-- index it is told against; "aside", 0, that index.
ALTER TABLE sources ADD COLUMN kind TEXT NOT NULL DEFAULT 'html';
ALTER TABLE sources ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN held_version INTEGER;
ALTER TABLE sources ADD COLUMN held_fingerprint BLOB;
ALTER TABLE sources ADD COLUMN held_kind TEXT;
ALTER TABLE sources ADD COLUMN held_odd TEXT;
ALTER TABLE sources ADD COLUMN held_seen INTEGER;
ALTER TABLE sources ADD COLUMN held_confirmed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN odd TEXT;
ALTER TABLE streams ADD COLUMN kinds TEXT NOT NULL DEFAULT '';
ALTER TABLE streams ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
UPDATE sources SET newest = version, kind = coalesce((
  SELECT kind FROM versions WHERE source = sources.id AND number = sources.version
), 'html');
UPDATE streams SET kinds = coalesce((
  SELECT kind FROM versions
  WHERE source = streams.source AND number = json_extract(streams.elements, '$[#-1][1]')
), 'html') WHERE json_array_length(elements) > 0;

-- What redirects taught of a source: where they lead, where a look goes on, who wants a pause.
ALTER TABLE sources ADD COLUMN redirect_to TEXT;
ALTER TABLE sources ADD COLUMN redirect_looks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN redirect_asked INTEGER;
ALTER TABLE sources ADD COLUMN unfinished_at TEXT;
ALTER TABLE sources ADD COLUMN unfinished_hops INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN pause_host TEXT;
ALTER TABLE sources ADD COLUMN pause_until INTEGER;

-- Where redirects led a probe.
ALTER TABLE probes ADD COLUMN led_to TEXT;

-- One row: what is left of a large file while it is applied a piece per step. `now` is what the word
-- means in it; texts: ["create sentinel …", …].
CREATE TABLE applying (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  now INTEGER NOT NULL,
  texts TEXT NOT NULL
) STRICT;
