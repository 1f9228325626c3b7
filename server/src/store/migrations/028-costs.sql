-- What the runs of an experiment took of processors, by who made them ('': the server), kept by triggers: adding it up for every question takes
-- too long. A run that several experiments share counts in each, one that stands in several places of a matrix once. In real time nothing is
-- told. Of a cost that is not JSON (somebody wrote into the file) nothing is known, and nothing else suffers by it.
CREATE TABLE experiment_costs (
  experiment_id TEXT NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
  worker        TEXT NOT NULL,
  runs          INTEGER NOT NULL,
  cpu_s         REAL NOT NULL,
  PRIMARY KEY (experiment_id, worker)
) STRICT, WITHOUT ROWID;
CREATE VIEW run_costs AS
  SELECT id AS run_id, COALESCE(told ->> 'worker', '') AS worker, CAST(told ->> 'cpu_s' AS REAL) AS cpu_s
  FROM (SELECT id, IIF(json_valid(cost), cost, '{}') AS told FROM runs) WHERE told ->> 'cpu_s' IS NOT NULL;
INSERT INTO experiment_costs
  SELECT er.experiment_id, c.worker, COUNT(*), SUM(c.cpu_s)
  FROM (SELECT DISTINCT experiment_id, run_id FROM experiment_runs) er JOIN run_costs c ON c.run_id = er.run_id
  GROUP BY er.experiment_id, c.worker;
CREATE TRIGGER experiment_costs_new_run AFTER INSERT ON experiment_runs
WHEN NOT EXISTS (
  SELECT 1 FROM experiment_runs
  WHERE run_id = NEW.run_id AND experiment_id = NEW.experiment_id AND position <> NEW.position
)
BEGIN
  INSERT INTO experiment_costs
    SELECT NEW.experiment_id, worker, 1, cpu_s FROM run_costs WHERE run_id = NEW.run_id
    ON CONFLICT DO UPDATE SET runs = runs + 1, cpu_s = cpu_s + excluded.cpu_s;
END;
-- Made again, a run costs what it took the last time.
CREATE TRIGGER experiment_costs_gone BEFORE UPDATE OF cost ON runs WHEN OLD.cost IS NOT NULL
BEGIN
  UPDATE experiment_costs SET runs = experiment_costs.runs - 1, cpu_s = experiment_costs.cpu_s - c.cpu_s FROM run_costs c
    WHERE c.run_id = OLD.id AND experiment_costs.worker = c.worker
      AND experiment_id IN (SELECT experiment_id FROM experiment_runs WHERE run_id = OLD.id);
  DELETE FROM experiment_costs
    WHERE runs = 0 AND experiment_id IN (SELECT experiment_id FROM experiment_runs WHERE run_id = OLD.id);
END;
CREATE TRIGGER experiment_costs_told AFTER UPDATE OF cost ON runs WHEN NEW.cost IS NOT NULL
BEGIN
  INSERT INTO experiment_costs
    SELECT DISTINCT er.experiment_id, c.worker, 1, c.cpu_s FROM experiment_runs er JOIN run_costs c ON c.run_id = er.run_id
    WHERE er.run_id = NEW.id
    ON CONFLICT DO UPDATE SET runs = runs + 1, cpu_s = cpu_s + excluded.cpu_s;
END;
