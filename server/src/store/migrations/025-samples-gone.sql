-- Runs whose samples were let go to make room (retention/); what they came to stays. A row goes when samples are there again.
CREATE TABLE samples_gone (
  run_id  TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  at      TEXT,                            -- NULL: it never had any
  partial INTEGER NOT NULL CHECK (partial IN (0, 1))   -- 1: what is there of them is not all: they go, or are being made
) STRICT, WITHOUT ROWID;
CREATE INDEX samples_gone_partial ON samples_gone (partial) WHERE partial = 1;
-- Those that ended longest ago go first.
CREATE INDEX runs_by_end ON runs (finished_at, id) WHERE finished_at IS NOT NULL;
