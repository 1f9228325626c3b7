-- Traces can be made from recipes (traces/<id>.recipe.json in the data folder).
CREATE TABLE traces_with_recipes (
  id          TEXT PRIMARY KEY,              -- SHA-256 of the canonical text
  name        TEXT NOT NULL,
  origin      TEXT NOT NULL CHECK (origin IN ('library', 'upload', 'file', 'recipe')),
  description TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  info        TEXT NOT NULL,                 -- TraceInfo
  spark       TEXT NOT NULL                  -- mean rates, Mbps
) STRICT;
INSERT INTO traces_with_recipes SELECT id, name, origin, description, created_at, info, spark FROM traces;
DROP TABLE traces;
ALTER TABLE traces_with_recipes RENAME TO traces;
CREATE INDEX traces_by_name ON traces (name, created_at);
