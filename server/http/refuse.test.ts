import { expect, test } from 'vitest';
import { JournalUnwritten } from '../timeline/store/journal-failure.ts';
import { toAppError } from './refuse.ts';

test('R1010 the person who decides learns why the journal could not be written, and so does the log', () => {
	const logged: unknown[] = [];
	const thrown = new JournalUnwritten('the disk is full');
	const { status, code, message } = toAppError(thrown, (unknown) => logged.push(unknown));
	expect({ status, code, message }).toEqual({
		status: 503,
		code: 'journal/unwritten',
		message: 'The journal could not be written, so nothing was changed: the disk is full.',
	});
	expect(logged).toEqual([thrown]);
	expect(toAppError(new Error('a secret'), () => undefined).message).not.toContain('a secret');
});
