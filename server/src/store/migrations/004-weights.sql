-- Networks that learned algorithms may run. The file itself lies beside the traces, as <id>.weights.json.
CREATE TABLE weights (
  id         TEXT PRIMARY KEY,               -- SHA-256 of the file
  created_at TEXT NOT NULL,
  info       TEXT NOT NULL                   -- WeightsInfo
) STRICT;
