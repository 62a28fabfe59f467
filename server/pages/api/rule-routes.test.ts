import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RuleList } from '#lib/contract/rules/rules.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { emptyView } from '#lib/session/fold.ts';
import { openGate } from '../../testing/gate-fixture.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'rules-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const views = [
	{ ...emptyView('s1'), rules: { a: { denied: 2, overridden: 1 }, b: { denied: 9, overridden: 0 } } },
	{ ...emptyView('s2'), rules: { a: { denied: 1, overridden: 1 } } },
	emptyView('s3'),
	{ ...emptyView('_home'), rules: { a: { denied: 50, overridden: 0 } } },
];

async function read(role: 'viewer' | 'edge' = 'viewer') {
	const gate = await openGate({ home, tail: { views: () => views, viewOf: () => undefined, building: () => null } });
	try {
		return await gate.request('GET', '/api/rules', { authorization: `Bearer ${gate.tokens[role]}` });
	} finally {
		await gate.close();
	}
}

test('gates as the home sets them, rules summed over all sessions, without what belongs to none', async () => {
	writeFileSync(
		join(home, 'config.json'),
		'{"gates":{"loop":{"enabled":false},"routing":{"hold":false,"enabled":"x"}}}',
	);
	const ruleList = RuleList.parse(JSON.parse((await read()).text));
	expect(ruleList.gates.map(({ id }) => id)).toEqual(gateTable.map(({ id }) => id));
	expect(ruleList.gates.find(({ id }) => id === 'loop')).toMatchObject({ enabled: false, hold: false });
	expect(ruleList.gates.find(({ id }) => id === 'routing-plan')).toMatchObject({ enabled: true, hold: false });
	expect(ruleList.gates.find(({ id }) => id === 'routing-completion')).toMatchObject({ enabled: null, hold: false });
	expect(ruleList.gates.find(({ id }) => id === 'command-policy')?.standing).toMatchObject({
		codex: 'holds',
		cursor: 'opens',
	});
	expect(ruleList.makes.find(({ name }) => name === 'cursor')).toMatchObject({ title: 'Cursor', isTried: false });
	expect(ruleList.rules).toEqual([
		{ rule: 'b', denied: 9, overridden: 0 },
		{ rule: 'a', denied: 3, overridden: 2 },
	]);
	expect(ruleList.problems).toEqual(['gates.routing.enabled must be true or false; it is ignored']);
});

test('each setting of a gate has its value in force, and those that history can be asked with', async () => {
	const commands = { exclude: ['rm', '<b>\u202e'], unknown: 'ask' };
	writeFileSync(join(home, 'config.json'), JSON.stringify({ commands }));
	const { gates } = RuleList.parse(JSON.parse((await read()).text));
	expect(gates.find(({ id }) => id === 'command-policy')).toMatchObject({
		values: {
			'gates.commandPolicy.hold': 'true',
			'commands.exclude': JSON.stringify(commands.exclude),
			'commands.unknown': '"ask"',
			'commands.enforce': '"judge"',
		},
		rehearsedWith: { 'commands.exclude': commands.exclude },
	});
	expect(gates.find(({ id }) => id === 'loop')?.values).toEqual({ 'gates.loop.enabled': 'true' });
});

test('restrictions of the hub’s policy are shown beside the home’s own settings, with their origin', async () => {
	writeFileSync(join(home, 'config.json'), '{"gates":{"loop":{"enabled":false}}}');
	const body = { 'gates.loop.enabled': true, 'gates.routing.hold': false };
	const policy = { team: 'shop', version: 3, expires: '2999-01-01T00:00:00.000Z', body };
	writeFileSync(
		join(home, 'hub-policy.json'),
		JSON.stringify({ hub: 'hub.example', mayLoosen: false, signed: { policy } }),
	);
	const ruleList = RuleList.parse(JSON.parse((await read()).text));
	expect(ruleList.gates.find(({ id }) => id === 'loop')).toMatchObject({ enabled: true });
	expect(ruleList.gates.find(({ id }) => id === 'routing-plan')).toMatchObject({ hold: false });
	const says = { 'gates.loop.enabled': 'true', 'gates.routing.hold': 'false' };
	const from = { hub: 'hub.example', team: 'shop', version: 3, until: policy.expires, mayLoosen: false };
	expect(ruleList.policy).toEqual({ ...from, says });
	writeFileSync(join(home, 'hub-policy.json'), '{}');
	const broken = RuleList.parse(JSON.parse((await read()).text));
	expect([broken.policy, broken.problems]).toEqual([null, [expect.stringContaining('hub-policy.json')]]);
});

test('a home without settings has the defaults; who may only record may not look', async () => {
	expect(RuleList.parse(JSON.parse((await read()).text)).problems).toEqual([]);
	expect((await read('edge')).status).toBe(403);
});
