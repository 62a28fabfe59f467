CREATE TABLE `ledger` (
	`session_id` text NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL,
	`json` text NOT NULL,
	PRIMARY KEY(`session_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `ledger_by_time` ON `ledger` (`at`);