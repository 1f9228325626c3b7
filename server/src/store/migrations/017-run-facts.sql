-- What runs are looked for, sorted and grouped by: manifests and summaries are long, and asking a hundred thousand takes too long.
-- A row is made from a run's manifest, summary and place when somebody asks for runs (server/src/run-table); until then it is due.
CREATE TABLE run_facts (
  run_id      TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  made        TEXT NOT NULL,                 -- when, and
  home        TEXT NOT NULL,                 -- the newest experiment that it belongs to
  cell        TEXT NOT NULL,                 -- its cell in that
  shared      INTEGER NOT NULL,              -- 1: others have it, too
  words       TEXT NOT NULL,                 -- what words without a field are looked for in, in lower case
  ccas        TEXT NOT NULL,                 -- ' cubic bbr ', by flow
  trace       TEXT NOT NULL,
  buffer      TEXT NOT NULL,
  state       TEXT NOT NULL,
  role        TEXT NOT NULL,
  engine      TEXT NOT NULL,
  queue       TEXT NOT NULL,
  transport   TEXT NOT NULL,
  version     TEXT NOT NULL,
  rtt0        REAL NOT NULL,
  loss_rate   REAL NOT NULL,
  duration    REAL NOT NULL,
  flows       INTEGER NOT NULL,
  rep         INTEGER NOT NULL,
  f_utilisation REAL, f_throughput REAL, f_queueing_mean REAL, f_queueing_p95 REAL, f_rtt_mean REAL, f_rtt_p95 REAL,
  f_delay_inflation REAL, f_loss REAL, f_retransmitted REAL, f_owd_mean REAL, f_owd_p95 REAL, f_jain REAL,
  f_jain_together REAL, f_first_share REAL, f_d3 REAL, f_cpu_percent REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_facts_made ON run_facts (made, run_id);
CREATE INDEX run_facts_home ON run_facts (home);

CREATE TABLE run_facts_due (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO run_facts_due SELECT DISTINCT run_id FROM experiment_runs;
CREATE TRIGGER run_facts_placed AFTER INSERT ON experiment_runs
BEGIN
  INSERT OR IGNORE INTO run_facts_due VALUES (NEW.run_id);
END;
CREATE TRIGGER run_facts_taken_out AFTER DELETE ON experiment_runs
BEGIN
  INSERT OR IGNORE INTO run_facts_due SELECT id FROM runs WHERE id = OLD.run_id;
END;
CREATE TRIGGER run_facts_changed AFTER UPDATE OF state ON runs
BEGIN
  INSERT OR IGNORE INTO run_facts_due VALUES (NEW.id);
END;
