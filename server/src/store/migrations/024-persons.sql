-- Persons whom a proxy names (protocol/access.ts), as far as the operator has said what they may; and who has made what.
CREATE TABLE users (
  name    TEXT PRIMARY KEY,
  role    TEXT NOT NULL,
  set_at  TEXT NOT NULL,
  seen_at TEXT                             -- the day
) STRICT;

ALTER TABLE deeds ADD COLUMN via TEXT NOT NULL DEFAULT 'token';
