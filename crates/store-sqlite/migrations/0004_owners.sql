-- Owners: how much each has made. An id is its owner less one, shifted by 40 bits, and a number:
-- what was made before there were owners is the first one's, with the ids it has.
CREATE TABLE owners (
  id INTEGER PRIMARY KEY,
  next_sentinel INTEGER NOT NULL,
  next_detection INTEGER NOT NULL,
  next_notification INTEGER NOT NULL,
  next_channel INTEGER NOT NULL
) STRICT;
INSERT INTO owners SELECT 1, next_sentinel, next_detection, next_notification, next_channel
  FROM meta WHERE next_sentinel > 0;
ALTER TABLE meta DROP COLUMN next_sentinel;
ALTER TABLE meta DROP COLUMN next_detection;
ALTER TABLE meta DROP COLUMN next_notification;
ALTER TABLE meta DROP COLUMN next_channel;
ALTER TABLE sentinels DROP COLUMN owner;
ALTER TABLE applying ADD COLUMN owner INTEGER NOT NULL DEFAULT 1;
