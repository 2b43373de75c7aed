-- Channels that were made on the dashboard or by the API. `sealed` is encrypted with a key that is not
-- in the store; `manners` is JSON: quiet hours, zone, rate, fallback.
CREATE TABLE made_channels (
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  manners TEXT NOT NULL,
  sealed BLOB NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
