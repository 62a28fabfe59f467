CREATE TABLE `journal_key` (
	`name` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `journal_payload` (
	`n` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`sealed` integer NOT NULL,
	FOREIGN KEY (`n`) REFERENCES `journal`(`n`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `journal` ADD `payload_hash` text;--> statement-breakpoint
ALTER TABLE `journal` ADD `signer` text;--> statement-breakpoint
ALTER TABLE `journal` ADD `hash` text;--> statement-breakpoint
ALTER TABLE `journal` ADD `signature` text;
--> statement-breakpoint
INSERT INTO `journal_payload` (`n`, `body`, `sealed`) SELECT `n`, `payload`, 0 FROM `journal`;
