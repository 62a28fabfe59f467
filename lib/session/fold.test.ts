import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvent } from '../contract/events/event.ts';
import type { EventType } from '../contract/events/event-labels.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { alarmOf, find, isCallOpen, outcomeOf } from './call.ts';
import { emptyView, fold } from './fold.ts';
import { isAgentOpen } from './fold-agents.ts';
import { statusOf } from './status.ts';

type Draft = { type: EventType; at: number; agentId?: string; toolUseId?: string; [field: string]: unknown };

let serial = 0;
const BASE = Date.UTC(2026, 10, 21, 12);

/** A real event of the contract; `at` in seconds after noon. */
function event({ at, ...fields }: Draft): Omit<IndexedEvent, 'seq'> {
	serial += 1;
	const line = { id: `e${serial}`, ts: new Date(BASE + at * 1000).toISOString(), sessionId: 's1', ...fields };
	const parsed = parseEvent({ category: fields.type.split(':')[0], label: fields.type, ...line });
	if (!parsed || 'unknown' in parsed) throw new Error(`not in the catalogue: ${JSON.stringify(line)}`);
	return parsed;
}

interface Replay {
	view: SessionView;
	rows: Map<string, Row>;
}

function replay(events: readonly Omit<IndexedEvent, 'seq'>[], from?: Replay): Replay {
	const rows = new Map(from?.rows);
	let view = from?.view ?? emptyView('s1');
	for (const item of events) {
		const folded = fold(view, { ...item, seq: view.seq + 1 } as IndexedEvent, (key) => rows.get(key));
		view = folded.view;
		for (const row of folded.rows) rows.set(row.key, row);
	}
	return { view, rows };
}

const callOf = ({ view }: Pick<Replay, 'view'>, id: string) => find(view.calls, 'toolUseId', id);
const agentOf = ({ view }: Pick<Replay, 'view'>, id: string) => find(view.agents, 'agentId', id);

/** The position of an item in the story depends on arrival; its content must not. */
const timeless = (value: unknown) =>
	JSON.parse(JSON.stringify(value, (key, item) => (key === 'seq' ? undefined : item)));

const callEvents = (toolUseId: string, agentId?: string) => [
	event({ type: 'tool:call', at: 1, tool: 'Agent', input: { description: 'build' }, toolUseId, agentId }),
	event({
		type: 'gate:verdict',
		at: 1,
		gate: 'routing-plan',
		decision: 'deny',
		rule: 'routing.agent-in-plan',
		reason: 'architect not in expected [developer]',
		facts: {},
		form: 'deny',
		toolUseId,
		agentId,
	}),
	event({
		type: 'routing:mismatch',
		at: 1,
		planId: 'p',
		actual: 'architect',
		expected: ['developer'],
		toolUseId,
		agentId,
	}),
	event({
		type: 'approval:request',
		at: 2,
		approvalId: `approval-${toolUseId}`,
		tool: 'Agent',
		input: { description: 'build' },
		inputDigest: 'd',
		denials: [],
		deadline: new Date(BASE + 120_000).toISOString(),
		toolUseId,
		agentId,
	}),
	event({
		type: 'approval:resolve',
		at: 30,
		approvalId: `approval-${toolUseId}`,
		decision: 'approve',
		by: { role: 'operator', via: 'browser' },
		reason: 'needed now',
		toolUseId,
		agentId,
	}),
	event({ type: 'agent:delegate', at: 31, agent: 'architect', description: 'build', toolUseId, agentId }),
	event({ type: 'tool:result', at: 60, tool: 'Agent', durationMs: 29_000, toolUseId, agentId }),
];

const agentEvents = (agentId: string) => [
	event({ type: 'agent:start', at: 5, agent: 'developer', agentId }),
	event({ type: 'agent:complete', at: 9, agent: 'developer', message: 'done', agentId }),
	event({ type: 'agent:start', at: 12, agent: 'developer', agentId }),
	event({ type: 'agent:error', at: 14, agent: 'developer', reason: 'API error', agentId }),
];

const stageEvents = (stage: string) => [
	event({ type: 'stage:start', at: 1, stage, mode: 'verify' }),
	event({ type: 'stage:complete', at: 2, stage, result: 'fail' }),
	event({ type: 'stage:retry', at: 3, stage, failCount: 1, reason: 'two tests' }),
	event({ type: 'stage:retry', at: 3.5, stage, failCount: 2, reason: 'one test' }),
	event({ type: 'stage:start', at: 4, stage }),
	event({ type: 'stage:complete', at: 5, stage, result: 'pass' }),
];

const shuffled = <T>(items: readonly T[]) => fc.shuffledSubarray([...items], { minLength: items.length });

describe('R160 own events of one key fold to the same object in any order', () => {
	it('R160 a call', () => {
		const events = callEvents('t1');
		const expected = timeless(callOf(replay(events), 't1'));
		fc.assert(
			fc.property(shuffled(events), (order) => {
				expect(timeless(callOf(replay(order), 't1'))).toEqual(expected);
			}),
		);
	});
	it('a call that a grant let run: overridden, in any order, and never by a line without its journal row', () => {
		const [called, verdict, mismatch] = callEvents('t1');
		const result = callEvents('t1').at(-1);
		const by = { role: 'operator', via: 'browser' } as const;
		const use = { type: 'grant:use', at: 30, grantId: 'grant-0001', scope: 'once', reason: 'needed', by } as const;
		const used = event({ ...use, tool: 'Agent', inputDigest: 'd', toolUseId: 't1' });
		const events = [called, verdict, mismatch, used, result].filter((one) => one !== undefined);
		const expected = timeless(callOf(replay(events), 't1'));
		expect(callOf(replay(events), 't1')).toMatchObject({
			grant: { scope: 'once', reason: 'needed', by },
			evidence: 'ran',
		});
		expect(replay(events).view.counters).toMatchObject({ overrides: 1, deniedButRan: 0 });
		fc.assert(
			fc.property(shuffled(events), (order) => {
				expect(timeless(callOf(replay(order), 't1'))).toEqual(expected);
			}),
		);
		const forged = events.map((one) => (one === used ? { ...used, unverified: true as const } : one));
		expect(replay(forged).view.counters).toMatchObject({ overrides: 0, deniedButRan: 1, unverified: 1 });
	});
	it('R160 an agent', () => {
		const events = agentEvents('a1');
		const expected = timeless(agentOf(replay(events), 'a1'));
		fc.assert(
			fc.property(shuffled(events), (order) => {
				expect(timeless(agentOf(replay(order), 'a1'))).toEqual(expected);
			}),
		);
	});
	it('R160 an approval with two outcomes shows the earlier one', () => {
		const request = callEvents('t9')[3];
		const outcomes = [
			event({ type: 'approval:expire', at: 20, approvalId: 'approval-t9', toolUseId: 't9' }),
			event({ type: 'approval:abandon', at: 10, approvalId: 'approval-t9', toolUseId: 't9', reason: 'agent gone' }),
		];
		if (!request) throw new Error('no request');
		fc.assert(
			fc.property(shuffled([request, ...outcomes]), (order) => {
				expect(find(replay(order).view.approvals, 'approvalId', 'approval-t9')?.state).toBe('abandoned');
			}),
		);
	});
	it('R2402 an approval that came too late is no override, in any order; a forged line changes nothing', () => {
		const [called, verdict, , request, resolve] = callEvents('t9');
		const late = event({ type: 'approval:late', at: 40, approvalId: 'approval-t9', toolUseId: 't9' });
		const over = event({ type: 'session:end', at: 50, reason: 'other' });
		if (!called || !verdict || !request || resolve?.type !== 'approval:resolve') throw new Error('no events');
		const counted = (events: readonly Omit<IndexedEvent, 'seq'>[]) => replay(events).view.counters;
		expect(counted([called, verdict, request, resolve, over])).toMatchObject({ overrides: 1, denials: 0, alarms: 1 });
		fc.assert(
			fc.property(shuffled([called, verdict, request, resolve, late]), (order) => {
				const folded = replay([...order, over]);
				expect(find(folded.view.approvals, 'approvalId', 'approval-t9')?.state).toBe('late');
				expect(folded.view.counters).toMatchObject({ overrides: 0, denials: 1, alarms: 0 });
			}),
		);
		const forged = { ...late, unverified: true as const };
		expect(counted([called, verdict, request, resolve, forged, over])).toMatchObject({ overrides: 1, denials: 0 });
	});
});

describe('R161 events with different keys commute', () => {
	it('R161 a call in the background and its agent are bound, whichever of result and start comes first', () => {
		const call = event({ type: 'tool:call', at: 1, tool: 'Agent', input: {}, toolUseId: 't1' });
		const result = event({
			type: 'tool:result',
			at: 2,
			tool: 'Agent',
			toolUseId: 't1',
			startedAgentId: 'a1',
			background: true,
		});
		const begin = event({ type: 'agent:start', at: 2, agent: 'developer', agentId: 'a1' });
		const end = event({ type: 'agent:complete', at: 9, agent: 'developer', agentId: 'a1' });
		const [first, second] = [replay([call, begin, result, end]), replay([call, result, begin, end])];
		expect(timeless(agentOf(second, 'a1'))).toEqual(timeless(agentOf(first, 'a1')));
		expect(agentOf(second, 'a1')).toMatchObject({ toolUseId: 't1', background: true });
		expect(timeless(second.rows.get('call:t1'))).toEqual(timeless(first.rows.get('call:t1')));
		expect(second.rows.get('call:t1')?.call?.agentEnd).toBeDefined();
	});
	it('R161 counters, calls and agents do not depend on the interleaving', () => {
		const events = [...callEvents('t1'), ...callEvents('t2'), ...agentEvents('a1'), ...stageEvents('DEV')];
		const shape = ({ view }: Replay) =>
			timeless({ calls: sorted(view.calls), agents: view.agents, counters: view.counters });
		const expected = shape(replay(events));
		fc.assert(
			fc.property(shuffled(events), (order) => {
				expect(shape(replay(order))).toEqual(expected);
			}),
		);
	});
});

const sorted = (calls: readonly CallView[]) => [...calls].sort((a, b) => (a.toolUseId < b.toolUseId ? -1 : 1));

describe('an event at or below the view seq changes nothing', () => {
	it('applying a prefix twice equals once', () => {
		const events = [...callEvents('t1'), ...agentEvents('a1')];
		const once = replay(events);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: events.length - 1 }), (index) => {
				const again = fold(once.view, { ...events[index], seq: index + 1 } as IndexedEvent, () => undefined);
				expect(again.view).toBe(once.view);
				expect(again.rows).toEqual([]);
			}),
		);
	});
});

describe('R163 snapshot and tail equal the whole replay', () => {
	it('R163 at any cut, through JSON', () => {
		const events = [
			event({ type: 'session:start', at: 0, project: 'shop', source: 'startup' }),
			event({ type: 'prompt:submit', at: 0, prompt: 'build the cart', source: 'user' }),
			...callEvents('t1'),
			...agentEvents('a1'),
			...stageEvents('DEV'),
			...Array.from({ length: 300 }, (_, n) => [
				event({ type: 'tool:call', at: 100 + n, tool: 'Read', input: { file_path: `f${n}` }, toolUseId: `r${n}` }),
				event({ type: 'tool:result', at: 100 + n, tool: 'Read', toolUseId: `r${n}` }),
			]).flat(),
			event({ type: 'session:end', at: 900, reason: 'other' }),
		];
		const whole = replay(events);
		expect(whole.view.calls.length).toBeLessThanOrEqual(120);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: events.length }), (cut) => {
				const head = replay(events.slice(0, cut));
				const stored: Replay = { view: JSON.parse(JSON.stringify(head.view)), rows: head.rows };
				const tail = replay(events.slice(cut), stored);
				expect(tail.view).toEqual(whole.view);
				expect([...tail.rows.values()]).toEqual([...whole.rows.values()]);
			}),
			{ numRuns: 30 },
		);
	});
});

const start = () => [
	event({ type: 'session:start', at: 0, source: 'startup' }),
	event({ type: 'prompt:submit', at: 1, prompt: 'go', source: 'user' }),
	event({ type: 'tool:call', at: 2, tool: 'Agent', input: { description: 'x' }, toolUseId: 'main-call' }),
	event({ type: 'agent:start', at: 3, agent: 'developer', agentId: 'a1', toolUseId: 'main-call' }),
	event({
		type: 'tool:call',
		at: 4,
		tool: 'Bash',
		input: { command: 'npm test' },
		toolUseId: 'sub-call',
		agentId: 'a1',
	}),
];
const hook = (at: number, name: string, fields: Record<string, unknown> = {}, agentId?: string) =>
	event({ type: 'hook:event', at, name, fields, agentId });

it('usage is read from the last named transcript; of one that continues an unseen session, from the start on', () => {
	const begin = (source: string, transcript: string) =>
		event({ type: 'session:start', at: 5, source, cwd: '/shop', transcript });
	const later = event({ type: 'prompt:submit', at: 9, prompt: 'go', source: 'user', transcript: '/b.jsonl' });
	const silent = event({ type: 'prompt:submit', at: 9, prompt: 'go', source: 'user' });
	const after = (...events: Omit<IndexedEvent, 'seq'>[]) => replay(events).view.transcript;
	expect(after(begin('startup', '/a.jsonl'))).toEqual({ path: '/a.jsonl' });
	expect(after(begin('startup', '/a.jsonl'), silent)).toEqual({ path: '/a.jsonl' });
	const from = new Date(BASE + 5000).toISOString();
	expect(after(begin('resume', '/a.jsonl'))).toEqual({ path: '/a.jsonl', from });
	expect(after(begin('resume', '/a.jsonl'), later)).toEqual({ path: '/b.jsonl', from });
	expect(after(silent, begin('fork', '/a.jsonl'))).toEqual({ path: '/a.jsonl' });
});

describe('what never got its own end is closed, with the reason', () => {
	const cases: [title: string, end: Omit<IndexedEvent, 'seq'>[], why: string, status: string][] = [
		[
			'SIGTERM: only SessionEnd comes',
			[event({ type: 'session:end', at: 9, reason: 'other' })],
			'session-ended',
			'ended',
		],
		['SIGKILL: the server sees the client gone', [event({ type: 'session:lost', at: 9 })], 'client-gone', 'lost'],
		[
			'Stop without the agent among background tasks',
			[hook(9, 'Stop', { background_tasks: [] })],
			'turn-ended',
			'idle',
		],
		[
			'the call that started the agent fails',
			[event({ type: 'tool:error', at: 9, tool: 'Agent', error: 'API', toolUseId: 'main-call' })],
			'call-failed',
			'running',
		],
	];
	it.each(cases)('%s', (_title, end, why, status) => {
		const { view, rows } = replay([...start(), ...end]);
		expect(agentOf({ view }, 'a1')?.closed?.why).toBe(why);
		expect(callOf({ view }, 'sub-call')?.closed?.why).toBe(why);
		expect(rows.get('call:sub-call')?.call && outcomeOf(rows.get('call:sub-call')?.call as never)).toBe('unknown');
		expect(statusOf(view, BASE)).toBe(status);
	});
	it('a background agent named by Stop continues, and the session is running', () => {
		const { view } = replay([...start(), hook(9, 'Stop', { background_tasks: [{ id: 'a1', type: 'subagent' }] })]);
		expect(view.agents.filter(isAgentOpen)).toMatchObject([{ agentId: 'a1' }]);
		expect(statusOf(view, BASE)).toBe('running');
	});
	it('an end of a turn that comes late closes no agent that was started after it', () => {
		const late = hook(4, 'Stop', { background_tasks: [] });
		const { view } = replay([...start(), event({ type: 'agent:start', at: 5, agent: 'tester', agentId: 'a9' }), late]);
		expect(view.agents.filter(isAgentOpen)).toMatchObject([{ agentId: 'a9' }]);
	});
	it('Esc: the next prompt closes what the interrupted turn left open', () => {
		const { view } = replay([
			event({ type: 'prompt:submit', at: 1, prompt: 'go', source: 'user' }),
			event({ type: 'tool:call', at: 2, tool: 'Bash', input: { command: 'sleep' }, toolUseId: 'b1' }),
			event({ type: 'prompt:submit', at: 60, prompt: 'again', source: 'user' }),
		]);
		expect(callOf({ view }, 'b1')?.closed?.why).toBe('turn-ended');
	});
	it('what the client or a person denied in its own prompt is denied, and the end of the turn changes nothing', () => {
		const call = (toolUseId: string) =>
			event({ type: 'tool:call', at: 1, tool: 'Bash', input: { command: 'mkdir x' }, toolUseId });
		const about = { approvalId: 'approval-asked', toolUseId: 'asked' };
		const { rows, view } = replay([
			call('asked'),
			event({
				...{ type: 'approval:request', at: 2, tool: 'Bash', input: {}, inputDigest: 'd', denials: [], ...about },
				...{ deadline: new Date(BASE + 60_000).toISOString(), suggestions: [] },
			}),
			event({
				...{ type: 'approval:resolve', at: 3, decision: 'deny', by: { role: 'operator', via: 'browser' }, ...about },
			}),
			call('refused'),
			event({
				...{ type: 'hook:event', at: 4, name: 'PermissionDenied', toolUseId: 'refused' },
				fields: { tool_name: 'Bash', reason: 'too\nrisky' },
			}),
			hook(9, 'Stop', { background_tasks: [] }),
		]);
		const shown = ['asked', 'refused'].map((id) => rows.get(`call:${id}`)?.call as CallView);
		expect(shown.map(outcomeOf)).toEqual(['stopped', 'stopped']);
		expect(shown.map(({ closed }) => closed)).toEqual([
			undefined,
			{ at: expect.stringContaining('12:00:04'), why: 'client-denied', reason: 'too risky' },
		]);
		expect(view.calls.filter(isCallOpen)).toEqual([]);
	});
	it('a background call whose agent never ended is closed with the session', () => {
		const launched = event({
			type: 'tool:result',
			at: 5,
			tool: 'Agent',
			toolUseId: 'main-call',
			startedAgentId: 'a1',
			background: true,
		});
		const { view } = replay([...start(), launched, event({ type: 'session:end', at: 9 })]);
		expect(view.calls.filter(isCallOpen)).toEqual([]);
		expect(outcomeOf(callOf({ view }, 'main-call') as never)).toBe('ran');
	});
	it('a late word of its own beats the closing', () => {
		const late = event({ type: 'tool:result', at: 10, tool: 'Bash', toolUseId: 'sub-call', agentId: 'a1' });
		const { view } = replay([...start(), event({ type: 'session:end', at: 9 }), late]);
		expect(outcomeOf(callOf({ view }, 'sub-call') as never)).toBe('ran');
	});
	it('a denial with continue:false inside a sub-agent ends that sub-agent', () => {
		const verdict = event({
			type: 'gate:verdict',
			at: 6,
			gate: 'routing-plan',
			decision: 'deny',
			rule: 'routing.agent-in-plan',
			reason: 'no',
			facts: {},
			form: 'stop',
			toolUseId: 'nested',
			agentId: 'a1',
		});
		expect(agentOf(replay([...start(), verdict]), 'a1')?.closed?.why).toBe('turn-stopped');
	});
});

describe('R165 verdict is not outcome', () => {
	const denied = callEvents('t1').slice(0, 3);
	it('R165 denied and silent means stopped', () => {
		expect(outcomeOf(callOf(replay(denied), 't1') as never)).toBe('stopped');
	});
	it('R165 denied but ran is counted as an alarm', () => {
		const ran = event({ type: 'tool:result', at: 8, tool: 'Agent', toolUseId: 't1' });
		expect(replay([...denied, ran]).view.counters.deniedButRan).toBe(1);
	});
	it('R165 approved and ran is an override, no alarm', () => {
		const { counters } = replay(callEvents('t1')).view;
		expect(counters).toMatchObject({ denials: 0, overrides: 1, deniedButRan: 0, mismatches: 1, calls: 1 });
	});
	it('a call that still waits for a person does not count as denied; once the agent has its denial, it does', () => {
		const waiting = callEvents('t1').filter(({ type }) => !type.startsWith('tool:r') && type !== 'approval:resolve');
		expect(replay(waiting).view.counters).toMatchObject({ denials: 0, overrides: 0 });
		const expired = event({ type: 'approval:expire', at: 80, approvalId: 'approval-t1', toolUseId: 't1' });
		expect(replay([...waiting, expired]).view.counters).toMatchObject({ denials: 1, overrides: 0 });
	});
	it('R710 what ran is not what was approved: an alarm, in any order', () => {
		const ran = (inputDigest: string) =>
			event({ type: 'tool:result', at: 90, tool: 'Agent', inputDigest, toolUseId: 't1' });
		const upTo = callEvents('t1').filter(({ type }) => !type.startsWith('tool:r'));
		const digest = 'd';
		const alarms = (events: typeof upTo) => replay(events).view.counters.alarms;
		expect(alarms([...upTo, ran(digest)])).toBe(0);
		const wrong = [...upTo, ran('another')];
		expect(callOf(replay(wrong), 't1')).toSatisfy((call) => alarmOf(call as CallView) === 'other-input-ran');
		fc.assert(
			fc.property(shuffled(wrong), (order) => {
				expect(alarms(order)).toBe(1);
			}),
		);
		const changed = upTo.map((one) => (one.type === 'approval:resolve' ? { ...one, inputDigest: 'changed' } : one));
		expect(alarms([...changed, ran('changed')])).toBe(0);
		expect(alarms([...changed, ran(digest)])).toBe(1);
	});
	it('R710 an input that was not judged under its id ran: an alarm; of several that were, any may run', () => {
		const about = { tool: 'Bash', toolUseId: 't1' };
		const judged = (inputDigest: string) => event({ type: 'tool:call', at: 1, input: {}, inputDigest, ...about });
		const ran = (inputDigest: string) => event({ type: 'tool:result', at: 2, inputDigest, ...about });
		const alarm = (...events: Omit<IndexedEvent, 'seq'>[]) => alarmOf(callOf(replay(events), 't1') as CallView);
		expect(alarm(judged('a'), ran('b'))).toBe('other-input-ran');
		expect(alarm(judged('b'), judged('a'), ran('b'))).toBeUndefined();
		expect(alarm(judged('a'), judged('b'), ran('b'))).toBeUndefined();
	});
	it('only what was approved with another input has a title of that input', () => {
		const decide = (decision: 'approve' | 'deny', updatedInput?: object) =>
			event({
				...{ type: 'approval:resolve', at: 30, approvalId: 'approval-t1', decision, updatedInput },
				...{ by: { role: 'operator', via: 'browser' }, reason: 'r', toolUseId: 't1' },
			});
		const upTo = callEvents('t1').slice(0, 3);
		const titleAfter = (end: Omit<IndexedEvent, 'seq'>) => callOf(replay([...upTo, end]), 't1')?.approval?.changedTitle;
		expect(titleAfter(decide('approve', { description: 'test' }))).toBe('test');
		expect(titleAfter(decide('deny', { description: 'test' }))).toBeUndefined();
		expect(titleAfter(decide('approve'))).toBeUndefined();
	});
	it('R1143 each delegation lets one agent of its name start', () => {
		const begin = event({ type: 'session:start', at: 0, source: 'startup', cwd: '/shop' });
		const delegated = ['t1', 't2'].map((toolUseId) =>
			event({ type: 'agent:delegate', at: 1, agent: 'developer', description: 'build', toolUseId }),
		);
		const started = ['a1', 'a2', 'a3'].map((agentId) =>
			event({ type: 'agent:start', at: 2, agent: 'developer', agentId }),
		);
		const { view } = replay([begin, ...delegated, ...started]);
		expect(view.spawns?.unasked.map(({ agentId }) => agentId)).toEqual(['a3']);
	});
	it('R711 a call that ran without any gate is an alarm, and so is an approved call that did not run', () => {
		const unseen = event({ type: 'tool:result', at: 8, tool: 'Bash', toolUseId: 't9' });
		expect(alarmOf(callOf(replay([unseen]), 't9') as CallView)).toBe('ran-unjudged');
		const called = event({ type: 'tool:call', at: 7, tool: 'Bash', input: {}, toolUseId: 't9' });
		expect(replay([unseen, called]).view.counters.alarms).toBe(0);
		const upTo = callEvents('t1').filter(({ type }) => !type.startsWith('tool:r') && !type.startsWith('agent:'));
		expect(replay(upTo).view.counters.alarms).toBe(0);
		const ended = event({ type: 'session:end', at: 99 });
		expect(alarmOf(callOf(replay([...upTo, ended]), 't1') as CallView)).toBe('allowed-never-ran');
	});
	it('an approval line without its journal row changes nothing and raises an alarm', () => {
		const forged = { ...callEvents('t1')[4], unverified: true } as Omit<IndexedEvent, 'seq'>;
		const { view, rows } = replay([...callEvents('t1').slice(0, 4), forged]);
		expect(find(view.approvals, 'approvalId', 'approval-t1')?.state).toBe('waiting');
		expect(view.counters.unverified).toBe(1);
		expect([...rows.values()].some((row) => row.unverified)).toBe(true);
	});
});

describe('ids are data', () => {
	it.each(['__proto__', 'constructor', 'toString', '1'])('a call named %s is a call like any other', (toolUseId) => {
		const { view } = replay([event({ type: 'tool:call', at: 1, tool: 'Bash', input: { command: 'ls' }, toolUseId })]);
		expect(view.calls.map((call) => call.toolUseId)).toEqual([toolUseId]);
		expect(view.counters.calls).toBe(1);
	});
});

describe('rows say what a person wants to know', () => {
	it.each([
		[
			'<task-notification>\n<summary>Agent "Do the work" finished</summary>\n</task-notification>',
			'Agent "Do the work" finished',
		],
		['<task-notification> without a summary', '<task-notification> without a summary'],
	])('a finished background agent reports by its summary: %s', (prompt, title) => {
		const { rows } = replay([event({ type: 'prompt:submit', at: 1, prompt, source: 'task' })]);
		expect([...rows.values()][0]?.title).toBe(title);
	});
});

describe('R268 an edited workflow.json', () => {
	it('R268 is what the screen shows from then on', () => {
		const stages = {
			DEV: { status: 'completed', result: 'pass' },
			REVIEW: { status: 'active', result: null },
			TEST: { status: 'pending', result: null },
		};
		const { view } = replay([
			event({ type: 'workflow:start', at: 1, workflowType: 'tdd', stages: ['TEST', 'DEV', 'TEST'] }),
			event({ type: 'workflow:adopt', at: 2, file: 'workflow.json', state: { workflowType: 'quick', stages } }),
			event({ type: 'workflow:adopt', at: 3, file: 'workflow.json', state: { junk: true } }),
			event({ type: 'stage:complete', at: 4, stage: 'REVIEW', result: 'reject' }),
		]);
		expect(view.workflow).toMatchObject({
			workflowType: 'quick',
			stages: {
				DEV: { status: 'completed', result: 'pass' },
				REVIEW: { result: 'reject', attempts: ['reject'] },
				TEST: { mode: 'verify', status: 'pending' },
			},
		});
	});
});

describe('Overtone timelines fold as they are', () => {
	it('stages from un-numbered lists and delegations without ids', () => {
		const { view } = replay([
			event({ type: 'workflow:start', at: 1, workflowType: 'tdd', stages: ['TEST', 'DEV', 'TEST'] }),
			event({ type: 'agent:delegate', at: 2, agent: 'tester', stage: 'TEST' }),
			event({ type: 'stage:complete', at: 3, stage: 'TEST', result: 'pass' }),
			event({ type: 'agent:complete', at: 3, agent: 'tester', stage: 'TEST', result: 'pass' }),
			event({ type: 'agent:delegate', at: 4, agent: 'developer', stage: 'DEV' }),
		]);
		expect(Object.entries(view.workflow?.stages ?? {}).map(([key, { status }]) => [key, status])).toEqual([
			['TEST', 'completed'],
			['DEV', 'active'],
			['TEST:2', 'pending'],
		]);
		expect(view.agents.filter(isAgentOpen)).toMatchObject([{ name: 'developer' }]);
	});
});

describe('what rules did', () => {
	const stop = (rule: string, decision: 'deny' | 'pass') =>
		event({ type: 'gate:verdict', at: 9, gate: 'loop', decision, rule, reason: 'open', facts: {}, hook: 'Stop' });
	it('denials are counted by rule, overridden ones too, in any order and once', () => {
		const events = callEvents('t1');
		const once = { 'routing.agent-in-plan': { denied: 0, overridden: 1 } };
		fc.assert(fc.property(shuffled(events), (order) => void expect(replay(order).view.rules).toEqual(once)));
		const unanswered = events.filter(({ type }) => type !== 'approval:resolve' && type !== 'tool:result');
		unanswered.push(event({ type: 'approval:expire', at: 80, approvalId: 'approval-t1', toolUseId: 't1' }));
		expect(replay(unanswered).view.rules).toEqual({ 'routing.agent-in-plan': { denied: 1, overridden: 0 } });
	});

	it('a denied stop counts, a passed one and the names of attackers do not', () => {
		const many = Array.from({ length: 120 }, (_, n) => stop(`rule.${n}`, 'deny'));
		const { rules } = replay([
			stop('__proto__', 'deny'),
			stop('x'.repeat(200), 'deny'),
			stop('ok', 'pass'),
			...many,
		]).view;
		expect(Object.keys(rules ?? {})).toHaveLength(100);
		expect(rules?.['rule.1']).toEqual({ denied: 1, overridden: 0 });
	});
});
