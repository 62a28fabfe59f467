CREATE TABLE `cursors` (
	`session_id` text PRIMARY KEY NOT NULL,
	`device` integer NOT NULL,
	`inode` integer NOT NULL,
	`offset` integer NOT NULL,
	`tail_digest` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`pos` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`row_key` text NOT NULL,
	`json` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_by_row` ON `events` (`session_id`,`row_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_seq` ON `events` (`session_id`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_id` ON `events` (`session_id`,`id`);--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rows` (
	`session_id` text NOT NULL,
	`key` text NOT NULL,
	`seq` integer NOT NULL,
	`json` text NOT NULL,
	PRIMARY KEY(`session_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `rows_by_seq` ON `rows` (`session_id`,`seq`);--> statement-breakpoint
CREATE TABLE `views` (
	`session_id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`json` text NOT NULL
);
