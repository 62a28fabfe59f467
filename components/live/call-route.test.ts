import { afterEach, expect, test, vi } from 'vitest';
import { callRoute } from './call-route.ts';

const list = () => callRoute('GET /api/approvals', { query: { limit: 1 } });
const approve = () =>
	callRoute('POST /api/approvals/:id', { params: { id: 'approval-1' }, body: { decision: 'approve' } });

afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

test('happy#1123: an answer that never comes ends the wait, and does not show as nothing done', async () => {
	vi.useFakeTimers();
	const hangs = (_path: string, { signal }: { signal: AbortSignal }) =>
		new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
	vi.stubGlobal('fetch', hangs);
	const answer = approve();
	await vi.advanceTimersByTimeAsync(30_000);
	expect(await answer).toMatchObject({ ok: false, status: 0, message: expect.stringContaining('may have taken this') });
});

test('an answer that is cut off is no answer, and does not show as nothing changed', async () => {
	const cut = () =>
		new ReadableStream({
			start(body) {
				body.enqueue(new TextEncoder().encode('{"approvals":['));
				body.error(new TypeError('network error'));
			},
		});
	vi.stubGlobal('fetch', async () => new Response(cut()));
	expect(await list()).toMatchObject({ ok: false, status: 0 });
	const answer = await approve();
	expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('has taken this') });
	vi.stubGlobal('fetch', async () => new Response(cut(), { status: 500 }));
	expect(await list()).toMatchObject({ ok: false, status: 500 });
	vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
	expect(await callRoute('POST /logout')).toEqual({ ok: true, data: null });
});

test('every request carries the session token that the storage has by now', async () => {
	const storage = new Map<string, string>();
	vi.stubGlobal('localStorage', { getItem: (key: string) => storage.get(key) ?? null });
	const sent: unknown[] = [];
	vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
		sent.push(headers);
		return new Response('{"approvals":[]}');
	});
	await list();
	storage.set('signalbox-session', 'first');
	await list();
	storage.set('signalbox-session', 'second');
	await approve();
	expect(sent).toEqual([
		{},
		{ 'x-signalbox-session': 'first' },
		{ 'content-type': 'application/json', 'x-signalbox-session': 'second' },
	]);
});
