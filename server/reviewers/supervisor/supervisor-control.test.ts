import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';
import { createSupervisorControl } from './supervisor-control.ts';

let rig: FeaturesRig;
const gates: Gate[] = [];
beforeEach(async () => {
	rig = await openFeatures();
	rig.say('s1', 'session:start', { cwd: rig.project });
	await rig.whenSettled();
});
afterEach(async () => {
	for (const gate of gates.splice(0)) await gate.close();
	await rig.close();
	rig.remove();
});

const by = { role: 'operator', via: 'browser' } as const;
function control(configDir: string) {
	const { ports, journal, tail } = rig;
	return createSupervisorControl({
		ports,
		journal,
		viewOf: tail.viewOf,
		env: { CLAUDE_CONFIG_DIR: configDir },
		lockWaitMs: 16,
	});
}

test('a person switches the file of which the hooks of the session speak; the journal has it first', async () => {
	const [own, named] = [mkdtempSync(join(tmpdir(), 'sup-')), mkdtempSync(join(tmpdir(), 'sup-'))];
	const supervisors = control(own);
	expect(supervisors.status('s1')).toEqual({ id: 's1', enabled: false, count: 0, max: 20, timeoutSeconds: 600 });
	supervisors.saw('s1', { requestId: 'r', profile: 'open', supervisor: { id: 'mine', configDir: named } });
	expect(await supervisors.act('s1', 'on', by)).toMatchObject({
		id: 'mine',
		enabled: true,
		advice: expect.stringContaining(`init --supervisor --project ${rig.project}`),
	});
	expect(JSON.parse(readFileSync(join(named, 'ccc/supervisor-mine.json'), 'utf8'))).toMatchObject({ enabled: true });
	expect(rig.journal.bySubject('session:s1').map(({ payload }) => payload)).toEqual([
		{ setting: 'supervisor', action: 'on', by },
	]);
	await rig.whenSettled();
	expect(rig.tail.viewOf('s1')).toMatchObject({ supervisorSwitches: 1 });
	supervisors.saw('s1', { requestId: 'r', profile: 'open', supervisor: { id: '../../x' } });
	expect(() => supervisors.status('s1')).toThrow(expect.objectContaining({ code: 'session/not-found' }));
	await expect(supervisors.act('unknown', 'on', by)).rejects.toMatchObject({ code: 'session/not-found' });
});

test('only an operator switches it, by token or by cookie with its header token; viewers look', async () => {
	const changes: unknown[] = [];
	const record = { id: 's1', enabled: true, count: 3, max: 20, timeoutSeconds: 600 };
	const supervisors = {
		saw: () => undefined,
		status: () => record,
		act: async (...given: unknown[]) => {
			changes.push(given);
			return record;
		},
	};
	const gate = await openGate({ supervisors });
	gates.push(gate);
	const { cookie, signedIn } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const path = '/api/sessions/s1/supervisor';
	const act = async (headers: Record<string, string>, body = '{"action":"reset"}') =>
		(await gate.request('POST', path, { 'content-type': 'application/json', ...headers }, body)).status;
	const bearer = (role: 'viewer' | 'operator' | 'edge') => ({ authorization: `Bearer ${gate.tokens[role]}` });
	expect([await act(bearer('viewer')), await act(bearer('edge')), await act({ origin, cookie })]).toEqual([
		403, 403, 401,
	]);
	expect([await act(bearer('operator'), '{}'), await act(bearer('operator'), '{"action":"on","count":1}')]).toEqual([
		400, 400,
	]);
	expect(changes).toEqual([]);
	expect(await act({ origin, ...signedIn })).toBe(200);
	expect(await act(bearer('operator'), '{"action":"off"}')).toBe(200);
	expect(changes).toEqual([
		['s1', 'reset', { role: 'operator', via: 'browser', access: expect.stringMatching(/^[0-9a-f]{16}$/) }],
		['s1', 'off', { role: 'operator', via: 'token', access: expect.stringMatching(/^[0-9a-f]{16}$/) }],
	]);
	const seen = await gate.request('GET', path, bearer('viewer'));
	expect([seen.status, JSON.parse(seen.text)]).toEqual([200, { supervisor: record }]);
	expect((await gate.request('GET', path, bearer('edge'))).status).toBe(403);
});
