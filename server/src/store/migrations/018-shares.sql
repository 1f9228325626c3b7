-- Views that never change (protocol/share.ts): what the page had read when each was made, packed. What is kept whole elsewhere and never changes
-- (the samples of a run that is done) is referred to: a run that a share shows cannot be removed. Of a run that may be made again, its frames are here.
CREATE TABLE shares (
  slug           TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  note           TEXT NOT NULL,
  kind           TEXT NOT NULL,
  address        TEXT NOT NULL,
  created_at     TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  answers        BLOB NOT NULL
) STRICT;

CREATE TABLE share_runs (
  slug    TEXT NOT NULL REFERENCES shares (slug) ON DELETE CASCADE,
  run_id  TEXT NOT NULL REFERENCES runs (id),
  place   INTEGER NOT NULL,
  control BLOB,
  samples BLOB,
  PRIMARY KEY (slug, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX share_runs_by_run ON share_runs (run_id);
