-- By which command an edge was given its roster, so that it is known what it made of it; and until when the one before
-- stands there that it took. Null: it was sent before this was kept, and counts as taken.
ALTER TABLE roster_sends ADD COLUMN n bigint, ADD COLUMN held_until timestamptz;
