-- What people say of experiments, runs and traces. An object without a row has nothing said of it.
CREATE TABLE labels (
  kind        TEXT NOT NULL CHECK (kind IN ('experiment', 'run', 'trace')),
  object_id   TEXT NOT NULL,
  name        TEXT,                       -- NULL: its own
  note        TEXT NOT NULL DEFAULT '',   -- Markdown
  starred     INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
  archived_at TEXT,
  deleted_at  TEXT,                       -- until then it can be undone
  PRIMARY KEY (kind, object_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tags (
  kind      TEXT NOT NULL CHECK (kind IN ('experiment', 'run', 'trace')),
  object_id TEXT NOT NULL,
  tag       TEXT NOT NULL,
  PRIMARY KEY (kind, object_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag, kind, object_id);
