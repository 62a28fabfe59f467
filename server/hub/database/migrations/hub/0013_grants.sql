-- Permissions for later calls that people make here (HUB 8): each is its machine's own, and told of in its journal.

-- How far its owner lets them last: 'never', 'session' or 'project'. Older machines do not say, and take none.
ALTER TABLE edges ADD COLUMN grants text NOT NULL DEFAULT 'never';

-- Which there are.
CREATE INDEX edge_journal_grants ON edge_journal (ts) WHERE kind = 'grant:create';
