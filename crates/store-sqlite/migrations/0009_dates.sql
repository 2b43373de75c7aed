-- How often the times that a source's content gives were right, and wrong.
ALTER TABLE schedule ADD COLUMN dates INTEGER NOT NULL DEFAULT 0;
