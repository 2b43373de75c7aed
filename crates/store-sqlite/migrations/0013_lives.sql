-- When a life started, and when it begins and ends where that counts from another life.
ALTER TABLE sentinel_lives ADD COLUMN started INTEGER;
ALTER TABLE sentinel_lives ADD COLUMN from_at INTEGER;
ALTER TABLE sentinel_lives ADD COLUMN to_at INTEGER;
UPDATE sentinel_lives SET started = since;
