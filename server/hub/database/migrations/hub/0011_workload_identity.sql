-- Machines that join by the identity of a CI job, and are gone a day after it (HUB 5).

-- It ends with its job: revoked after a day of silence, and what it sends is on the disk before it is acknowledged.
ALTER TABLE edges ADD COLUMN ephemeral boolean NOT NULL DEFAULT false;
CREATE INDEX edges_ephemeral ON edges (id) WHERE ephemeral AND status = 'joined';

-- Jobs of which repository join which team.
CREATE TABLE ci_rules (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	team integer NOT NULL REFERENCES teams,
	-- Whose claims name the repository.
	maker text NOT NULL CHECK (maker IN ('github', 'gitlab')),
	issuer text NOT NULL,
	audience text NOT NULL,
	-- Its path in lower case, or its number.
	repository text NOT NULL,
	made_at timestamptz NOT NULL DEFAULT now(),
	UNIQUE (issuer, audience, repository)
);

-- Tokens that a machine has joined by, so that none joins twice; kept until nobody would take them any more.
CREATE TABLE ci_tokens (
	hash text PRIMARY KEY,
	until timestamptz NOT NULL
);
