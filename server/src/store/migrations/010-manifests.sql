-- A manifest never changes, how its run stands does: apart from each other, a row of a run takes a tenth of the bytes to write.
CREATE TABLE manifests (
  number INTEGER PRIMARY KEY,
  body   TEXT NOT NULL                       -- RunManifest
) STRICT;
INSERT INTO manifests SELECT rowid, manifest FROM runs;
ALTER TABLE runs ADD COLUMN manifest_number INTEGER REFERENCES manifests (number);
UPDATE runs SET manifest_number = rowid;
ALTER TABLE runs DROP COLUMN manifest;
CREATE TRIGGER manifests_of_removed_runs AFTER DELETE ON runs
BEGIN
  DELETE FROM manifests WHERE number = OLD.manifest_number;
END;
