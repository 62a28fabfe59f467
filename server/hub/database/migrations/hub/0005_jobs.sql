-- What is done to sessions beside writing them: they move on to newer partitions, are packed, and old partitions go (HUB 3).

-- How many days a session that nobody writes any more stays in the database; and whether it may go where no object store is.
ALTER TABLE teams ADD COLUMN keep_days integer NOT NULL DEFAULT 14, ADD COLUMN keep_nothing boolean NOT NULL DEFAULT false;

ALTER TABLE sessions
	-- The seq before its first event here, and the time of that one: those before lie in its former rolls.
	ADD COLUMN base integer NOT NULL DEFAULT 0,
	ADD COLUMN base_ts text,
	-- It goes on in the next roll; here nothing is written any more.
	ADD COLUMN rolled boolean NOT NULL DEFAULT false,
	-- Since then its events are not looked for in the database. Nothing is written here any more, either.
	ADD COLUMN archived_at timestamptz,
	-- Where they are in the object store, and the digest by which they are known; null where they are nowhere.
	ADD COLUMN archive text,
	ADD COLUMN archive_hash text;
CREATE INDEX sessions_by_part ON sessions (part) WHERE archived_at IS NULL;

-- Of a roll that is packed while its session goes on: digests of its event ids, eight bytes each, in ascending order.
CREATE TABLE packed_ids (
	skey bigint PRIMARY KEY REFERENCES sessions,
	ids bytea NOT NULL
);

-- Who is at a job, and until when nobody else begins it; what came of the last time.
CREATE TABLE jobs (
	name text PRIMARY KEY,
	holder text NOT NULL,
	until timestamptz NOT NULL,
	ran_at timestamptz,
	error text
);
