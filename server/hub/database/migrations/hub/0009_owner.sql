-- Whose database this is: a replica with another key or address would serve machines and people that trust this one.

CREATE TABLE hub_owner (
	-- There is one row at most.
	one boolean PRIMARY KEY DEFAULT true CHECK (one),
	-- The public key, raw, base64url.
	key text NOT NULL,
	-- Where machines and browsers find the hub.
	origin text NOT NULL
);
