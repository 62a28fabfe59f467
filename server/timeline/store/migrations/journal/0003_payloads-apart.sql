DROP TRIGGER `journal_no_update`;
--> statement-breakpoint
DROP TRIGGER `journal_no_replace`;
--> statement-breakpoint
ALTER TABLE `journal` DROP COLUMN `payload`;
--> statement-breakpoint
-- A row of a former version gets its place in the chain once.
CREATE TRIGGER `journal_no_update` BEFORE UPDATE ON `journal`
WHEN OLD.`hash` IS NOT NULL OR NEW.`n` <> OLD.`n` OR NEW.`id` <> OLD.`id` OR NEW.`ts` <> OLD.`ts`
	OR NEW.`kind` <> OLD.`kind` OR NEW.`subject` <> OLD.`subject` OR NEW.`session_id` IS NOT OLD.`session_id`
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: rows are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_no_replace` BEFORE INSERT ON `journal`
WHEN EXISTS (SELECT 1 FROM `journal` WHERE `n` = NEW.`n` OR `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: this id is taken');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_no_loose_row` BEFORE INSERT ON `journal`
WHEN NEW.`hash` IS NULL OR NEW.`n` <> 1 + (SELECT COALESCE(MAX(`n`), 0) FROM `journal`)
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: a row follows the last one');
END;
--> statement-breakpoint
-- A payload changes for a redaction alone, which is a row of its own.
CREATE TRIGGER `journal_payload_no_update` BEFORE UPDATE ON `journal_payload`
WHEN OLD.`sealed` = 1 AND NOT EXISTS (
	SELECT 1 FROM `journal` WHERE `kind` = 'journal:redact' AND `subject` = 'row:' || OLD.`n`
)
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: payloads change by redaction alone');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_payload_no_delete` BEFORE DELETE ON `journal_payload`
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: payloads are never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_payload_no_replace` BEFORE INSERT ON `journal_payload`
WHEN EXISTS (SELECT 1 FROM `journal_payload` WHERE `n` = NEW.`n`)
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: this row has its payload');
END;
