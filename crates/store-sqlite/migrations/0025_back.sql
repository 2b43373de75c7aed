-- Whether a sentinel was told what a page has become, or that it fails; and since when it is back,
-- where that is yet to be told.
ALTER TABLE sentinel_lives ADD COLUMN told_of_page INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sentinel_lives ADD COLUMN back_at INTEGER;
ALTER TABLE sentinel_lives ADD COLUMN back_as_before INTEGER NOT NULL DEFAULT 0;
-- Who was told what a page had become was told so a millisecond before it failed.
UPDATE sentinel_lives SET told_of_page = 1, failing_told = failing_told + 1
    WHERE failing_told + 1 = (SELECT sources.failing_since FROM sources, sentinels
        WHERE sentinels.id = sentinel_lives.id AND sources.id = sentinels.source);
-- So it is with further sources, where the time stands third in their place.
UPDATE sentinel_lives SET others = (
    SELECT json_group_array(json(CASE
        WHEN (value ->> 2) + 1 = (SELECT sources.failing_since FROM sources
            WHERE sources.id = sentinels.others ->> key)
        THEN json_array(value -> 0, value -> 1, (value ->> 2) + 1, value -> 3,
            json('true'), NULL, json('false'))
        ELSE value END))
    FROM json_each(sentinel_lives.others))
    FROM sentinels WHERE sentinels.id = sentinel_lives.id AND sentinel_lives.others <> '[]'
        AND json_valid(sentinel_lives.others) AND json_valid(sentinels.others);
