-- Under which licence a trace may be passed on, and where it comes from: as a person says it.
ALTER TABLE traces ADD COLUMN licence TEXT NOT NULL DEFAULT '';
ALTER TABLE traces ADD COLUMN source TEXT NOT NULL DEFAULT '';
