import { afterEach, expect, test, vi } from 'vitest';
import { decide } from './api.ts';
import { liveStore } from './store.ts';

afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

test('R747 happy#1123: an answer that never comes ends the wait, and is not told as nothing done', async () => {
	vi.useFakeTimers();
	liveStore.setState({ me: { sessionToken: 'token' } as never });
	const hangs = (_path: string, { signal }: { signal: AbortSignal }) =>
		new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
	vi.stubGlobal('fetch', hangs);
	const answer = decide('approval-1', { decision: 'approve' });
	await vi.advanceTimersByTimeAsync(30_000);
	expect(await answer).toMatchObject({ ok: false, status: 0, message: expect.stringContaining('may have taken this') });
});
