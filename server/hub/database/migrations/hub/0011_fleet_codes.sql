-- Codes for a fleet (HUB 5): who joins by one is pending until an admin takes it in, or a rule of labels does.

ALTER TABLE join_codes ADD COLUMN fleet boolean NOT NULL DEFAULT false;

-- A machine of a fleet code of the team with all of these labels waits for nobody.
CREATE TABLE fleet_rules (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	team integer NOT NULL REFERENCES teams,
	-- In ascending order, none twice.
	labels text[] NOT NULL CHECK (labels <> '{}'),
	made_at timestamptz NOT NULL DEFAULT now(),
	UNIQUE (team, labels)
);
