-- Until when a sentinel is snoozed, and when one that somebody removed is gone.
ALTER TABLE sentinel_lives ADD COLUMN snoozed INTEGER;
ALTER TABLE sentinel_lives ADD COLUMN going INTEGER;
