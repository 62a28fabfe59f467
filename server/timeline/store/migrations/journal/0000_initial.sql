CREATE TABLE `journal` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`ts` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`session_id` text,
	`payload` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `journal_id_unique` ON `journal` (`id`);--> statement-breakpoint
CREATE INDEX `journal_by_subject` ON `journal` (`subject`);--> statement-breakpoint
CREATE INDEX `journal_by_kind` ON `journal` (`kind`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`n` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`n`) REFERENCES `journal`(`n`) ON UPDATE no action ON DELETE no action
);
