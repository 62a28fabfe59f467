-- Who may decide for the machines of a team (HUB 5), as it was sent last: entries stand in `passkeys`, signed one by one.

CREATE TABLE rosters (
	team integer PRIMARY KEY REFERENCES teams,
	-- Rises with each change of the list.
	version integer NOT NULL,
	-- JSON of the signed entries.
	entries text NOT NULL
);

-- Which version an edge was given last, and until when it stands there.
CREATE TABLE roster_sends (
	edge integer PRIMARY KEY REFERENCES edges,
	version integer NOT NULL,
	until timestamptz NOT NULL
);
