-- What events say, by each three characters in a row: finds parts of words, in any script. The text itself stays in the events.
CREATE VIRTUAL TABLE `said` USING fts5(`text`, content='', contentless_delete=1, detail=none, tokenize='trigram');
--> statement-breakpoint
CREATE VIRTUAL TABLE `said_terms` USING fts5vocab(`said`, 'row');
