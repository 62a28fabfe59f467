-- What an admin reads of a machine: what it said of itself last, and whether it is connected.

-- Told with a code, so that the machines of one fleet can be found by them.
ALTER TABLE join_codes ADD COLUMN labels text[] NOT NULL DEFAULT '{}';
ALTER TABLE edges
	ADD COLUMN labels text[] NOT NULL DEFAULT '{}',
	-- Its connection ended; null while it has one, also after its replica was killed: then `seen_at` grows old.
	ADD COLUMN left_at timestamptz,
	-- Bytes that the hub does not have, for how long the oldest of them has waited, and how far its clock is ahead.
	ADD COLUMN behind_bytes bigint,
	ADD COLUMN late_ms bigint,
	ADD COLUMN skew_ms bigint;
