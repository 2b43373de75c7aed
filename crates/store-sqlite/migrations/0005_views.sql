-- The fifth format. Each section says what it is for; what was released is never edited.

-- Extracts by view, each with the number of its extractor; that of the whole page has no name.
CREATE TABLE extracts (
  source INTEGER NOT NULL,
  version INTEGER NOT NULL,
  view TEXT NOT NULL,
  extractor INTEGER NOT NULL,
  extract BLOB NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (source, version, view)
) STRICT, WITHOUT ROWID;
CREATE INDEX extracts_extract ON extracts (extract);
INSERT INTO extracts SELECT source, number, '', extractor, extract FROM versions;

DROP TRIGGER versions_loosen;
DROP TRIGGER versions_rename;
DROP INDEX versions_extract;
ALTER TABLE versions DROP COLUMN extract;
ALTER TABLE versions DROP COLUMN extractor;

-- The extracts of a version go with it.
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
