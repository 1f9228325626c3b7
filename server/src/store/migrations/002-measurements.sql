-- Measurements of live connections that are laid over a run. They stay when the run is run again.
CREATE TABLE measurements (
  id          TEXT PRIMARY KEY,              -- made from the run and the file's content
  run_id      TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  measurement TEXT NOT NULL                  -- Measurement
) STRICT;
CREATE INDEX measurements_by_run ON measurements (run_id, created_at);
