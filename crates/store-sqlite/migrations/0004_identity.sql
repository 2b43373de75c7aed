-- The fourth format: whose things are, and what they are called. Each section says what it is for;
-- what was released is never edited.

-- Owners: how much each has made. An id is its owner less one, shifted by 40 bits, and a number:
-- what was made before there were owners is the first one's, with the ids it has.
CREATE TABLE owners (
  id INTEGER PRIMARY KEY,
  next_sentinel INTEGER NOT NULL,
  next_detection INTEGER NOT NULL,
  next_notification INTEGER NOT NULL,
  next_channel INTEGER NOT NULL
) STRICT;
INSERT INTO owners SELECT 1, next_sentinel, next_detection, next_notification, next_channel
  FROM meta WHERE next_sentinel > 0;
ALTER TABLE meta DROP COLUMN next_sentinel;
ALTER TABLE meta DROP COLUMN next_detection;
ALTER TABLE meta DROP COLUMN next_notification;
ALTER TABLE meta DROP COLUMN next_channel;
ALTER TABLE sentinels DROP COLUMN owner;
ALTER TABLE applying ADD COLUMN owner INTEGER NOT NULL DEFAULT 1;

-- Sources: how each is looked at, and whose it is if it takes credentials; others are shared. way:
-- null for a plain GET, else [method, [[header, value], …], rendering, credentials].
ALTER TABLE sources ADD COLUMN way TEXT;
ALTER TABLE sources ADD COLUMN owner INTEGER;
-- User and password stand between `//` and the next `/`, which a path may hold an `@` after.
WITH behind AS (SELECT id, substr(url, instr(url, '://') + 3) || '/' AS text FROM sources)
UPDATE sources SET owner = 1 WHERE id IN (
  SELECT id FROM behind WHERE instr(substr(text, 1, instr(text, '/')), '@') > 0
);

-- Streams are counted by their source: an id is the source, shifted by 32 bits, and a number.
ALTER TABLE sources ADD COLUMN next_stream INTEGER NOT NULL DEFAULT 1;
ALTER TABLE meta DROP COLUMN next_stream;
CREATE TABLE renamed (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
INSERT INTO renamed
  SELECT id, source << 32 | row_number() OVER (PARTITION BY source ORDER BY id) FROM streams;
UPDATE sources SET next_stream = 1 + (SELECT count(*) FROM streams WHERE source = sources.id);
UPDATE streams SET id = (SELECT new FROM renamed WHERE old = streams.id);
-- A stream that a damaged store has lost keeps a name that no other will have.
UPDATE sentinel_lives SET stream = (SELECT new FROM renamed WHERE old = stream)
  WHERE stream IN (SELECT old FROM renamed);
UPDATE rounds SET stream = (SELECT new FROM renamed WHERE old = stream)
  WHERE stream IN (SELECT old FROM renamed);
DROP TABLE renamed;

-- Hosts: until when each is left alone, and how often in a row it asked for that.
CREATE TABLE hosts (
  name TEXT PRIMARY KEY,
  held_until INTEGER,
  holds INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO hosts SELECT host, until, 0 FROM hosts_held;
DROP TABLE hosts_held;
