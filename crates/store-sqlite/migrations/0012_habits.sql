-- What a source's pages do at most looks, as far as a version; `learned` is read by the comparison.
CREATE TABLE habits (
  source INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  learned BLOB NOT NULL
) STRICT;

-- Quiet things of a source that a person wants to hear of.
CREATE TABLE loud (
  source INTEGER NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;
