-- When a person last asked for a look at the source; null: one that counts has begun since.
ALTER TABLE sources ADD COLUMN asked INTEGER;
