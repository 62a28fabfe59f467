import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApprovalRecord } from '../contract/approvals/approval-record.ts';
import type { GrantRecord } from '../contract/approvals/grants.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { coversOf } from '../grants/covers.ts';
import { emptyView, fold } from '../session/fold.ts';
import { type Known, unaskedDenials } from './recorded-denials.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3600_000;
const by = { role: 'operator', via: 'token' } as const;
const iso = (hours: number) => new Date(NOON + hours * HOUR).toISOString();

/** Sessions as the index holds them; times in hours after noon. */
function record() {
	const views = new Map<string, SessionView>();
	const rows = new Map<string, Row>();
	const verdicts: IndexedEvent[] = [];
	const recordEvent = (type: string, hours: number, fields: { sessionId?: string; [field: string]: unknown } = {}) => {
		const { sessionId = 's1' } = fields;
		const view = views.get(sessionId) ?? emptyView(sessionId);
		const envelope = { id: `e${sessionId}${view.seq}`, ts: iso(hours), category: type.split(':')[0], label: '' };
		const event = { ...envelope, type, seq: view.seq + 1, ...fields, sessionId } as unknown as IndexedEvent;
		const folded = fold(view, event, (key) => rows.get(`${sessionId} ${key}`));
		views.set(sessionId, folded.view);
		for (const row of folded.rows) rows.set(`${sessionId} ${row.key}`, row);
		if (type === 'gate:verdict') verdicts.unshift(event);
	};
	const deny = (toolUseId: string, hours: number, actual = 'architect', more: object = {}) => {
		const input = { subagent_type: actual, description: 'Design it' };
		recordEvent('tool:call', hours, { toolUseId, tool: 'Task', input, ...more });
		recordEvent('gate:verdict', hours, { ...verdict(actual), toolUseId, ...more });
	};
	const list = (known: Partial<Known> = {}, limit = 50) =>
		unaskedDenials(
			verdicts,
			{
				...{ row: async (sessionId, key) => rows.get(`${sessionId} ${key}`) },
				...{ view: async (sessionId) => views.get(sessionId) },
				...{ grants: [], questions: [], now: NOON + 12 * HOUR },
				...known,
			},
			limit,
		);
	return { recordEvent, deny, list };
}

const verdict = (actual: string) => ({
	...{ gate: 'routing-plan', rule: 'routing.agent-in-plan', decision: 'deny', form: 'deny' },
	...{ reason: `${actual} not in expected`, facts: { project: '/shop', planId: 'p', actual } },
});

test('R940 a denial without a question to anybody is listed with its reason; denials of one question are one, newest first', async () => {
	const { recordEvent, deny, list } = record();
	recordEvent('agent:start', 0, { agentId: 'a1', agent: 'developer' });
	deny('t1', 1, 'architect', { agentId: 'a1' });
	deny('t2', 2, 'tester');
	deny('t3', 3);
	deny('o1', 4, 'architect', { sessionId: 's2' });
	recordEvent('tool:call', 5, { toolUseId: 't5', tool: 'Task', input: { subagent_type: 'developer' } });
	const denied = await list();
	expect(denied).toMatchObject([
		{ sessionId: 's2', toolUseId: 'o1', count: 1 },
		{ sessionId: 's1', toolUseId: 't3', count: 2, asked: 'architect', title: 'Design it', at: iso(3) },
		{ sessionId: 's1', toolUseId: 't2', count: 1, ended: false, form: 'deny' },
	]);
	expect(denied[2]?.denials).toMatchObject([
		{ gate: 'routing-plan', rule: 'routing.agent-in-plan', reason: 'tester not in expected' },
	]);
	expect(await list({}, 1)).toMatchObject([{ toolUseId: 'o1' }]);
});

test('R940 a denial names the agent that was denied, by its id where nobody knows its name; the main agent has none', async () => {
	const { recordEvent, deny, list } = record();
	recordEvent('agent:start', 0, { agentId: 'a1', agent: 'developer' });
	deny('t1', 1, 'architect', { agentId: 'a1' });
	deny('t2', 2, 'tester', { agentId: 'a2' });
	deny('t3', 3, 'planner');
	const [main, unknown, known] = await list();
	expect(main).not.toHaveProperty('actor');
	expect(unknown).toMatchObject({ toolUseId: 't2', actor: 'a2' });
	expect(known).toMatchObject({ toolUseId: 't1', actor: 'developer' });
});

test('R940 not a denial that was asked about, granted, or did not hold, nor one that keeps an agent from stopping', async () => {
	const { recordEvent, deny, list } = record();
	const grant = { grantId: 'g', scope: 'once', reason: 'r', by, tool: 'Task', inputDigest: 'd' };
	deny('asked', 1, 'a');
	recordEvent('approval:request', 1, {
		...{
			toolUseId: 'asked',
			approvalId: 'q',
			tool: 'Task',
			input: {},
			inputDigest: 'd',
			denials: [],
			deadline: iso(1),
		},
	});
	deny('granted', 1, 'b');
	recordEvent('grant:use', 1, { toolUseId: 'granted', ...grant });
	deny('leaked', 1, 'c');
	recordEvent('tool:result', 1, { toolUseId: 'leaked', tool: 'Task' });
	recordEvent('gate:verdict', 1, { ...verdict('d'), gate: 'loop', rule: 'loop.open-stages', hook: 'Stop' });
	deny('reviewed', 1, 'e', { sessionId: 'reviewer' });
	recordEvent('session:start', 1, { sessionId: 'reviewer', reviewer: true });
	expect(await list()).toEqual([]);
});

test('the calls that the doctor has denied to try it out are no denied calls of an agent', async () => {
	const { deny, list } = record();
	deny('probe', 1, 'architect', { sessionId: '_home' });
	expect(await list()).toEqual([]);
});

test('it leaves the list when a person allows such a call, or was asked about a later one', async () => {
	const { deny, list } = record();
	deny('t1', 1);
	const [denied] = await list();
	const denials = denied?.denials ?? [];
	const grant = {
		...{ id: 'g', state: 'active', scope: 'once', sessionId: 's1', tool: 'Task', title: '', covers: coversOf(denials) },
		...{ reason: 'r', by, createdAt: iso(2), expires: iso(3), uses: 0 },
	} as GrantRecord;
	expect(await list({ grants: [grant] })).toEqual([]);
	expect(await list({ grants: [{ ...grant, state: 'used', uses: 1 }] })).toEqual([]);
	const otherGrants: Partial<GrantRecord>[] = [
		...[{ state: 'revoked' }, { state: 'expired' }, { createdAt: iso(0) }, { sessionId: 's2' }],
	] as const;
	for (const other of otherGrants)
		expect(await list({ grants: [{ ...grant, ...other }] }), JSON.stringify(other)).toHaveLength(1);
	const question = { id: 'q', sessionId: 's1', requestedAt: iso(2), denials } as unknown as ApprovalRecord;
	expect(await list({ questions: [question] })).toEqual([]);
	expect(await list({ questions: [{ ...question, requestedAt: iso(0) }] })).toHaveLength(1);
	expect(await list({ questions: [{ ...question, sessionId: 's2' }] })).toHaveLength(1);
	expect(await list({ questions: [{ ...question, denials: [] }] })).toHaveLength(1);
});

test('denials of a running session are listed for a week, those of an ended one for a day', async () => {
	const { recordEvent, deny, list } = record();
	deny('t1', 0);
	deny('o1', 0, 'architect', { sessionId: 's2' });
	recordEvent('session:end', 1, { sessionId: 's2', reason: 'other' });
	const at = async (hours: number) =>
		(await list({ now: NOON + hours * HOUR })).map(({ sessionId, ended }) => [sessionId, ended]);
	expect(await at(25)).toEqual([
		['s2', true],
		['s1', false],
	]);
	expect(await at(26)).toEqual([['s1', false]]);
	expect(await at(7 * 24)).toEqual([['s1', false]]);
	expect(await at(7 * 24 + 1)).toEqual([]);
});

test('R940 however calls, questions and grants mix, what is listed was never asked about and never allowed', async () => {
	const step = fc.record({
		agent: fc.constantFrom('architect', 'tester', 'writer'),
		what: fc.constantFrom('denied', 'asked', 'granted', 'ran'),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			const { recordEvent, deny, list } = record();
			for (const [index, { agent, what }] of steps.entries()) {
				const toolUseId = `t${index}`;
				deny(toolUseId, 0, agent);
				const call = { toolUseId, tool: 'Task', input: {}, inputDigest: 'd' };
				if (what === 'asked')
					recordEvent('approval:request', 0, { ...call, approvalId: toolUseId, denials: [], deadline: iso(1) });
				if (what === 'granted') recordEvent('grant:use', 0, { ...call, grantId: 'g', scope: 'once', reason: '', by });
				if (what === 'ran') recordEvent('tool:result', 0, { ...call });
			}
			const stood = steps.filter(({ what }) => what === 'denied');
			const listed = await list();
			expect(listed.reduce((sum, { count }) => sum + count, 0)).toBe(stood.length);
			expect(new Set(listed.map(({ asked }) => asked))).toEqual(new Set(stood.map(({ agent }) => agent)));
		}),
		{ numRuns: 100 },
	);
});
