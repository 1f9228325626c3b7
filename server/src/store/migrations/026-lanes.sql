-- What waits for other machines is asked for by its kind, too: runs in real time are not looked for among all others. These are few among
-- them, mostly, and need no index of their own.
CREATE INDEX jobs_waiting_realtime ON jobs (priority DESC, position)
  WHERE lease_owner IS NULL AND delayed = 0 AND realtime_s IS NOT NULL;
