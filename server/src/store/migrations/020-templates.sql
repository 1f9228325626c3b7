-- Specs that new experiments begin from (protocol/template.ts). Shipped ones are data files.
CREATE TABLE templates (
  id         TEXT PRIMARY KEY,
  title      TEXT NOT NULL,
  answers    TEXT NOT NULL,
  spec       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  deleted_at TEXT                        -- until it is removed it can be restored
) STRICT;
