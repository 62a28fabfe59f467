import { appendToJournal } from './append-to-journal.ts';

/* Mints ten links in a journal, and tries to use ten that others use, too: `PATH NAME`. */
const [path = '', name = ''] = process.argv.slice(2);
for (let n = 0; n < 10; n += 1) {
	appendToJournal(path, { id: `${name}-${n}`, kind: 'link:mint', subject: 's', payload: {} });
	appendToJournal(path, { id: `${name}-use-${n}`, kind: 'link:use', subject: `link-${n}`, payload: {} }, ['link:use']);
}
