-- Series of other programs (flent, qlog, iperf3) that are compared with runs. They belong to no run.
CREATE TABLE imported_series (
  id          TEXT PRIMARY KEY,              -- made from the file's content
  name        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  form        TEXT NOT NULL,
  imported    TEXT NOT NULL                  -- Imported
) STRICT;
