-- INSERT OR REPLACE deletes without firing a DELETE trigger, so a taken id or number is refused as well.
CREATE TRIGGER `journal_no_update` BEFORE UPDATE ON `journal`
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: rows are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_no_delete` BEFORE DELETE ON `journal`
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: rows are never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_no_replace` BEFORE INSERT ON `journal`
WHEN EXISTS (SELECT 1 FROM `journal` WHERE `n` = NEW.`n` OR `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: this id is taken');
END;
