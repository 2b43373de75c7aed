-- The eleventh format. Each section says what it is for; what was released is never edited.

-- Rules, numbered with the sentinels of their owners, and what has become of them.
CREATE TABLE rules (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  generation INTEGER NOT NULL,
  text TEXT NOT NULL,
  zone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  defined_at INTEGER NOT NULL
) STRICT;

CREATE TABLE rule_lives (
  id INTEGER PRIMARY KEY,
  is_enabled INTEGER NOT NULL,
  root INTEGER,
  seq INTEGER NOT NULL,
  fired INTEGER NOT NULL,
  fired_at INTEGER,
  trouble TEXT NOT NULL
) STRICT;

-- Events that rules listen to, by name in lower case; numbered with sentinels, too.
CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;

-- What the detector of events knows: the next number, nodes, and what is open at them.
CREATE TABLE detector (id INTEGER PRIMARY KEY CHECK (id = 1), next INTEGER NOT NULL) STRICT;

CREATE TABLE event_nodes (
  id INTEGER PRIMARY KEY,
  shape TEXT NOT NULL,
  dropped INTEGER NOT NULL
) STRICT;

CREATE TABLE event_open (
  node INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  role INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  gathered INTEGER NOT NULL,
  marks TEXT NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

-- What rules heard and have not acted on yet, and looks that they want by some time.
CREATE TABLE firings (
  number INTEGER PRIMARY KEY,
  rule INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  gathered INTEGER NOT NULL,
  marks TEXT NOT NULL,
  chain TEXT NOT NULL
) STRICT;

CREATE TABLE demands (
  number INTEGER PRIMARY KEY,
  start INTEGER NOT NULL,
  finish INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  sources TEXT NOT NULL
) STRICT;

-- What took part in what a rule detected.
ALTER TABLE detections ADD COLUMN parts TEXT NOT NULL DEFAULT '[]';
