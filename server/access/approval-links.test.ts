import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalDraft, JournalStore } from '../timeline/store/journal-store.ts';
import { createApprovalLinks } from './approval-links.ts';

const QUESTION = { approvalId: '0f0f0f0f-aaaa-4bbb-8ccc-123456789abc', deadline: '2026-01-01T00:01:00.000Z' };
const ASKED = Date.parse('2026-01-01T00:00:00.000Z');

/** The journal's rows by subject, with its compare-and-swap. */
function openLinks(at = { now: ASKED }) {
	const rows: JournalDraft[] = [];
	const bySubject = (subject: string) =>
		rows.filter((row) => row.subject === subject).map((row) => ({ ...row, n: 1, ts: '' }));
	const append: JournalStore['append'] = async (draft) => {
		if (bySubject(draft.subject).length > 0) return null;
		rows.push(draft);
		return { ...draft, n: rows.length, ts: '' };
	};
	return { links: createApprovalLinks({ journal: { append, bySubject }, now: () => at.now }), rows, at };
}

test('R776 a link names one call, is over at its deadline, and no two are the same', () => {
	const { links, at } = openLinks();
	const link = links.mint(QUESTION);
	expect(links.read(link)).toMatchObject({ approvalId: QUESTION.approvalId, until: ASKED + 60_000 });
	expect(links.mint(QUESTION)).not.toBe(link);
	at.now = ASKED + 60_000;
	expect(() => links.read(link)).toThrow('no longer waits');
});

test('R776 a link with any change, of another server, or of before a restart is none', () => {
	const { links } = openLinks();
	const link = links.mint(QUESTION);
	fc.assert(
		fc.property(fc.nat(link.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (position, letter) => {
			const changed = link.slice(0, position) + letter + link.slice(position + 1);
			if (changed !== link) expect(() => links.read(changed)).toThrow('This server has not made this link');
		}),
	);
	expect(() => links.read(openLinks().links.mint(QUESTION))).toThrow('This server has not made this link');
	for (const odd of ['', link.slice(0, -1), `${link}A`, `${link}\n`, link.toUpperCase()]) {
		expect(() => links.read(odd)).toThrow('This server has not made this link');
	}
});

test('R776 a link is used once, also at the same moment; its row names the call and no secret', async () => {
	const { links, rows } = openLinks();
	const link = links.mint(QUESTION);
	const read = links.read(link);
	const used = await Promise.allSettled([links.use(read, 'browser'), links.use(read, 'passkey')]);
	expect(used.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
	expect(() => links.read(link)).toThrow('used already');
	expect(rows).toMatchObject([{ kind: 'link:use', payload: { approval: QUESTION.approvalId, by: 'browser' } }]);
	expect(JSON.stringify(rows)).not.toContain(link.split('.').at(-1));
});
