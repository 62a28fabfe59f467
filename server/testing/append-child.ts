import { openJournalWriter } from '../timeline/store/journal-writer.ts';

/* Appends to a journal for ever and prints the number of each durable row, for a test that kills it. */
const [, , path = '', run = ''] = process.argv;
const writer = openJournalWriter(path);
for (let index = 0; ; index += 1) {
	const row = writer.append({ id: `${run}-${index}`, kind: 'setting:change', subject: run, payload: { at: index } });
	process.stdout.write(`${row?.n}\n`);
	// Lets the line out.
	await new Promise(setImmediate);
}
