-- Traces can be edits of others.
CREATE TABLE traces_with_edits (
  id          TEXT PRIMARY KEY,              -- SHA-256 of the canonical text
  name        TEXT NOT NULL,
  origin      TEXT NOT NULL CHECK (origin IN ('library', 'upload', 'file', 'recipe', 'edit')),
  description TEXT NOT NULL,
  licence     TEXT NOT NULL DEFAULT '',
  source      TEXT NOT NULL DEFAULT '',
  created_at  TEXT NOT NULL,
  info        TEXT NOT NULL,                 -- TraceInfo
  spark       TEXT NOT NULL,                 -- mean rates, Mbps
  edit        TEXT                           -- TraceEdit: what was done to which trace
) STRICT;
INSERT INTO traces_with_edits SELECT id, name, origin, description, licence, source, created_at, info, spark, NULL FROM traces;
DROP TABLE traces;
ALTER TABLE traces_with_edits RENAME TO traces;
CREATE INDEX traces_by_name ON traces (name, created_at);
