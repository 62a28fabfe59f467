import { afterAll, beforeAll, expect, it } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { memoryPorts } from '#hooks-bridge/testing/memory-ports.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { noFridays } from '#lib/gates/testing/gate-rig.ts';
import { readSettings } from '#lib/settings/settings.ts';
import { renderGatesDoc } from '../../scripts/gates-doc.ts';
import { gateForPage } from '../pages/api/rule-routes.ts';

const table = gateTable as unknown as GateRow[];

beforeAll(() => void table.push(noFridays));
afterAll(() => void table.pop());

const push = (config: object = {}) => {
	const ports = memoryPorts({ '/shop/.overtone/config.json': JSON.stringify(config) });
	const call = {
		hook_event_name: 'PreToolUse',
		tool_name: 'Bash',
		tool_use_id: 't',
		tool_input: { command: 'git push' },
	};
	const input = { session_id: 's1', cwd: '/shop', ...call };
	return { ports, answer: respond(input, { requestId: 'r', profile: 'open', timeoutSeconds: 60 }, ports) };
};

it('a row in the table is all that a gate needs: it denies, is recorded, and may wait for a person', () => {
	const { ports, answer } = push();
	expect(answer.output).toMatchObject({
		hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'it is Friday' },
	});
	expect(answer.held).toMatchObject({
		asksPerson: true,
		denials: [{ gate: 'no-fridays', fingerprint: 'friday git push' }],
	});
	expect(ports.all().at(-1)).toMatchObject({ type: 'gate:verdict', gate: 'no-fridays', decision: 'deny' });
	expect(push({ gates: { noFridays: { hold: false } } }).answer.held).toMatchObject({ asksPerson: false });
});

it('it has its settings, which a person may switch', () => {
	const { gates, problems } = readSettings(JSON.stringify({ gates: { noFridays: { enabled: false } } }), undefined);
	expect([(gates as Record<string, unknown>).noFridays, problems]).toEqual([{ enabled: false, hold: true }, []]);
});

it('it is shown on the rules page, documented, and its events have entries that inform the person', async () => {
	expect(gateForPage(noFridays, { enabled: true, hold: true })).toMatchObject({
		id: 'no-fridays',
		where: 'PreToolUse, SubagentStop: Bash',
		settings: ['gates.noFridays.enabled', 'gates.noFridays.hold'],
		enabled: true,
	});
	const document = renderGatesDoc();
	for (const text of ['`no-fridays`', '`fridays.push`', '`gates.noFridays.hold`']) expect(document).toContain(text);
	const { registerEvents } = await import('./hook-entries.ts');
	expect(registerEvents().SubagentStop).toMatchObject({ profile: 'open' });
	expect(registerEvents(table.slice(0, -1)).SubagentStop).toMatchObject({ profile: 'observe' });
});

it.each([
	['turn-end', 'Stop', {}],
	['agent-end', 'SubagentStop', { agent_id: 'a', agent_type: 'developer' }],
	['task-end', 'TaskCompleted', { task_id: '1', task_subject: 'build' }],
] as const)('a row that names %s denies there, and the timeline records it', (point, name, fields) => {
	const verdict = { gate: 'no-ends', decision: 'deny', rule: 'ends.none', reason: 'it is early', facts: {} } as const;
	const judged = { facts: () => ({}), judge: () => verdict, directive: () => 'Go on until Friday.' };
	table.push({ ...noFridays, id: 'no-ends', setting: 'noEnds', at: [point], deeds: [], judgedBy: judged });
	try {
		const ports = memoryPorts();
		const input = { session_id: 's1', cwd: '/shop', hook_event_name: name, ...fields };
		const { output } = respond(input, { requestId: 'r', profile: 'open' }, ports);
		expect(output).toEqual({ decision: 'block', reason: 'Go on until Friday.' });
		expect(ports.all().at(-1)).toMatchObject({ ...verdict, hook: name, answer: { decision: 'deny' } });
	} finally {
		table.pop();
	}
});
