import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Manifest } from '../contract/archives/features.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { anyText } from '../text/testing/any-text.ts';
import { noteFigures } from './archive-figures.ts';
import { archiveHtml, fitHtmlText, htmlStyle } from './archive-html.ts';
import { archiveMarkdown } from './archive-markdown.ts';
import { type ArchiveStory, createSessionStory } from './archive-story.ts';
import { callsCsv } from './calls-csv.ts';
import { createRedactionPreview } from './redact.ts';

const HOSTILE = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'\`=cmd|' /C calc'!A0 \u202e\u0007 [x](javascript:alert(1)) @team <!--`;
const STYLE_HASH = createHash('sha256').update(htmlStyle).digest('base64');

const manifest: Manifest = {
	...{ version: 1, id: '0123456789ab-2026-02-23_cart', feature: HOSTILE, folder: '2026-02-23_cart', workflow: HOSTILE },
	...{ archivedAt: '2026-02-23T00:00:00.000Z', documents: [], complete: true },
	sessions: [{ sessionId: 's', ended: true, timelines: [], files: [] }],
};

const hostileEvent = (seq: number, type: string, fields: object) =>
	({
		...{ id: `e${seq}`, ts: new Date(Date.UTC(2026, 1, 23) + seq * 1000).toISOString(), seq },
		...{ type, category: 'tool', label: HOSTILE, sessionId: 's', ...fields },
	}) as IndexedEvent;

function storyOf(events: readonly IndexedEvent[], change: Partial<ArchiveStory> = {}): ArchiveStory {
	const session = createSessionStory('s');
	for (const event of events) session.add(event);
	return { manifest, outcome: null, redacted: false, sessions: [session.story()], documents: [], ...change };
}
const call = (seq: number, command: string) =>
	hostileEvent(seq, 'tool:call', { tool: 'Bash', toolUseId: `t${seq}`, input: { command } });
const denial = (seq: number, of: number) =>
	hostileEvent(seq, 'gate:verdict', {
		...{ gate: HOSTILE, decision: 'deny', rule: HOSTILE, reason: HOSTILE, facts: {}, durationMs: 1 },
		...{ toolUseId: `t${of}`, hook: 'PreToolUse' },
	});
const hostile = storyOf(
	[
		hostileEvent(1, 'prompt:submit', { prompt: HOSTILE, source: 'user' }),
		hostileEvent(2, HOSTILE, { words: HOSTILE, unknown: true }),
		hostileEvent(3, 'stage:start', { stage: HOSTILE }),
		hostileEvent(4, 'agent:start', { agent: HOSTILE, startedAgentId: HOSTILE, agentId: HOSTILE }),
		call(5, HOSTILE),
		denial(6, 5),
		hostileEvent(7, 'stage:complete', { stage: HOSTILE, result: HOSTILE }),
	],
	{ documents: [{ name: HOSTILE, text: HOSTILE }], missing: HOSTILE },
);
const pageOf = (story: ArchiveStory) => [...archiveHtml(story, STYLE_HASH)].join('');

test('an export has notes with author, time and subject, as plain text', () => {
	const session = createSessionStory('s');
	const by = { role: 'operator', via: 'browser', name: '<b>ada</b>' };
	const note = (seq: number, fields: object) =>
		session.add({
			...{
				id: `n${seq}`,
				seq,
				ts: '2026-01-01T12:00:00.000Z',
				sessionId: 's',
				type: 'note:add',
				category: 'x',
				label: '',
			},
			...{ text: 'ask <first>', labels: ['slow'], by, ...fields },
		} as Parameters<typeof session.add>[0]);
	note(1, { stage: 'DEV' });
	note(2, { from: '2026-01-01T11:00:00.000Z', to: '2026-01-01T11:30:00.000Z' });
	note(3, { row: 'call:gone' });
	note(4, { text: { length: 3 }, stage: 'DEV' });
	note(5, { by: { via: {} }, stage: 'DEV' });
	expect(noteFigures([session.story()])).toEqual([
		['2026-01-01 12:00:00', '<b>ada</b>', 'stage DEV', '#slow ask <first>'],
		['2026-01-01 12:00:00', '<b>ada</b>', '11:00:00 to 11:30:00', '#slow ask <first>'],
		['2026-01-01 12:00:00', '<b>ada</b>', 'call:gone', '#slow ask <first>'],
	]);
});

test('the page has no mark-up of an agent, loads nothing, and forbids script and all but its own style', () => {
	const page = pageOf(hostile);
	const tags = new Set(page.match(/<\/?[a-z0-9]+/g)?.map((tag) => tag.replace('/', '')));
	const ours = 'html head meta title style body h1 h2 table tr td th ol li time b i u br p details summary pre';
	expect([...tags].filter((tag) => !ours.split(' ').includes(tag.slice(1)))).toEqual([]);
	expect(page).not.toMatch(/<[^>]*\s(?:on\w+|src|href|style)=/);
	expect(page).toContain(
		`<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'">`,
	);
	expect(page).toContain('RLO U+202E');
	expect(page).toContain('Not everything is here');
	// The policy comes before the elements that it restricts.
	expect(page.indexOf('content-security-policy')).toBeLessThan(page.indexOf('<title'));
});

test('whatever its text, the page holds it as text within its bounds', () => {
	fc.assert(
		fc.property(anyText({ maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (text, most) => {
			const html = fitHtmlText(text, most);
			expect(html).not.toMatch(/[<>"']/);
			expect(new TextEncoder().encode(html).length).toBeLessThanOrEqual(most);
		}),
	);
});

test('a page of 10,000 events is below 5 MB and has them all, also where each is long and every character is escaped', () => {
	for (const text of ['<'.repeat(300), '漢'.repeat(300)]) {
		const page = pageOf(storyOf(Array.from({ length: 10_000 }, (_, index) => call(index + 1, text))));
		expect(new TextEncoder().encode(page).length).toBeLessThan(5_000_000);
		expect(page.match(/<li/g)).toHaveLength(10_000);
	}
	const larger = pageOf(storyOf(Array.from({ length: 30_000 }, (_, position) => call(position + 1, '<'.repeat(300)))));
	expect(new TextEncoder().encode(larger).length).toBeLessThan(5_000_000);
	expect(larger).toMatch(/\d+ more lines are left out/);
});

test('the summary for a pull request is bounded, and no text of an agent is a link, a tag, a mention or a table of its own', () => {
	const text = archiveMarkdown(hostile);
	expect(text).toContain('## Stages');
	expect(text).toContain('## What gates and people said');
	const outside = text.replaceAll(/`[^`\n]*`/g, '');
	expect(outside).not.toMatch(/<|\]\(|@team/);
	for (const line of text.split('\n').filter((each) => each.startsWith('|')))
		expect(line).toMatch(/^\|(?:[^|]*\|){2,3}$/);
	const long = archiveMarkdown(
		storyOf(
			Array.from({ length: 2000 }, (_, position) => [
				call(2 * position + 1, HOSTILE),
				denial(2 * position + 2, 2 * position + 1),
			]).flat(),
		),
	);
	expect(long.length).toBeLessThan(60_000);
	expect(long).toContain('and 1980 more');
});

test('every call is a line of the table, and no field is a formula', () => {
	const lines = ['=1+1', '+1', '-1', '@x', '\t=1', 'a,"b"'].map((line, position) => call(position + 1, line));
	const csv = callsCsv(storyOf([...lines, denial(7, 1)]));
	expect(csv.split('\r\n')).toHaveLength(8);
	const [head, first] = csv.split('\r\n');
	expect(head).toMatch(/^at,session,agent,tool,what,outcome,/);
	expect(first).toContain(",'=1+1,stopped,");
	for (const start of ["'+1", "'-1", "'@x"]) expect(csv).toContain(`,${start},`);
	expect(csv).toContain(',"a,""b""",');
	expect(csv).not.toMatch(/(?:^|,)"?[=+@-]/m);
});

test('the preview counts exactly what a redacted export leaves out', () => {
	const preview = createRedactionPreview(2);
	preview.add(hostileEvent(1, 'prompt:submit', { prompt: 'my secret', source: 'user', label: 'x' }));
	preview.add(call(2, 'ls'));
	const { events, touched, ids, leftOut, fields } = preview.counted();
	expect([events, touched, ids, leftOut]).toEqual([2, 2, 2, 2]);
	expect(fields).toContainEqual({ type: 'prompt:submit', field: 'prompt', count: 1, characters: 9 });
	expect(fields).toContainEqual({ type: 'tool:call', field: 'input', count: 1, characters: 2 });
});
