-- Algorithms that people write: each text once, by the hash of its bytes, and as the next version of the name that it declares.
CREATE TABLE own_algorithms (
  id          TEXT PRIMARY KEY,              -- as specs name it
  program     TEXT NOT NULL UNIQUE,          -- SHA-256 of the text
  name        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  declaration TEXT NOT NULL,                 -- OwnDeclaration
  text        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  deleted_at  TEXT,                          -- until it is removed it can be restored
  UNIQUE (name, version)
) STRICT;
