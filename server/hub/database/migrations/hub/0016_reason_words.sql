-- Why a machine was sent away, as a message with its values: pages say it in their reader's language.

ALTER TABLE edges ADD COLUMN reason_words jsonb;
