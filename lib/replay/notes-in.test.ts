import { expect, test } from 'vitest';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { noteOf } from './notes-in.ts';

const written = {
	...{ type: 'note:add', id: 'n1', seq: 1, ts: '2026-01-01T12:00:00.000Z', category: '', label: '', sessionId: 's' },
	...{ text: 'why?', labels: ['cost'], by: { role: 'operator', via: 'browser' } },
};
const read = (fields: object) => noteOf({ ...written, ...fields } as unknown as IndexedEvent);

test('a note is read with and without what it may leave out', () => {
	const { id, ts: at, text, labels, by } = written;
	expect(read({})).toEqual({ id, at, by, text, labels });
	const more = { labels: [], by: { ...by, name: 'Ada' }, row: 'call:t1', stage: 'DEV', rowAt: at, from: at, to: at };
	expect(read(more)).toEqual({ id, at, text, ...more });
});

test.each([
	['another event', { type: 'prompt:submit' }],
	['no text', { text: undefined }],
	['no author', { by: undefined }],
	['no labels', { labels: undefined }],
	['a label that is no text', { labels: [7] }],
	['a time that is none', { from: 'noon', to: written.ts }],
])('an incomplete note is none: %s', (_name, fields) => {
	expect(read(fields)).toBeNull();
});
