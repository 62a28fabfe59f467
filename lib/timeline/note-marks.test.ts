import { expect, test } from 'vitest';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { Note } from '../contract/sessions/session-actions.ts';
import { noteLine, notesOfRows, spanOfNote } from './note-marks.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const row = (key: string, second: number, fields: Partial<Row> = {}): Row => ({
	...{ key, seq: second, at: at(second), type: 'tool:call', title: '', tone: 'plain', shown: true },
	...fields,
});
const note = (id: string, target: Partial<Note>): Note => ({
	...{ id, at: at(99), by: { role: 'operator', via: 'browser' }, text: id, labels: [] },
	...target,
});

test('a note is marked at its row, at all rows of its stretch of time, and where its stage begins', () => {
	const notes = [
		note('on the row', { row: 'call:a' }),
		note('on the time', { from: at(2), to: at(3) }),
		note('on the stage', { stage: 'TEST' }),
	];
	const rows = [
		...[row('call:a', 1), row('call:b', 2), row('call:c', 3), row('call:d', 4)],
		...[
			row('e1', 5, { type: 'stage:start', title: 'TEST tester' }),
			row('e2', 6, { type: 'stage:start', title: 'TEST:2' }),
		],
	];
	const found = notesOfRows(rows, notes);
	expect([...found].map(([key, own]) => [key, own.map(({ id }) => id)])).toEqual([
		['call:a', ['on the row']],
		['call:b', ['on the time']],
		['call:c', ['on the time']],
		['e1', ['on the stage']],
	]);
	expect(notesOfRows(rows, []).size).toBe(0);
});

test('on an axis a note lies where its row, its time or its stage does, and nowhere where that is not known', () => {
	const runs = [
		{ stage: 'TEST', from: 10, to: 20 },
		{ stage: 'TEST', from: 30, to: null },
		{ stage: 'DEV', from: 40, to: null },
	];
	expect(spanOfNote({ stage: 'TEST' }, runs, 50)).toEqual({ from: 10, to: 20 });
	expect(spanOfNote({ stage: 'DEV' }, runs, 50)).toEqual({ from: 40, to: 50 });
	expect(spanOfNote({ stage: 'DOCS' }, runs, 50)).toBeNull();
	expect(spanOfNote({ row: 'call:a' }, runs, 50)).toBeNull();
	expect(spanOfNote({ row: 'call:a', rowAt: at(1) }, runs, 50)).toEqual({
		from: Date.parse(at(1)),
		to: Date.parse(at(1)),
	});
	expect(spanOfNote({ from: at(1), to: at(2) }, runs, 50)).toEqual({ from: Date.parse(at(1)), to: Date.parse(at(2)) });
	expect(noteLine({ labels: ['slow', 'ask'], text: 'why' })).toBe('#slow #ask why');
});
