import { expect, test } from 'vitest';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { keepDecided, nextReceiptEnd, RECEIPT_MS } from './waiting.ts';

const request = (approvalId: string, seconds: number) => ({
	approval: {
		...{ approvalId, state: 'waiting', tool: 'Bash', title: '', denials: [] },
		deadline: new Date(seconds * 1000).toISOString(),
	} satisfies ApprovalView,
});
const ids = (list: readonly { approval: ApprovalView; overSince?: number }[]) =>
	list.map(({ approval, overSince }) => `${approval.approvalId}${overSince === undefined ? '' : ' over'}`);

test('a question that is over keeps its place for five seconds', () => {
	const [a, b, c] = [request('a', 10), request('b', 20), request('c', 30)];
	const before = keepDecided([], [a, b, c], 0);
	const over = keepDecided(before, [a, c], 1000);
	expect(ids(over)).toEqual(['a', 'b over', 'c']);
	expect(nextReceiptEnd(over, 1000)).toBe(1000 + RECEIPT_MS);
	expect(ids(keepDecided(over, [a, c], 999 + RECEIPT_MS))).toEqual(['a', 'b over', 'c']);
	expect(ids(keepDecided(over, [a, c], 1000 + RECEIPT_MS))).toEqual(['a', 'c']);
	expect([nextReceiptEnd([a, c], 1000), nextReceiptEnd(over, 1000 + RECEIPT_MS)]).toEqual([null, null]);
});

test('while a receipt is shown nothing else moves: anything more urgent waits at the end until then', () => {
	const [a, b, soon] = [request('a', 10), request('b', 20), request('soon', 5)];
	const over = keepDecided(keepDecided([], [a, b], 0), [b], 1000);
	const more = keepDecided(over, [soon, b], 2000);
	expect(ids(more)).toEqual(['a over', 'b', 'soon']);
	expect(ids(keepDecided(more, [soon, b], 1000 + RECEIPT_MS))).toEqual(['soon', 'b']);
});

test('a card kept longer than a receipt moves below the waiting ones once nothing is fresh', () => {
	const [a, b, soon] = [request('a', 10), request('b', 20), request('soon', 5)];
	const over = keepDecided(keepDecided([], [a, b], 0), [soon, b], 1000, Number.POSITIVE_INFINITY);
	expect(ids(over)).toEqual(['a over', 'b', 'soon']);
	expect(ids(keepDecided(over, [soon, b], 1000 + RECEIPT_MS, Number.POSITIVE_INFINITY))).toEqual([
		'soon',
		'b',
		'a over',
	]);
});

test('a question that waits again, because its end was undone, is no receipt', () => {
	const a = request('a', 10);
	expect(ids(keepDecided(keepDecided(keepDecided([], [a], 0), [], 1000), [a], 2000))).toEqual(['a']);
});
