-- Archived features of machines: what their pages show beside their sessions, whose events stand in `events` or in the store.

CREATE TABLE features (
	edge integer NOT NULL REFERENCES edges,
	id text NOT NULL,
	team integer NOT NULL,
	project text,
	archived_at timestamptz NOT NULL,
	-- Its sessions, by their ids at the edge.
	sessions text[] NOT NULL,
	-- The line of the list, and the sheet as the edge told it, with the digest by which the edge knows it. Both are null of
	-- what a team does not keep: then the digest keeps it from being told again.
	record text,
	sheet text,
	digest text NOT NULL,
	-- Its documents and files were fetched; false where there was no object store for them.
	stored boolean NOT NULL,
	updated timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (edge, id)
);
CREATE INDEX features_by_time ON features (archived_at DESC);

-- A document or file of a feature, by its digest, once the object store has it; null bytes: the edge has it no more.
CREATE TABLE feature_files (
	edge integer NOT NULL REFERENCES edges,
	feature text NOT NULL,
	digest text NOT NULL,
	bytes integer,
	PRIMARY KEY (edge, feature, digest)
);
