-- How somebody has come by a link: from a terminal of the hub's machine, or back from the provider that they sign in at.
ALTER TABLE links ADD COLUMN via text NOT NULL DEFAULT 'link' CHECK (via IN ('link', 'oidc'));
