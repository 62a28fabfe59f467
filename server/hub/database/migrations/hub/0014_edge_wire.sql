-- The wire that a machine spoke when it came last: a hub speaks the one before its own, too.

ALTER TABLE edges ADD COLUMN wire int;
