-- What a run will take at most, counted to its maker before it is there (store/holdings.ts). Of jobs of before nothing is known: they count
-- when they are over.
ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
