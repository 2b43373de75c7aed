-- The first format. Times are milliseconds since the Unix epoch, spans milliseconds.

CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  instance BLOB NOT NULL,
  epoch INTEGER NOT NULL,
  next_sentinel INTEGER NOT NULL,
  next_source INTEGER NOT NULL,
  next_stream INTEGER NOT NULL,
  next_detection INTEGER NOT NULL,
  next_notification INTEGER NOT NULL,
  next_channel INTEGER NOT NULL
) STRICT;

-- Bytes by their BLAKE3 hash. codec: 0 as they are, 1 zstd, 2 zstd with the bytes of `base` as
-- prefix. `depth` bounds the number of bases below from above; `size` counts decoded bytes.
CREATE TABLE blobs (
  id BLOB NOT NULL UNIQUE,
  codec INTEGER NOT NULL,
  base BLOB REFERENCES blobs (id),
  depth INTEGER NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL,
  CHECK ((codec = 2) = (base IS NOT NULL))
) STRICT;
CREATE INDEX blobs_base ON blobs (base) WHERE base IS NOT NULL;

-- Blobs that lost a row which named them; the sweep looks here only.
CREATE TABLE loose (blob BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE sentinels (
  id INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  name TEXT NOT NULL,
  generation INTEGER NOT NULL,
  text TEXT NOT NULL,
  source INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  defined_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sentinel_lives (
  id INTEGER PRIMARY KEY,
  state TEXT NOT NULL,
  since INTEGER,
  until INTEGER,
  stream INTEGER,
  first_index INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  not_evaluated TEXT NOT NULL
) STRICT;

CREATE TABLE transitions (
  id INTEGER PRIMARY KEY,
  sentinel INTEGER NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  cause TEXT NOT NULL,
  UNIQUE (sentinel, at, state)
) STRICT;

CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  extractor INTEGER NOT NULL,
  last_success INTEGER,
  last_unconditional INTEGER,
  etag TEXT,
  last_modified TEXT,
  validators_url TEXT NOT NULL,
  failures INTEGER NOT NULL,
  failing_since INTEGER,
  failing_told INTEGER NOT NULL
) STRICT;

-- Sources that were removed and may have versions left; the sweep looks here only.
CREATE TABLE sources_gone (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE schedule (
  source INTEGER PRIMARY KEY,
  last_probe INTEGER,
  last_success INTEGER,
  failures INTEGER NOT NULL,
  probes INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  -- How often it changes: two posteriors (changes, seconds watched), the score between them, and
  -- the changes seen, discounted.
  fast_items REAL NOT NULL,
  fast_exposure REAL NOT NULL,
  slow_items REAL NOT NULL,
  slow_exposure REAL NOT NULL,
  lead REAL NOT NULL,
  changed REAL NOT NULL,
  -- How much better the pattern of the week foretold its changes than chance.
  score REAL NOT NULL
) STRICT;

-- Changes found by hour of the week, from Thursday 0:00 UTC on: 168 floats of four bytes, little
-- endian, of the weeks before `discounted`, and 168 of that under way.
CREATE TABLE week (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  discounted INTEGER NOT NULL,
  hours BLOB NOT NULL
) STRICT;

-- A ring: slot is number modulo 100.
CREATE TABLE probes (
  source INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  start INTEGER NOT NULL,
  took INTEGER NOT NULL,
  body_bytes INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  version INTEGER,
  status INTEGER,
  failure TEXT,
  reason TEXT NOT NULL,
  reason_value INTEGER,
  PRIMARY KEY (source, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
  source INTEGER NOT NULL,
  number INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  extractor INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body BLOB NOT NULL REFERENCES blobs (id),
  extract BLOB NOT NULL REFERENCES blobs (id),
  status INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  final_url TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  modified_at INTEGER,
  summary TEXT NOT NULL,
  PRIMARY KEY (source, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX versions_body ON versions (body);
CREATE INDEX versions_extract ON versions (extract);

-- elements: [[index, version, fetched_at], …]
CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL,
  spec TEXT NOT NULL,
  t0 INTEGER,
  period_unit TEXT,
  period INTEGER,
  slack INTEGER,
  zone TEXT,
  elements TEXT NOT NULL,
  last_fingerprint BLOB NOT NULL,
  next_ei INTEGER NOT NULL
) STRICT;

CREATE TABLE rounds (
  stream INTEGER NOT NULL,
  number INTEGER NOT NULL,
  source INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  PRIMARY KEY (stream, number)
) STRICT, WITHOUT ROWID;

-- combinations: [[[comparison, leaf], …], …]
CREATE TABLE detections (
  id INTEGER PRIMARY KEY,
  sentinel INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  source INTEGER NOT NULL,
  from_version INTEGER NOT NULL,
  to_version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  result BLOB NOT NULL REFERENCES blobs (id),
  combinations TEXT NOT NULL
) STRICT;
CREATE INDEX detections_sentinel ON detections (sentinel, id);
CREATE INDEX detections_source ON detections (source, sentinel, id);
CREATE INDEX detections_result ON detections (result);
CREATE INDEX detections_at ON detections (at, id);

CREATE TABLE channels (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  contact TEXT,
  disabled TEXT
) STRICT;

-- members: [detection, …]. state_at: when an open row closes, a due one is due, a finished one
-- ended. due_at: the order in which due and closed rows are taken.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  sentinel INTEGER,
  generation INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  members TEXT NOT NULL,
  more INTEGER NOT NULL,
  source INTEGER,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  body BLOB REFERENCES blobs (id),
  attempts INTEGER NOT NULL,
  first_attempt INTEGER,
  state TEXT NOT NULL,
  state_at INTEGER,
  state_reason TEXT,
  read INTEGER NOT NULL,
  due_at INTEGER
) STRICT;
CREATE INDEX outbox_sentinel ON outbox (sentinel, id);
CREATE INDEX outbox_body ON outbox (body) WHERE body IS NOT NULL;
CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_unfinished ON outbox (channel, state, id)
  WHERE state IN ('open', 'closed', 'due');
CREATE INDEX outbox_unfinished_of ON outbox (sentinel)
  WHERE state IN ('open', 'closed', 'due');
CREATE INDEX outbox_finished ON outbox (state_at, id)
  WHERE state IN ('delivered', 'given up', 'cancelled');

-- How far retention has come in 'outbox' and 'detections': it goes on after this time and id.
CREATE TABLE prunings (
  what TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A ring: slot is number modulo 50.
CREATE TABLE attempts (
  notification INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  result TEXT NOT NULL,
  reason TEXT,
  after INTEGER,
  PRIMARY KEY (notification, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE hosts_held (host TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- (OR IGNORE would not do: in a trigger the policy of the statement outside holds.)
CREATE TRIGGER versions_loosen AFTER DELETE ON versions BEGIN
  INSERT INTO loose SELECT old.body
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.body);
  INSERT INTO loose SELECT old.extract
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.extract);
END;
CREATE TRIGGER versions_rename AFTER UPDATE OF body, extract ON versions
WHEN old.body IS NOT new.body OR old.extract IS NOT new.extract BEGIN
  INSERT INTO loose SELECT old.body
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.body);
  INSERT INTO loose SELECT old.extract
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.extract);
END;
CREATE TRIGGER detections_loosen AFTER DELETE ON detections BEGIN
  INSERT INTO loose SELECT old.result
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.result);
END;
CREATE TRIGGER detections_rename AFTER UPDATE OF result ON detections
WHEN old.result IS NOT new.result BEGIN
  INSERT INTO loose SELECT old.result
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.result);
END;
CREATE TRIGGER outbox_loosen AFTER DELETE ON outbox WHEN old.body IS NOT NULL BEGIN
  INSERT INTO loose SELECT old.body
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.body);
END;
CREATE TRIGGER outbox_rename AFTER UPDATE OF body ON outbox
WHEN old.body IS NOT NULL AND old.body IS NOT new.body BEGIN
  INSERT INTO loose SELECT old.body
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.body);
END;
