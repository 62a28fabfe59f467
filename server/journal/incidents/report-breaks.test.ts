import { expect, test } from 'vitest';
import type { JournalRow } from '../../timeline/store/journal-store.ts';
import { createIncidentLog } from './incident-log.ts';
import { reportBreaks } from './watch-journal.ts';

test('a place where the journal went on after a loss is an incident of each start for a day', () => {
	const incidents = createIncidentLog({
		ports: { append: () => undefined, digest: (text) => text, now: Date.now },
		log: { info: () => undefined, warn: () => undefined, error: () => undefined },
	});
	const searches: unknown[] = [];
	const payload = { reason: 'gone', what: 'was gone when the server started', after: null, known: null, kept: null };
	const row = { id: 'x', kind: 'journal:follow', subject: 'journal', ts: new Date().toISOString() } as const;
	const rows: JournalRow[] = [
		{ ...row, n: 31, payload: { ...payload, known: { n: 30, hash: 'h' } } },
		{ ...row, n: 40, payload: { reason: 'of a later version' } },
	];
	const byKind = (kinds: readonly string[], options: object) => {
		searches.push([kinds, options]);
		return rows;
	};
	reportBreaks({ byKind }, incidents);
	expect(searches).toMatchObject([[['journal:follow'], { sinceMs: expect.any(Number) }]]);
	expect(incidents.list()).toMatchObject([
		{
			code: 'journal/changed',
			about: 'row 31',
			until: null,
			message:
				'The journal was gone when the server started. Rows 1 to 30 are lost, with whatever they let in or decided; ' +
				'it goes on with row 31.',
		},
	]);
});
