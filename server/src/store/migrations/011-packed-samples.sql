-- Blobs of samples may be packed (store/packing.ts): a third of the bytes. Those of before stay as they are.
ALTER TABLE sample_blobs ADD COLUMN packing INTEGER NOT NULL DEFAULT 0 CHECK (packing IN (0, 1));
