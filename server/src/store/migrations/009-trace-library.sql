-- A trace has a technology and a place, and may have had other names: those go on working.
ALTER TABLE traces ADD COLUMN technology TEXT NOT NULL DEFAULT '';
ALTER TABLE traces ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE traces ADD COLUMN formerly TEXT NOT NULL DEFAULT '[]';   -- names, as JSON
