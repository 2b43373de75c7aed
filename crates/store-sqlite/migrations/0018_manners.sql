-- How a channel fares: when its pause ends, since when it takes nothing, and whether another channel
-- has told of that.
ALTER TABLE channels ADD COLUMN next_at INTEGER;
ALTER TABLE channels ADD COLUMN failing_since INTEGER;
ALTER TABLE channels ADD COLUMN failing_told INTEGER NOT NULL DEFAULT 0;

-- The holder of a token knows of sentinels with this tag alone; null: of all.
ALTER TABLE tokens ADD COLUMN tag TEXT;
