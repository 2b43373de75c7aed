-- A row is here in a store that the first release wrote, until all is said about the upgrade.
-- sentinels: how many it concerned when the log said it; null until then.
CREATE TABLE upgrade (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sentinels INTEGER
) STRICT;
