CREATE TABLE `epochs` (
	`session_id` text PRIMARY KEY NOT NULL,
	`epoch` text NOT NULL
);
