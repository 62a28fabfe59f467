import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryPorts } from '#hooks-bridge/testing/memory-ports.ts';
import { answerAll, recordedInputs } from '#hooks-bridge/testing/recorded-agent.ts';
import { parseEvent, type TimelineEvent } from '#lib/contract/events/event.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import {
	type FoldedSession,
	foldAgain,
	foldLines,
	type LineItem,
	neededRows,
	type StoredRows,
} from '#lib/ingest/fold-lines.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { gapOf } from './timeline-file.ts';

const birth = '2026-01-01T00:00:00.000Z';

/** A hub writes a view after so many events. */
const CHECKPOINT = 64;

/** A store that hands out what was asked for, and counts what is looked for beyond that. */
function createBaseStore() {
	const ids = new Set<string>();
	const rows = new Map<string, Row>();
	const unfetched: string[] = [];
	class Fetched extends Map<string, Row | undefined> {
		override get(key: string) {
			if (!this.has(key) && ids.size > 0) unfetched.push(key);
			return super.get(key);
		}
	}
	return {
		rows,
		unfetched,
		fetch(view: SessionView, items: readonly LineItem[]): StoredRows {
			const needed = neededRows(view, items);
			return {
				known: new Set(needed.ids.filter((id) => ids.has(id))),
				rows: new Fetched(needed.rowKeys.map((key) => [key, rows.get(key)])),
			};
		},
		keep(folded: ReturnType<typeof foldLines>['folded']) {
			for (const { event } of folded.events) ids.add(event.id);
			for (const row of folded.rows) rows.set(row.key, row);
		},
	};
}

/** The session in batches that end at `cuts`; and, folded again from each checkpoint that a hub would keep, the same. */
function inBatches(sessionId: string, items: readonly LineItem[], cuts: readonly number[]) {
	const baseStore = createBaseStore();
	let hot: FoldedSession = { view: emptyView(sessionId), lastTs: undefined };
	let checkpoint = hot.view;
	let since: Parameters<typeof foldAgain>[1] = [];
	let from = 0;
	for (const to of [...cuts].sort((one, other) => one - other).concat(items.length)) {
		const part = items.slice(from, to);
		from = to;
		const { folded, lastTs } = foldLines(baseStore.fetch(hot.view, part), hot, { items: part, gapTime: birth });
		baseStore.keep(folded);
		hot = { view: folded.view, lastTs };
		since = [...since, ...folded.events.map(({ event }) => event)];
		expect(folded.reachedBack ? folded.view : foldAgain(checkpoint, since)).toEqual(folded.view);
		if (!folded.reachedBack && since.length < CHECKPOINT) continue;
		checkpoint = folded.view;
		since = [];
	}
	return { view: hot.view, rows: baseStore.rows, unfetched: baseStore.unfetched };
}

/** The same session, one event after the other, with every row at hand. */
function oneByOne(sessionId: string, items: readonly LineItem[]) {
	const rows = new Map<string, Row>();
	const seen = new Set<string>();
	let view = emptyView(sessionId);
	for (const item of items) {
		if ('gap' in item || seen.has(item.event.id)) continue;
		seen.add(item.event.id);
		const step = fold(view, { ...item.event, seq: view.seq + 1 }, (key) => rows.get(key));
		for (const row of step.rows) rows.set(row.key, row);
		view = step.view;
	}
	return { view, rows };
}

function expectSame(sessionId: string, events: readonly TimelineEvent[], steps: readonly number[]) {
	const items = events.map((event) => ({ event, unverified: false }));
	const whole = oneByOne(sessionId, items);
	for (const step of steps) {
		const { unfetched, ...found } = inBatches(sessionId, items, everyNth(events.length, step));
		expect(unfetched).toEqual([]);
		expect(found).toEqual(whole);
	}
}

/** So many lines each, so that calls leave the view between two of them and within one. */
const everyNth = (count: number, step: number) => Array.from({ length: Math.floor(count / step) }, (_, n) => n * step);

test.each(['claude-code', 'codex', 'copilot', 'gemini', 'opencode', 'qwen', 'cursor', 'pi'])(
	'what folding the recorded runs of %s needs is known before, whatever pieces they come in',
	(agent) => {
		const ports = memoryPorts();
		answerAll(
			agent,
			recordedInputs(agent).map(({ input }) => input),
			ports,
		);
		let count = 0;
		for (const [sessionId, lines] of ports.timelines) {
			const events = lines.map((line) => parseEvent(line) as TimelineEvent);
			expectSame(sessionId, events, [1, 3, 50]);
			count += events.length;
		}
		expect(count).toBeGreaterThan(20);
	},
);

const calls = fc.nat(300).map((n) => `c${n}`);
const agents = fc.nat(60).map((n) => `a${n}`);
const approvals = fc.nat(40).map((n) => `approval-${n}`);
const anyFields = fc.oneof(
	{ weight: 8, arbitrary: calls.map((toolUseId) => ({ type: 'tool:call', toolUseId, tool: 'Agent', input: {} })) },
	{
		weight: 4,
		arbitrary: fc.record({
			type: fc.constant('tool:result'),
			toolUseId: calls,
			tool: fc.constant('Agent'),
			startedAgentId: fc.option(agents, { nil: undefined }),
			background: fc.constantFrom(true, undefined),
		}),
	},
	{ weight: 2, arbitrary: calls.map((toolUseId) => ({ type: 'tool:error', toolUseId, tool: 'Agent', error: 'no' })) },
	{
		weight: 6,
		arbitrary: fc.record({
			type: fc.constantFrom('agent:start', 'agent:complete'),
			agent: fc.constant('developer'),
			agentId: agents,
			toolUseId: fc.option(calls, { nil: undefined, freq: 3 }),
		}),
	},
	{
		weight: 2,
		arbitrary: calls.map((toolUseId) => ({
			...{ type: 'gate:verdict', toolUseId, gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {} },
			form: 'deny',
		})),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			...{ type: fc.constant('approval:request'), approvalId: approvals, tool: fc.constant('Bash') },
			...{
				input: fc.constant({}),
				inputDigest: fc.constant('d'),
				denials: fc.constant([]),
				deadline: fc.constant(birth),
			},
			toolUseId: fc.option(calls, { nil: undefined, freq: 2 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			type: fc.constant('approval:expire'),
			approvalId: approvals,
			toolUseId: fc.option(calls, { nil: undefined, freq: 2 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			...{ type: fc.constant('hook:event'), name: fc.constantFrom('Stop', 'PermissionDenied', 'Notification') },
			...{ fields: fc.constant({ reason: 'auto' }), toolUseId: fc.option(calls, { nil: undefined, freq: 3 }) },
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ type: 'prompt:submit', prompt: 'go', source: 'user' }) },
);

test('the data for folding any history is known before, also if calls leave the view and are mentioned again', () => {
	fc.assert(
		fc.property(
			fc.array(anyFields, { minLength: 150, maxLength: 700, size: 'max' }),
			fc.integer({ min: 1, max: 200 }),
			fc.nat(20),
			(drafts, step, repeats) => {
				const lines = [...drafts, ...drafts.slice(0, repeats)];
				const events = lines.map((draft, n) => {
					const ts = new Date(Date.parse(birth) + (n % drafts.length) * 1000).toISOString();
					const envelope = { id: `e${n % drafts.length}`, ts, sessionId: 's1', category: 'c', label: 'l' };
					const event = parseEvent({ ...envelope, ...draft });
					if (!event || 'unknown' in event) throw new Error(`no event: ${JSON.stringify(draft)}`);
					return event;
				});
				expectSame('s1', events, [step]);
			},
		),
		{ numRuns: 20, seed: 16, endOnFailure: true },
	);
});

test('a line that took the id of a later gap stops nothing', async () => {
	const rig = createTimelineRig();
	const noise = 'not JSON\n';
	// It stands in a file whose first line has a fixed length, so that its id can be told beforehand.
	const line = (id: string) => `${JSON.stringify({ ...samplePrompt('s1', 1), id })}\n`;
	const offset = line('0'.repeat(64)).length;
	const { id } = gapOf('s1', { offset, bytes: noise.length - 1, reason: 'not JSON' });
	rig.append('s1', line(id));
	const run = await rig.start();
	await run.tail.whenRead();
	rig.append('s1', noise + asLine(samplePrompt('s1', 2)));
	run.tail.noteAppended('s1');
	await run.tail.whenRead();
	expect(run.events('s1').map((event) => event.id)).toEqual([id, 'e2']);
	expect(run.logged).toEqual([]);
	await run.stop();
});
