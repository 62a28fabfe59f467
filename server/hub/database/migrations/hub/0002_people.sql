-- Who may come in and what they may do there (HUB 5 and 8). A person is who an issuer says, never who has an address.

CREATE TABLE people (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	-- The OpenID provider and its name for the person; 'hub' and 'owner': whoever has the hub's own machine.
	iss text NOT NULL,
	sub text NOT NULL,
	name text NOT NULL,
	email text,
	disabled_at timestamptz,
	made_at timestamptz NOT NULL DEFAULT now(),
	UNIQUE (iss, sub)
);

CREATE TABLE roles (
	person integer NOT NULL REFERENCES people,
	scope_kind text NOT NULL CHECK (scope_kind IN ('org', 'team', 'project')),
	-- Empty, the team's number, or '<team>/<project>'.
	scope_id text NOT NULL,
	role text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin', 'auditor')),
	-- What the groups of a sign-in gave, the next sign-in may take; what an admin gave, only an admin takes.
	source text NOT NULL CHECK (source IN ('oidc', 'admin')),
	PRIMARY KEY (person, scope_kind, scope_id, role)
);

CREATE TABLE passkeys (
	cred_id text PRIMARY KEY,
	person integer NOT NULL REFERENCES people,
	-- The public key, base64url.
	cose text NOT NULL,
	counter bigint NOT NULL DEFAULT 0,
	label text NOT NULL,
	is_root boolean NOT NULL DEFAULT false,
	-- The roster's signed addition, as JSON; null until it is signed.
	entry text,
	added_at timestamptz NOT NULL DEFAULT now(),
	revoked_at timestamptz
);
CREATE INDEX passkeys_by_person ON passkeys (person);

-- Of each secret only its SHA-256. One that ended stays until its time is over, so that it can be told who ended it.
CREATE TABLE logins (
	hash text PRIMARY KEY,
	-- Of a browser's sign-in; null: a bearer token.
	token_hash text,
	person integer NOT NULL REFERENCES people,
	via text NOT NULL CHECK (via IN ('oidc', 'passkey', 'link', 'token')),
	name text NOT NULL,
	made_at timestamptz NOT NULL DEFAULT now(),
	until timestamptz NOT NULL,
	last_seen timestamptz NOT NULL DEFAULT now(),
	ended_at timestamptz,
	ended_by integer REFERENCES people
);
CREATE INDEX logins_by_person ON logins (person);

CREATE TABLE links (
	hash text PRIMARY KEY,
	person integer NOT NULL REFERENCES people,
	until timestamptz NOT NULL,
	used_at timestamptz
);

-- What a passkey is asked to sign, for one exact request of one sign-in: any replica may get the answer, once.
CREATE TABLE challenges (
	hash text PRIMARY KEY,
	asker text NOT NULL,
	nonce text NOT NULL,
	until timestamptz NOT NULL
);
