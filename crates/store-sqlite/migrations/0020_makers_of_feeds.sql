-- Which token made a feed, itself or by a session; null: the data directory's, or before this was
-- noted. A feed ends with its token.
ALTER TABLE feeds ADD COLUMN token INTEGER;
