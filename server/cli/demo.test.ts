import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { firstPage } from './demo.ts';

const LONG = 3_600_000;
const { signal } = new AbortController();

test('the demo begins with the first page that is open', async () => {
	let looks = 0;
	await firstPage({ isOpen: () => ++looks > 2, mostMs: LONG, signal });
	expect(looks).toBe(3);
});

test('without a page the demo begins by Enter, or after an announced time; Ctrl+C ends the wait', async () => {
	const isOpen = () => false;
	const keys = new PassThrough();
	const begun = firstPage({ isOpen, keys: keys as never, mostMs: LONG, signal });
	keys.write('\n');
	await begun;
	expect(keys.isPaused()).toBe(true);
	expect(keys.listenerCount('data')).toBe(0);
	await firstPage({ isOpen, mostMs: 1, signal });
	const waiting = firstPage({ isOpen, mostMs: LONG, signal: AbortSignal.abort() });
	await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
