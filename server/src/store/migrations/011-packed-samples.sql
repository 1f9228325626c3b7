-- Blobs of samples may be packed (store/packing.ts): a third of the bytes. Those of before stay as they are.
-- No CHECK: SQLite would read every blob there is to see that it holds, 7 s a gigabyte.
ALTER TABLE sample_blobs ADD COLUMN packing INTEGER NOT NULL DEFAULT 0;

-- Control frames of a run, many at a time: most are short and alike. Those of before stay in control_frames.
CREATE TABLE control_blobs (
  run_id    TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  first_seq INTEGER NOT NULL,
  frames    INTEGER NOT NULL,
  payload   BLOB NOT NULL                    -- their JSON, packed (store/packing.ts)
) STRICT;
CREATE UNIQUE INDEX control_blobs_by_seq ON control_blobs (run_id, first_seq);
