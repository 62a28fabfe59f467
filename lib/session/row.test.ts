import { expect, test } from 'vitest';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { english } from '../messages/say.ts';
import { callTitle } from './call.ts';
import { eventRow, requestSentence, rowLabel } from './row.ts';
import { viewAfter } from './testing/view-after.ts';

const ended = (type: 'stage:complete' | 'agent:complete', result?: string) =>
	eventRow({
		...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: '', label: '', sessionId: 's', seq: 1 },
		...{ type, stage: 'TEST', agent: 'tester', ...(result && { result }) },
	} as IndexedEvent).tone;

test('the end of a stage or agent has the tone of its result', () => {
	for (const type of ['stage:complete', 'agent:complete'] as const) {
		expect([undefined, 'pass', 'FAIL', 'reject', 'issues'].map((result) => ended(type, result))).toEqual([
			...['ok', 'ok', 'err', 'err', 'warn'],
		]);
	}
});

test('a loop that was stopped is not complete', () => {
	const loop = (reason?: string) => {
		const event = { ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: '', label: '', sessionId: 's', seq: 1 } };
		const row = eventRow({ ...event, type: 'loop:complete', ...(reason && { reason }) } as IndexedEvent);
		return [rowLabel(row), row.title, row.tone];
	};
	expect(loop()).toEqual(['Loop complete', '', 'ok']);
	expect(loop('complete')).toEqual(['Loop complete', '', 'ok']);
	expect(loop('stopped')).toEqual(['Loop stopped', '', 'plain']);
	expect(loop('loop.too-many-errors')).toEqual(['Loop stopped', 'loop.too-many-errors', 'plain']);
});

test('a verdict comment is shown in words, and once', () => {
	const event = { ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: '', label: '', sessionId: 's', seq: 1 } };
	const title = (fields: object) => eventRow({ ...event, ...fields } as IndexedEvent).title;
	const lastMessage = 'All is built. <!-- VERDICT: {"result": "PASS"} -->';
	expect(title({ type: 'message:show', text: lastMessage })).toBe('All is built. (verdict: pass)');
	expect(title({ type: 'agent:complete', agent: 'tester', message: lastMessage })).toBe(
		'tester · All is built. (verdict: pass)',
	);
	expect(title({ type: 'agent:complete', agent: 'tester', result: 'pass', message: lastMessage })).toBe(
		'tester · pass · All is built.',
	);
	expect(title({ type: 'loop:advance', iteration: 3, progress: '4/8' })).toBe('iteration 3 · 4 of 8');
	expect(title({ type: 'loop:advance', iteration: 3, progress: 'half' })).toBe('iteration 3 · half');
	expect(title({ type: 'loop:advance', iteration: 3, progress: '2/4', tasks: '1/3' })).toBe(
		'iteration 3 · 2 of 4 stages, 1 of 3 tasks',
	);
	expect(title({ type: 'loop:advance', iteration: 3, progress: '2/4', tasks: '0/0' })).toBe(
		'iteration 3 · 2 of 4 stages',
	);
});

test('a line that could not be verified is shown whatever its type, as an error and without its words', () => {
	const event = { ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: '', label: '', sessionId: 's', seq: 1 } };
	const row = (more: object) => eventRow({ ...event, type: 'command:run', command: 'ls', ...more } as IndexedEvent);
	expect(row({})).toMatchObject({ shown: false, tone: 'ok', title: 'ls' });
	expect(row({ unverified: true })).toMatchObject({ shown: true, tone: 'err', title: '' });
});

test.each([
	['allowed', { allow: true }],
	['sent back', { allow: false }],
	['allowed by a person', { allow: true, by: 'person' }],
	['sent back by a person', { allow: false, by: 'person' }],
	['review failed, allowed', { allow: true, failed: true }],
	['review failed, sent back', { allow: false, failed: true }],
])('the story says of a review: %s', (words, fields) => {
	const event = { ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: '', label: '', sessionId: 's', seq: 1 } };
	const verdict = { type: 'supervisor:verdict', hook: 'Stop', iteration: 1, max: 20, feedback: 'why' };
	expect(eventRow({ ...event, ...verdict, ...fields } as IndexedEvent).title).toBe(`${words} · why`);
});

test('a plan is described by its text, a call without input by its tool alone', () => {
	expect(callTitle('ExitPlanMode', { plan: '# Plan\n\n1. Build', planFilePath: '/p.md' })).toBe('# Plan 1. Build');
	expect(callTitle('ExitPlanMode', {})).toBe('');
	expect(callTitle('mcp__shop__list', { of: 'pears' })).toBe('{"of":"pears"}');
});

test('a patch is called by the files that it changes', () => {
	const patch =
		'*** Begin Patch\n*** Update File: src/pay.js\n@@\n-a\n+b\n*** Add File: docs/pay.md\n+# Pay\n*** End Patch';
	expect(callTitle('apply_patch', { command: patch })).toBe('src/pay.js, docs/pay.md');
	expect(callTitle('apply_patch', { command: 'no patch' })).toBe('{"command":"no patch"}');
});

test('a test run ends with its counts, not with the time that its report names last', () => {
	const call = { toolUseId: 't1', tool: 'Bash' };
	const lastLineOf = (stdout: string) =>
		viewAfter(
			['tool:call', { ...call, input: { command: 'npm test' } }],
			['tool:result', { ...call, response: { stdout } }],
		).calls[0]?.lastLine;
	const report = (fail: number) => `ok 1\n# tests 3\n# pass ${3 - fail}\n# fail ${fail}\n# duration_ms 51.2\n`;
	expect(lastLineOf(report(0))).toBe('3 passed');
	expect(lastLineOf(report(1))).toBe('1 failed, 2 passed');
	expect(lastLineOf('done\n14 passed\n')).toBe('14 passed');
});

test('a report of the client is shown as the agent wrote it, and is no prompt of a person', () => {
	const report =
		'<task-notification><summary>Command "a =&gt; &amp;lt; &quot;b&quot;" completed</summary></task-notification>';
	const event = { ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: '', label: '', sessionId: 's', seq: 1 } };
	const row = eventRow({ ...event, type: 'prompt:submit', prompt: report, source: 'task' } as IndexedEvent);
	expect(row.title).toBe('Command "a => &lt; "b"" completed');
	const { counters } = viewAfter(
		['prompt:submit', { prompt: 'go', source: 'user' }],
		['prompt:submit', { prompt: report, source: 'task' }],
	);
	expect(counters.prompts).toBe(1);
});

test('a held call is said as what its actor wants, with its whole title', () => {
	const sentenceFor = (call: { tool: string; title: string; asked?: string }) =>
		requestSentence({ approvalId: 'a', state: 'waiting', denials: [], ...call }, 'main', english);
	const title = `Design ${'the receipts '.repeat(20)}`;
	expect(sentenceFor({ tool: 'Agent', title, asked: 'architect' })).toBe(`main wants to start architect: ${title}`);
	expect(sentenceFor({ tool: 'Bash', title: 'git push --force' })).toBe('main wants to run git push --force');
	expect(sentenceFor({ tool: 'Edit', title: 'src/pay.js' })).toBe('main wants to edit src/pay.js');
	expect(sentenceFor({ tool: 'WebFetch', title: '' })).toBe('main wants to call WebFetch');
});
