DROP TRIGGER `journal_no_loose_row`;
--> statement-breakpoint
-- Only a row that tells of lost ones leaves out their numbers: a number never means two rows.
CREATE TRIGGER `journal_no_loose_row` BEFORE INSERT ON `journal`
WHEN NEW.`hash` IS NULL OR (
	NEW.`n` <> 1 + (SELECT COALESCE(MAX(`n`), 0) FROM `journal`)
	AND NOT (NEW.`kind` = 'journal:follow' AND NEW.`n` > (SELECT COALESCE(MAX(`n`), 0) FROM `journal`))
)
BEGIN
	SELECT RAISE(ABORT, 'the journal is append-only: a row follows the last one');
END;
