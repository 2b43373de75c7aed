-- The sixth format. Each section says what it is for; what was released is never edited.

-- Since when a selector of a sentinel finds nothing, if that was told.
ALTER TABLE sentinel_lives ADD COLUMN blind INTEGER;
