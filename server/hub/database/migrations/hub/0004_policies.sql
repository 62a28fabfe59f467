-- What the machines of a team hold back by the hub (HUB 5): documents that are never changed, each sent once to each machine.

CREATE TABLE policies (
	team integer NOT NULL REFERENCES teams,
	version integer NOT NULL,
	-- As it is signed, and by whom: JSON of the document, and of the hub's signature with a root passkey's answer beside it.
	body text NOT NULL,
	sigs text NOT NULL,
	expires timestamptz NOT NULL,
	-- False while it waits for a root passkey: no machine would take it.
	ready boolean NOT NULL,
	made_at timestamptz NOT NULL DEFAULT now(),
	-- From then on no machine is given it; those that have it keep it to its end.
	removed_at timestamptz,
	PRIMARY KEY (team, version)
);

-- The command by which an edge was given a version; what it made of it is the command's result.
CREATE TABLE policy_sends (
	edge integer NOT NULL REFERENCES edges,
	version integer NOT NULL,
	n bigint NOT NULL,
	PRIMARY KEY (edge, version)
);
