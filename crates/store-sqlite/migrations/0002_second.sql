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

-- What a probe's answer took on the wire, compressed; 0 for probes of the first release.
ALTER TABLE probes ADD COLUMN wire_bytes INTEGER NOT NULL DEFAULT 0;
