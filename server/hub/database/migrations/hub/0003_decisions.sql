-- What waits at edges, what the hub asks of them, and who decided what at the hub (HUB 3, 6).

-- What its owner lets people decide from here: 'watch', 'hub' or 'passkey'; and how many commands it was ever given.
ALTER TABLE edges ADD COLUMN level text NOT NULL DEFAULT 'watch', ADD COLUMN commands bigint NOT NULL DEFAULT 0;

-- Until when somebody who may decide for the team watches at one of the replicas.
ALTER TABLE teams ADD COLUMN watched_until timestamptz;

CREATE TABLE tickets (
	edge integer NOT NULL REFERENCES edges,
	ticket text NOT NULL,
	session_id text NOT NULL,
	team integer NOT NULL,
	state text NOT NULL,
	asked_at timestamptz NOT NULL,
	deadline timestamptz NOT NULL,
	digest text NOT NULL,
	nonce text NOT NULL,
	json text NOT NULL,
	PRIMARY KEY (edge, ticket),
	-- Pages name a ticket alone: an edge cannot take a name that another has told before.
	UNIQUE (ticket)
) WITH (fillfactor = 70);
CREATE INDEX tickets_by_state ON tickets (team, state);
CREATE INDEX tickets_by_time ON tickets (asked_at DESC);

-- The history of a ticket.
CREATE INDEX edge_journal_by_subject ON edge_journal (edge, subject);

CREATE TABLE commands (
	edge integer NOT NULL REFERENCES edges,
	n bigint NOT NULL,
	kind text NOT NULL,
	envelope text NOT NULL,
	state text NOT NULL DEFAULT 'waiting',
	-- JSON of what the edge answered.
	result text,
	made_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (edge, n)
) WITH (fillfactor = 70);
CREATE INDEX commands_waiting ON commands (edge, n) WHERE state = 'waiting';

CREATE TABLE hub_journal (
	team integer NOT NULL REFERENCES teams,
	n bigint NOT NULL,
	id text NOT NULL,
	ts text NOT NULL,
	kind text NOT NULL,
	subject text NOT NULL,
	payload text NOT NULL,
	prev text NOT NULL,
	hash text NOT NULL,
	sig text NOT NULL,
	PRIMARY KEY (team, n)
);
