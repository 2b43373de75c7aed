-- The third format. Each section says what it is for; what was released is never edited.

-- Evidence: what a detection rests on is a list. A leaf of a combination says which piece of it
-- holds it: [[[place, comparison, leaf], …], …].
CREATE TABLE evidence (
  detection INTEGER NOT NULL,
  place INTEGER NOT NULL,
  source INTEGER NOT NULL,
  from_version INTEGER NOT NULL,
  to_version INTEGER NOT NULL,
  result BLOB NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (detection, place)
) STRICT, WITHOUT ROWID;
INSERT INTO evidence (detection, place, source, from_version, to_version, result)
  SELECT id, 0, source, from_version, to_version, result FROM detections;
CREATE INDEX evidence_source ON evidence (source, detection);
CREATE INDEX evidence_result ON evidence (result);

UPDATE detections SET combinations = (
  SELECT json_group_array(json(leaves)) FROM (
    SELECT (
      SELECT json_group_array(
        json_array(0, json_extract(leaf.value, '$[0]'), json_extract(leaf.value, '$[1]'))
      ) FROM json_each(combination.value) AS leaf
    ) AS leaves
    FROM json_each(detections.combinations) AS combination
  )
) WHERE json_valid(combinations);

DROP TRIGGER detections_loosen;
DROP TRIGGER detections_rename;
DROP INDEX detections_source;
DROP INDEX detections_result;
ALTER TABLE detections DROP COLUMN source;
ALTER TABLE detections DROP COLUMN from_version;
ALTER TABLE detections DROP COLUMN to_version;
ALTER TABLE detections DROP COLUMN result;

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
