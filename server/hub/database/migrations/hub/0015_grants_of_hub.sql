-- Each replica looks every few seconds whether whoever has allowed something from here still may: machines' own grants, which
-- are most, are not among what it looks through.

CREATE INDEX edge_journal_grants_of_hub ON edge_journal (edge, n) WHERE kind = 'grant:create' AND payload LIKE '%"via":"hub"%';
