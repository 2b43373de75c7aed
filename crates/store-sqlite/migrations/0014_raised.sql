-- The last keys under which people raised an event, 16 bytes each, oldest first.
ALTER TABLE events ADD COLUMN keys BLOB NOT NULL DEFAULT x'';
