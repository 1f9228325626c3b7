-- Tokens of persons and programs (protocol/access.ts), of which only hashes are kept, and what was done with them.
CREATE TABLE tokens (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  role       TEXT NOT NULL,
  hash       TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at    TEXT                          -- the day
) STRICT;
CREATE TABLE deeds (
  n      INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  by     TEXT,                             -- the token's name: it stays when the token goes
  role   TEXT NOT NULL,
  what   TEXT NOT NULL,
  status INTEGER NOT NULL
) STRICT;
