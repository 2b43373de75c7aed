-- Blobs have numbers, and whoever names one names its number: 3 bytes where its hash had 32, in each
-- table and index. A blob is found by the first bytes of its hash; the whole of it is compared.
CREATE TABLE numbered (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  codec INTEGER NOT NULL,
  base INTEGER REFERENCES numbered (number),
  depth INTEGER NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL,
  CHECK ((codec = 2) = (base IS NOT NULL))
) STRICT;
INSERT INTO numbered
  SELECT rowid, id, codec, (SELECT below.rowid FROM blobs AS below WHERE below.id = blobs.base),
    depth, size, data
  FROM blobs ORDER BY rowid;

CREATE TABLE versions_by_number (
  source INTEGER NOT NULL,
  number INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  held INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  kind TEXT NOT NULL,
  odd TEXT,
  body INTEGER NOT NULL REFERENCES numbered (number),
  status INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  final_url TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  modified_at INTEGER,
  summary TEXT NOT NULL,
  PRIMARY KEY (source, number)
) STRICT, WITHOUT ROWID;
INSERT INTO versions_by_number
  SELECT source, number, fetched_at, held, fingerprint, kind, odd,
    (SELECT rowid FROM blobs WHERE id = body), status, media_type, final_url, etag, last_modified,
    modified_at, summary
  FROM versions;

CREATE TABLE extracts_by_number (
  source INTEGER NOT NULL,
  version INTEGER NOT NULL,
  view TEXT NOT NULL,
  extractor INTEGER NOT NULL,
  extract INTEGER NOT NULL REFERENCES numbered (number),
  PRIMARY KEY (source, version, view)
) STRICT, WITHOUT ROWID;
INSERT INTO extracts_by_number
  SELECT source, version, view, extractor, (SELECT rowid FROM blobs WHERE id = extract)
  FROM extracts;

CREATE TABLE evidence_by_number (
  detection INTEGER NOT NULL,
  place INTEGER NOT NULL,
  source INTEGER NOT NULL,
  from_version INTEGER NOT NULL,
  to_version INTEGER NOT NULL,
  result INTEGER NOT NULL REFERENCES numbered (number),
  PRIMARY KEY (detection, place)
) STRICT, WITHOUT ROWID;
INSERT INTO evidence_by_number
  SELECT detection, place, source, from_version, to_version,
    (SELECT rowid FROM blobs WHERE id = result)
  FROM evidence;

CREATE TABLE outbox_by_number (
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
  body INTEGER REFERENCES numbered (number),
  attempts INTEGER NOT NULL,
  first_attempt INTEGER,
  tries INTEGER NOT NULL,
  tried_up INTEGER NOT NULL,
  tried_at INTEGER,
  state TEXT NOT NULL,
  state_at INTEGER,
  state_reason TEXT,
  read INTEGER NOT NULL,
  due_at INTEGER
) STRICT;
INSERT INTO outbox_by_number
  SELECT id, key, kind, sentinel, generation, channel, seq, members, more, source, note, created_at,
    closed_at, (SELECT rowid FROM blobs WHERE id = body), attempts, first_attempt, tries, tried_up,
    tried_at, state, state_at, state_reason, read, due_at
  FROM outbox;

CREATE TABLE loose_by_number (blob INTEGER PRIMARY KEY) STRICT;
INSERT INTO loose_by_number SELECT blobs.rowid FROM loose JOIN blobs ON blobs.id = loose.blob;

-- Triggers and indexes go with their tables.
DROP TRIGGER detections_gone;
DROP TABLE versions;
DROP TABLE extracts;
DROP TABLE evidence;
DROP TABLE outbox;
DROP TABLE loose;
DROP TABLE blobs;
ALTER TABLE numbered RENAME TO blobs;
ALTER TABLE versions_by_number RENAME TO versions;
ALTER TABLE extracts_by_number RENAME TO extracts;
ALTER TABLE evidence_by_number RENAME TO evidence;
ALTER TABLE outbox_by_number RENAME TO outbox;
ALTER TABLE loose_by_number RENAME TO loose;

CREATE INDEX blobs_id ON blobs (substr(id, 1, 5));
CREATE INDEX blobs_base ON blobs (base) WHERE base IS NOT NULL;
CREATE INDEX versions_body ON versions (body);
CREATE INDEX extracts_extract ON extracts (extract);
CREATE INDEX evidence_source ON evidence (source, detection);
CREATE INDEX evidence_result ON evidence (result);
CREATE INDEX outbox_sentinel ON outbox (sentinel, id);
CREATE INDEX outbox_body ON outbox (body) WHERE body IS NOT NULL;
CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_unfinished ON outbox (channel, state, id)
  WHERE state IN ('open', 'closed', 'due');
CREATE INDEX outbox_unfinished_of ON outbox (sentinel)
  WHERE state IN ('open', 'closed', 'due');
CREATE INDEX outbox_finished ON outbox (state_at, id)
  WHERE state IN ('delivered', 'given up', 'cancelled');

CREATE TRIGGER versions_loosen AFTER DELETE ON versions BEGIN
  DELETE FROM extracts WHERE source = old.source AND version = old.number;
  INSERT INTO loose SELECT old.body
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.body);
END;
CREATE TRIGGER versions_rename AFTER UPDATE OF body ON versions
WHEN old.body IS NOT new.body BEGIN
  INSERT INTO loose SELECT old.body
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.body);
END;
CREATE TRIGGER extracts_loosen AFTER DELETE ON extracts BEGIN
  INSERT INTO loose SELECT old.extract
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.extract);
END;
CREATE TRIGGER detections_gone AFTER DELETE ON detections BEGIN
  DELETE FROM evidence WHERE detection = old.id;
END;
CREATE TRIGGER evidence_loosen AFTER DELETE ON evidence BEGIN
  INSERT INTO loose SELECT old.result
    WHERE NOT EXISTS (SELECT 1 FROM loose WHERE blob = old.result);
END;
CREATE TRIGGER evidence_rename AFTER UPDATE OF result ON evidence
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
