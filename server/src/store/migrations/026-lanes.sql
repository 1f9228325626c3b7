-- What waits for other machines is asked for by its kind, too: not by looking through all of the other kind.
CREATE INDEX jobs_waiting_virtual ON jobs (priority DESC, position)
  WHERE lease_owner IS NULL AND delayed = 0 AND realtime_s IS NULL;
CREATE INDEX jobs_waiting_realtime ON jobs (priority DESC, position)
  WHERE lease_owner IS NULL AND delayed = 0 AND realtime_s IS NOT NULL;
