-- When the last changes of a source came, and with which others; and what companions said.
ALTER TABLE schedule ADD COLUMN company BLOB NOT NULL DEFAULT x'';
ALTER TABLE week ADD COLUMN company BLOB NOT NULL DEFAULT x'';
