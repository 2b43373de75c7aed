-- The detection that looks are wanted for, and what has come of the looks that follow a detection.
ALTER TABLE demands ADD COLUMN about INTEGER;
ALTER TABLE detections ADD COLUMN follow TEXT;
