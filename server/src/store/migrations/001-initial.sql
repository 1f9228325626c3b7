-- Traces that experiments may name. The text itself is a file, traces/<id>.trace in the data folder.
CREATE TABLE traces (
  id          TEXT PRIMARY KEY,              -- SHA-256 of the canonical text
  name        TEXT NOT NULL,
  origin      TEXT NOT NULL CHECK (origin IN ('library', 'upload', 'file')),
  description TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  info        TEXT NOT NULL,                 -- TraceInfo
  spark       TEXT NOT NULL                  -- mean rates, Mbps
) STRICT;
CREATE INDEX traces_by_name ON traces (name, created_at);

CREATE TABLE experiments (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  spec       TEXT NOT NULL,                  -- ExperimentSpec, resolved
  cells      TEXT NOT NULL,                  -- Cell[]
  trace_names TEXT NOT NULL,
  cca_ids    TEXT NOT NULL,
  stopped    INTEGER NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1))
) STRICT;

CREATE TABLE runs (
  id          TEXT PRIMARY KEY,
  state       TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled', 'invalid')),
  reason      TEXT,
  stderr_tail TEXT,
  summary     TEXT,                          -- RunSummary
  cost        TEXT,
  time_s      REAL NOT NULL DEFAULT 0,
  created_at  TEXT NOT NULL,
  started_at  TEXT,
  finished_at TEXT,
  manifest    TEXT NOT NULL                  -- RunManifest
) STRICT;
-- Counting how an experiment stands must not read whole rows.
CREATE INDEX runs_states ON runs (id, state, finished_at);

-- The matrix: several entries may be the same run (the baseline's pair with the baseline is its self-pair).
CREATE TABLE experiment_runs (
  experiment_id TEXT NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  run_id        TEXT NOT NULL REFERENCES runs (id),
  cell          TEXT NOT NULL,
  role          TEXT NOT NULL,
  repetition    INTEGER NOT NULL,
  PRIMARY KEY (experiment_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX experiment_runs_by_run ON experiment_runs (run_id);

CREATE TABLE control_frames (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  seq    INTEGER NOT NULL,
  body   TEXT NOT NULL,                      -- the frame's JSON as the engine wrote it
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- About a thousand rows per blob, laid out as in a sample frame: a column after the other.
CREATE TABLE sample_blobs (
  run_id       TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  stream       INTEGER NOT NULL,
  first_row    INTEGER NOT NULL,
  rows         INTEGER NOT NULL,
  payload      BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX sample_blobs_by_row ON sample_blobs (run_id, stream, first_row);

-- What is still to be run. A lease names the server process that has the run in hand; one that is gone has lost it.
CREATE TABLE jobs (
  position    INTEGER PRIMARY KEY AUTOINCREMENT, -- order of submission
  run_id      TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
  priority    INTEGER NOT NULL DEFAULT 0,    -- higher goes first: what somebody looks at
  cores       INTEGER NOT NULL,
  packets     REAL NOT NULL,                 -- expected, for the estimate of the time left
  realtime_s  REAL,                          -- how long it takes by the clock; NULL in virtual time
  lease_owner TEXT,
  attempts    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX jobs_waiting ON jobs (priority DESC, position) WHERE lease_owner IS NULL;

-- What the server remembers about itself: measured speed, the sample experiment of the home page.
CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
