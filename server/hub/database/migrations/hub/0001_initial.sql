-- What one deployment keeps of its edges (HUB 3). Additive only: a later file adds, and never changes what stands here.

CREATE TABLE teams (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL UNIQUE
);

CREATE TABLE join_codes (
	hash text PRIMARY KEY,
	team integer NOT NULL REFERENCES teams,
	uses_left integer NOT NULL,
	until timestamptz NOT NULL,
	made_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE edges (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	team integer NOT NULL REFERENCES teams,
	name text NOT NULL,
	pubkey text NOT NULL UNIQUE,
	-- Both count: a crash between the two steps of raising it locks nobody out (HUB 5).
	counter bigint NOT NULL DEFAULT 0,
	pending_counter bigint,
	conn_epoch bigint NOT NULL DEFAULT 0,
	status text NOT NULL DEFAULT 'joined',
	reason text,
	version text,
	joined_at timestamptz NOT NULL DEFAULT now(),
	seen_at timestamptz
);

CREATE TABLE sessions (
	key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	edge integer NOT NULL REFERENCES edges,
	session_id text NOT NULL,
	-- Counts the files that stood in the session's place.
	gen integer NOT NULL DEFAULT 0,
	-- Counts the partitions that one of them went through.
	roll integer NOT NULL DEFAULT 0,
	team integer NOT NULL,
	project text,
	part integer NOT NULL,
	-- The cursor and the fence: whoever writes has read what stands here.
	off bigint NOT NULL DEFAULT 0,
	tail_digest text NOT NULL DEFAULT '',
	seq integer NOT NULL DEFAULT 0,
	fold integer NOT NULL,
	epoch uuid NOT NULL DEFAULT gen_random_uuid(),
	-- Another file stands in its place at the edge; this one is kept.
	rewritten boolean NOT NULL DEFAULT false,
	updated timestamptz NOT NULL DEFAULT now(),
	UNIQUE (edge, session_id, gen, roll)
) WITH (fillfactor = 70);

-- json is text and never jsonb: that refuses NUL and half surrogates, and puts keys in another order.
CREATE TABLE events (
	part integer NOT NULL,
	skey bigint NOT NULL,
	seq integer NOT NULL,
	id text NOT NULL,
	row_key text NOT NULL,
	denied boolean NOT NULL,
	at timestamptz NOT NULL DEFAULT now(),
	json text NOT NULL,
	PRIMARY KEY (part, skey, seq),
	UNIQUE (part, skey, id)
) PARTITION BY RANGE (part);
CREATE INDEX events_by_row ON events (part, skey, row_key);
CREATE INDEX events_denied ON events (part, at DESC) WHERE denied;

CREATE TABLE rows (
	part integer NOT NULL,
	skey bigint NOT NULL,
	key text NOT NULL,
	seq integer NOT NULL,
	json text NOT NULL,
	PRIMARY KEY (part, skey, key)
) PARTITION BY RANGE (part);
CREATE INDEX rows_by_seq ON rows (part, skey, seq);

CREATE TABLE ledger (
	part integer NOT NULL,
	skey bigint NOT NULL,
	key text NOT NULL,
	at bigint NOT NULL,
	json text NOT NULL,
	PRIMARY KEY (part, skey, key)
) PARTITION BY RANGE (part);
CREATE INDEX ledger_by_time ON ledger (part, at DESC);

-- A checkpoint: events after its seq are folded onto it when the session is taken up again.
CREATE TABLE views (
	part integer NOT NULL,
	skey bigint NOT NULL,
	seq integer NOT NULL,
	json text NOT NULL,
	PRIMARY KEY (part, skey)
) PARTITION BY RANGE (part);

-- The line of the list, and what lists are ordered, counted and chosen by. No index on anything that changes often, so that
-- a change stays on its page.
CREATE TABLE summaries (
	skey bigint PRIMARY KEY REFERENCES sessions,
	edge integer NOT NULL,
	team integer NOT NULL,
	project text,
	day integer NOT NULL,
	seq integer NOT NULL,
	state text NOT NULL,
	last_ms bigint NOT NULL,
	-- A session that only reviews another: lists leave it out, as they do what belongs to no session.
	hidden boolean NOT NULL,
	alarmed boolean NOT NULL,
	json text NOT NULL
) WITH (fillfactor = 60);
CREATE INDEX summaries_by_day ON summaries (team, day DESC);

CREATE TABLE edge_journal (
	edge integer NOT NULL REFERENCES edges,
	n bigint NOT NULL,
	id text NOT NULL,
	ts text NOT NULL,
	kind text NOT NULL,
	subject text NOT NULL,
	session_id text,
	payload text NOT NULL,
	payload_hash text NOT NULL,
	signer text NOT NULL,
	prev text NOT NULL,
	hash text NOT NULL,
	PRIMARY KEY (edge, n),
	UNIQUE (edge, hash)
);
CREATE INDEX edge_journal_by_id ON edge_journal (edge, id);

-- Makes the partitions of a day. Attaching locks only what it must; two at once wait for each other here.
CREATE FUNCTION make_partitions(day integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	parent text;
	child text;
BEGIN
	IF to_regclass('views_' || day) IS NOT NULL THEN RETURN; END IF;
	PERFORM pg_advisory_xact_lock(7401);
	FOREACH parent IN ARRAY ARRAY['events', 'rows', 'ledger', 'views'] LOOP
		child := parent || '_' || day;
		CONTINUE WHEN to_regclass(child) IS NOT NULL;
		EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS)', child, parent);
		IF parent = 'rows' THEN EXECUTE format('ALTER TABLE %I SET (fillfactor = 80)', child); END IF;
		IF parent = 'views' THEN EXECUTE format('ALTER TABLE %I ALTER json SET COMPRESSION lz4', child); END IF;
		EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, child, day, day + 1);
	END LOOP;
END
$$;
