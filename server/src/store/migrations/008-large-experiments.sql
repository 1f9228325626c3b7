-- Experiments of many runs are written piece by piece: one is there when its last piece is. What a server that ended left unready goes.
ALTER TABLE experiments ADD COLUMN ready INTEGER NOT NULL DEFAULT 1 CHECK (ready IN (0, 1));

-- A row per cell, so that thousands of them can be read piece by piece. A cell's runs are those from first_run to the next cell's.
CREATE TABLE experiment_cells (
  experiment_id TEXT NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  key           TEXT NOT NULL,
  first_run     INTEGER NOT NULL,
  body          TEXT NOT NULL,               -- Cell
  PRIMARY KEY (experiment_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX experiment_cells_by_key ON experiment_cells (experiment_id, key);
INSERT INTO experiment_cells
  SELECT e.id, c.key, c.value ->> 'key', COALESCE(f.position, 0), c.value
  FROM experiments e JOIN json_each(e.cells) c
    LEFT JOIN (SELECT experiment_id, cell, MIN(position) AS position FROM experiment_runs GROUP BY experiment_id, cell) f
      ON f.experiment_id = e.id AND f.cell = c.value ->> 'key';
ALTER TABLE experiments DROP COLUMN cells;

-- How many runs of an experiment are in each state, kept by triggers: counting them for every question takes too long.
CREATE TABLE experiment_states (
  experiment_id TEXT NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
  state         TEXT NOT NULL,
  runs          INTEGER NOT NULL,
  PRIMARY KEY (experiment_id, state)
) STRICT, WITHOUT ROWID;
-- One run may stand in several places of the matrix: it counts once.
INSERT INTO experiment_states
  SELECT er.experiment_id, r.state, COUNT(DISTINCT r.id)
  FROM experiment_runs er JOIN runs r ON r.id = er.run_id GROUP BY er.experiment_id, r.state;
CREATE TRIGGER experiment_states_new_run AFTER INSERT ON experiment_runs
WHEN NOT EXISTS (
  SELECT 1 FROM experiment_runs
  WHERE run_id = NEW.run_id AND experiment_id = NEW.experiment_id AND position <> NEW.position
)
BEGIN
  INSERT INTO experiment_states SELECT NEW.experiment_id, state, 1 FROM runs WHERE id = NEW.run_id
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;
CREATE TRIGGER experiment_states_new_state AFTER UPDATE OF state ON runs WHEN OLD.state <> NEW.state
BEGIN
  UPDATE experiment_states SET runs = runs - 1
    WHERE state = OLD.state AND experiment_id IN (SELECT experiment_id FROM experiment_runs WHERE run_id = NEW.id);
  INSERT INTO experiment_states SELECT DISTINCT experiment_id, NEW.state, 1 FROM experiment_runs WHERE run_id = NEW.id
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;
-- It served that counting.
DROP INDEX runs_states;
CREATE INDEX runs_finished ON runs (finished_at) WHERE finished_at IS NOT NULL;

-- What waits, summed over blocks of 512 places in the queue: how long an experiment will take is asked ten times a second.
CREATE TABLE job_blocks (
  priority        INTEGER NOT NULL,
  block           INTEGER NOT NULL,
  runs            INTEGER NOT NULL,          -- in virtual time, and their packets
  packets         REAL NOT NULL,
  realtime_core_s REAL NOT NULL,             -- in real time: seconds by the clock times cores
  realtime_cores  INTEGER NOT NULL,
  PRIMARY KEY (priority, block)
) STRICT, WITHOUT ROWID;
INSERT INTO job_blocks
  SELECT priority, position >> 9, SUM(realtime_s IS NULL), COALESCE(SUM(packets) FILTER (WHERE realtime_s IS NULL), 0.0),
    COALESCE(SUM(realtime_s * cores), 0.0), COALESCE(SUM(cores) FILTER (WHERE realtime_s IS NOT NULL), 0)
  FROM jobs WHERE lease_owner IS NULL GROUP BY priority, position >> 9;
CREATE TRIGGER job_blocks_added AFTER INSERT ON jobs WHEN NEW.lease_owner IS NULL
BEGIN
  INSERT INTO job_blocks VALUES (NEW.priority, NEW.position >> 9, NEW.realtime_s IS NULL, IIF(NEW.realtime_s IS NULL, NEW.packets, 0.0),
      COALESCE(NEW.realtime_s * NEW.cores, 0.0), IIF(NEW.realtime_s IS NULL, 0, NEW.cores))
    ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, packets = packets + excluded.packets,
      realtime_core_s = realtime_core_s + excluded.realtime_core_s, realtime_cores = realtime_cores + excluded.realtime_cores;
END;
CREATE TRIGGER job_blocks_back AFTER UPDATE OF lease_owner, priority ON jobs WHEN NEW.lease_owner IS NULL
BEGIN
  INSERT INTO job_blocks VALUES (NEW.priority, NEW.position >> 9, NEW.realtime_s IS NULL, IIF(NEW.realtime_s IS NULL, NEW.packets, 0.0),
      COALESCE(NEW.realtime_s * NEW.cores, 0.0), IIF(NEW.realtime_s IS NULL, 0, NEW.cores))
    ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, packets = packets + excluded.packets,
      realtime_core_s = realtime_core_s + excluded.realtime_core_s, realtime_cores = realtime_cores + excluded.realtime_cores;
END;
CREATE TRIGGER job_blocks_away AFTER UPDATE OF lease_owner, priority ON jobs WHEN OLD.lease_owner IS NULL
BEGIN
  UPDATE job_blocks SET runs = runs - (OLD.realtime_s IS NULL), packets = packets - IIF(OLD.realtime_s IS NULL, OLD.packets, 0.0),
      realtime_core_s = realtime_core_s - COALESCE(OLD.realtime_s * OLD.cores, 0.0),
      realtime_cores = realtime_cores - IIF(OLD.realtime_s IS NULL, 0, OLD.cores)
    WHERE priority = OLD.priority AND block = OLD.position >> 9;
  -- What is left of an empty block is rounding.
  DELETE FROM job_blocks WHERE priority = OLD.priority AND block = OLD.position >> 9 AND runs = 0 AND realtime_cores = 0;
END;
CREATE TRIGGER job_blocks_removed AFTER DELETE ON jobs WHEN OLD.lease_owner IS NULL
BEGIN
  UPDATE job_blocks SET runs = runs - (OLD.realtime_s IS NULL), packets = packets - IIF(OLD.realtime_s IS NULL, OLD.packets, 0.0),
      realtime_core_s = realtime_core_s - COALESCE(OLD.realtime_s * OLD.cores, 0.0),
      realtime_cores = realtime_cores - IIF(OLD.realtime_s IS NULL, 0, OLD.cores)
    WHERE priority = OLD.priority AND block = OLD.position >> 9;
  DELETE FROM job_blocks WHERE priority = OLD.priority AND block = OLD.position >> 9 AND runs = 0 AND realtime_cores = 0;
END;
