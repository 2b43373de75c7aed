-- Feeds that are out: `nonce` gives the secret of the address with a key that is not in the store.
-- `tag` and `sentinel` say what a feed tells; where both are null, everything.
CREATE TABLE feeds (
  id INTEGER PRIMARY KEY,
  nonce BLOB NOT NULL UNIQUE,
  tag TEXT,
  sentinel INTEGER,
  made_at INTEGER NOT NULL,
  CHECK (tag IS NULL OR sentinel IS NULL)
) STRICT;
