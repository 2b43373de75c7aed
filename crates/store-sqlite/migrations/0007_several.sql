-- The seventh format. Each section says what it is for; what was released is never edited.

-- A sentinel's further sources, and where it stands with each: lists, in the order written.
ALTER TABLE sentinels ADD COLUMN others TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sentinel_lives ADD COLUMN others TEXT NOT NULL DEFAULT '[]';

-- What a stream of captures of several sources has beside its elements.
ALTER TABLE streams ADD COLUMN captures TEXT;
