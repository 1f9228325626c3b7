-- What the samples of a run come to (analysis/sampled.ts), read once: a run's samples are megabytes, and this is a page of text. It goes with
-- the samples, and is made again by another version of what reads them.
CREATE TABLE run_sampled (
  run_id  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  family  TEXT NOT NULL,
  version TEXT NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (run_id, family)
) STRICT, WITHOUT ROWID;
