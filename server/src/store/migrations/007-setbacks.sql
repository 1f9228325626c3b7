-- What has come between a run and its end so far, and whether it waits a while before it is tried again.
ALTER TABLE jobs ADD COLUMN setbacks TEXT NOT NULL DEFAULT '{}'; -- Setbacks
ALTER TABLE jobs ADD COLUMN delayed INTEGER NOT NULL DEFAULT 0 CHECK (delayed IN (0, 1));
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (priority DESC, position) WHERE lease_owner IS NULL AND delayed = 0;
