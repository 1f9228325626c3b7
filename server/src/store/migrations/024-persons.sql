-- Persons whom a proxy names (protocol/access.ts), as far as the operator has said what they may; and who has made what.
CREATE TABLE users (
  name    TEXT PRIMARY KEY,
  role    TEXT NOT NULL,
  set_at  TEXT NOT NULL,
  seen_at TEXT                             -- the day
) STRICT;

ALTER TABLE deeds ADD COLUMN via TEXT NOT NULL DEFAULT 'token';

-- Whose something is (OWNED_KINDS in protocol/access.ts); what has no row is everybody's.
CREATE TABLE owners (
  kind      TEXT NOT NULL,
  object_id TEXT NOT NULL,
  name      TEXT,                          -- NULL: the operator's own token
  via       TEXT NOT NULL,
  PRIMARY KEY (kind, object_id)
) STRICT, WITHOUT ROWID;
-- What is removed for good and made again is its next maker's.
CREATE TRIGGER experiments_owner AFTER DELETE ON experiments BEGIN
  DELETE FROM owners WHERE kind = 'experiment' AND object_id = OLD.id;
END;
CREATE TRIGGER traces_owner AFTER DELETE ON traces BEGIN
  DELETE FROM owners WHERE kind = 'trace' AND object_id = OLD.id;
END;
CREATE TRIGGER weights_owner AFTER DELETE ON weights BEGIN
  DELETE FROM owners WHERE kind = 'weights' AND object_id = OLD.id;
END;
CREATE TRIGGER own_algorithms_owner AFTER DELETE ON own_algorithms BEGIN
  DELETE FROM owners WHERE kind = 'algorithm' AND object_id = OLD.id;
END;
CREATE TRIGGER shares_owner AFTER DELETE ON shares BEGIN
  DELETE FROM owners WHERE kind = 'share' AND object_id = OLD.slug;
END;
CREATE TRIGGER templates_owner AFTER DELETE ON templates BEGIN
  DELETE FROM owners WHERE kind = 'template' AND object_id = OLD.id;
END;
CREATE TRIGGER imported_series_owner AFTER DELETE ON imported_series BEGIN
  DELETE FROM owners WHERE kind = 'imported' AND object_id = OLD.id;
END;
CREATE TRIGGER measurements_owner AFTER DELETE ON measurements BEGIN
  DELETE FROM owners WHERE kind = 'measurement' AND object_id = OLD.id;
END;
