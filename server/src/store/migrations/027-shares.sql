-- Whose a job is: people take turns (store/turns.ts). Until now a job's position was the order of submission, which it still is among the
-- jobs of one of them.
ALTER TABLE jobs ADD COLUMN share TEXT NOT NULL DEFAULT '';
CREATE INDEX jobs_by_share ON jobs (share, position);
