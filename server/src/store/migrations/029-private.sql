-- Who alone may look at something, beside operators. What has no row here is for all who may look.
CREATE TABLE seen_by (
  kind      TEXT NOT NULL CHECK (kind IN ('experiment', 'trace')),
  object_id TEXT NOT NULL,
  via       TEXT NOT NULL,
  name      TEXT NOT NULL,                 -- '': the operator's own token
  PRIMARY KEY (kind, object_id, via, name)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER seen_by_of_removed_experiments AFTER DELETE ON experiments
BEGIN
  DELETE FROM seen_by WHERE kind = 'experiment' AND object_id = OLD.id;
END;
CREATE TRIGGER seen_by_of_removed_traces AFTER DELETE ON traces
BEGIN
  DELETE FROM seen_by WHERE kind = 'trace' AND object_id = OLD.id;
END;
