-- What many rows say alike is said briefly. In a column of type ANY a number stands for a text that
-- is well known (`rows/known.rs`); any other text stands there itself, and so does all that older
-- rows say. Times of a notification count from when it was created. Rows that are old are found by
-- their ids, which come in order of time.
CREATE TABLE probes_briefly (
  source INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  start INTEGER NOT NULL,
  took INTEGER NOT NULL,
  body_bytes INTEGER NOT NULL,
  outcome ANY NOT NULL,
  version INTEGER,
  status INTEGER,
  failure TEXT,
  reason ANY NOT NULL,
  reason_value INTEGER,
  wire_bytes INTEGER NOT NULL,
  led_to TEXT,
  PRIMARY KEY (source, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO probes_briefly
  SELECT source, slot, number, start, took, body_bytes, outcome, version, status, failure, reason,
    reason_value, wire_bytes, led_to
  FROM probes;

-- final_url: null where it is the address of the source. summary: the counts alone, as bytes, where
-- it says nothing else of a page.
CREATE TABLE versions_briefly (
  source INTEGER NOT NULL,
  number INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  held INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  kind ANY NOT NULL,
  odd ANY,
  body INTEGER NOT NULL REFERENCES blobs (number),
  status INTEGER NOT NULL,
  media_type ANY NOT NULL,
  final_url TEXT,
  etag TEXT,
  last_modified TEXT,
  modified_at INTEGER,
  summary ANY NOT NULL,
  PRIMARY KEY (source, number)
) STRICT, WITHOUT ROWID;
INSERT INTO versions_briefly
  SELECT source, number, fetched_at, held, fingerprint, kind, odd, body, status, media_type,
    nullif(final_url, (SELECT url FROM sources WHERE id = source)), etag, last_modified,
    modified_at, summary
  FROM versions;

CREATE TABLE detections_briefly (
  id INTEGER PRIMARY KEY,
  sentinel INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  combinations ANY NOT NULL,
  parts ANY NOT NULL,
  follow TEXT
) STRICT;
INSERT INTO detections_briefly
  SELECT id, sentinel, generation, at, seq, combinations, parts, follow FROM detections;

-- key: the 16 bytes of 32 hexadecimal digits. members: a number, if there is one. state: its place
-- among open, closed, due, delivered, given up and cancelled. What ends in `after` counts from
-- created_at. arrived_after: when the first attempt began, if that delivered it; such an attempt has
-- no row in `attempts`.
CREATE TABLE outbox_briefly (
  id INTEGER PRIMARY KEY,
  key ANY NOT NULL,
  kind ANY NOT NULL,
  sentinel INTEGER,
  generation INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  members ANY NOT NULL,
  more INTEGER NOT NULL,
  source INTEGER,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  closed_after INTEGER,
  body INTEGER REFERENCES blobs (number),
  attempts INTEGER NOT NULL,
  first_after INTEGER,
  tries INTEGER NOT NULL,
  tried_up INTEGER NOT NULL,
  tried_after INTEGER,
  state INTEGER NOT NULL,
  state_after INTEGER,
  state_reason TEXT,
  read INTEGER NOT NULL,
  due_at INTEGER,
  arrived_after INTEGER
) STRICT;
INSERT INTO outbox_briefly
  SELECT id,
    CASE WHEN length(key) = 32 AND key NOT GLOB '*[^0-9a-f]*' THEN unhex(key) ELSE key END,
    kind, sentinel, generation, channel, seq, members, more, source, note, created_at,
    CAST(closed_at - created_at AS INTEGER), body, attempts,
    CAST(first_attempt - created_at AS INTEGER), tries, tried_up,
    CAST(tried_at - created_at AS INTEGER),
    CASE state WHEN 'open' THEN 0 WHEN 'closed' THEN 1 WHEN 'due' THEN 2
      WHEN 'delivered' THEN 3 WHEN 'given up' THEN 4 WHEN 'cancelled' THEN 5 ELSE 6 END,
    CAST(state_at - created_at AS INTEGER), state_reason, read, due_at,
    (SELECT CAST(at - created_at AS INTEGER) FROM attempts
      WHERE notification = outbox.id AND number = 1 AND result = 'delivered')
  FROM outbox;

CREATE TABLE attempts_briefly (
  notification INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  result ANY NOT NULL,
  reason TEXT,
  after INTEGER,
  PRIMARY KEY (notification, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO attempts_briefly
  SELECT notification, slot, number, at, result, reason, after FROM attempts
  WHERE number <> 1 OR result <> 'delivered' OR notification NOT IN (SELECT id FROM outbox);

-- Triggers and indexes go with their tables.
DROP TABLE probes;
DROP TABLE versions;
DROP TABLE detections;
DROP TABLE outbox;
DROP TABLE attempts;
ALTER TABLE probes_briefly RENAME TO probes;
ALTER TABLE versions_briefly RENAME TO versions;
ALTER TABLE detections_briefly RENAME TO detections;
ALTER TABLE outbox_briefly RENAME TO outbox;
ALTER TABLE attempts_briefly RENAME TO attempts;
DELETE FROM prunings;
ALTER TABLE prunings DROP COLUMN at;

CREATE INDEX versions_body ON versions (body);
CREATE INDEX detections_sentinel ON detections (sentinel, id);
CREATE INDEX outbox_sentinel ON outbox (sentinel, id);
CREATE INDEX outbox_body ON outbox (body) WHERE body IS NOT NULL;
CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_unfinished ON outbox (channel, state, id) WHERE state < 3;
CREATE INDEX outbox_unfinished_of ON outbox (sentinel) WHERE state < 3;

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
-- Its versions keep the address that it had.
CREATE TRIGGER sources_moved BEFORE UPDATE OF url ON sources WHEN old.url IS NOT new.url BEGIN
  UPDATE versions SET final_url = old.url WHERE source = old.id AND final_url IS NULL;
END;
CREATE TRIGGER sources_gone_from BEFORE DELETE ON sources BEGIN
  UPDATE versions SET final_url = old.url WHERE source = old.id AND final_url IS NULL;
END;
CREATE TRIGGER detections_gone AFTER DELETE ON detections BEGIN
  DELETE FROM evidence WHERE detection = old.id;
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
