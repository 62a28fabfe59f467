import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { grantReaches } from '../contract/approvals/grant-reach.ts';
import { allNames } from './named-lists.ts';
import { looserIn, type PolicyBody, policySettings, readPolicyBody, tightens } from './policy-settings.ts';
import { readSettings, type Settings } from './settings.ts';

const json = (value: unknown) => JSON.stringify(value);
const bodyOf = (value: object): PolicyBody => {
	const read = readPolicyBody(value);
	if ('problem' in read) throw new Error(read.problem);
	return read.body;
};

/** Values of each setting, the strict and the loose ones. */
const anyBody = fc.record(
	Object.fromEntries(
		[...policySettings].map(([path, { read }]) => {
			const fitting = [
				true,
				false,
				0,
				30,
				120,
				600,
				'stop',
				'deny',
				'run',
				'refuse',
				'ask',
				'judge',
				'sandbox',
				['rm'],
				['rm', 'curl'],
				'never',
				'session',
				'project',
				['loop'],
			];
			return [path, fc.constantFrom(...fitting.filter((value) => read(value) !== undefined))];
		}),
	),
	{ requiredKeys: [] },
) as fc.Arbitrary<PolicyBody>;

/** How much settings hold back, each part as a number that may only grow. */
function strictness(settings: Settings): number[] {
	const {
		gates,
		commands,
		holdSeconds = 120,
		observe,
		holdsPrompts,
		withoutSandbox,
		hubMayDecide,
		hubMayGrant,
		hubNeverRemote,
		onMismatch,
	} = settings;
	const ofGates = Object.values(gates).flatMap(({ enabled, hold }) => [enabled === true ? 1 : 0, hold ? 0 : 1]);
	const others = [observe, !holdsPrompts, withoutSandbox === 'refuse', !hubMayDecide, onMismatch === 'stop'];
	const ofHub = [-grantReaches.indexOf(hubMayGrant), hubNeverRemote.length];
	return [...ofGates, commands.exclude.length, -holdSeconds, ...ofHub, ...others.map(Number)];
}

describe('a policy of the hub', () => {
	it('only tightens, whatever the person, the project and the policy say', () => {
		fc.assert(
			fc.property(anyBody, anyBody, anyBody, (mine, theirs, body) => {
				const before = readSettings(json(mine), json(theirs));
				const after = readSettings(json(mine), json(theirs), { body, mayLoosen: false });
				const wasStrict = strictness(before);
				for (const [index, now] of strictness(after).entries())
					expect(now).toBeGreaterThanOrEqual(wasStrict[index] ?? 0);
				for (const pattern of before.commands.exclude) expect(after.commands.exclude).toContain(pattern);
			}),
		);
	});

	it('holds whatever the person and the project switch off', () => {
		const body = bodyOf({
			gates: { loop: { enabled: true }, routing: { hold: false, onMismatch: 'stop' } },
			commands: { exclude: ['curl'], withoutSandbox: 'refuse' },
			'approvals.holdSeconds': 20,
			hub: { mayDecide: false },
		});
		const off = json({
			gates: {
				loop: { enabled: false },
				commandPolicy: { enabled: false },
				routing: { onMismatch: 'deny', hold: true },
			},
			approvals: { holdSeconds: 300 },
			commands: { exclude: ['rm'], withoutSandbox: 'run' },
		});
		expect(readSettings(off, off, { body, mayLoosen: false })).toMatchObject({
			gates: { loop: { enabled: true }, commandPolicy: { enabled: true }, routing: { hold: false } },
			...{ onMismatch: 'stop', holdSeconds: 20, withoutSandbox: 'refuse', hubMayDecide: false },
			commands: { exclude: ['rm', 'curl'] },
		});
	});

	it('says no word for a whole project: only the person does, and what nobody can read is the narrowest', () => {
		const own = (mayGrant: unknown) => readSettings(json({ hub: { mayGrant, neverRemote: ['loop'] } }), undefined);
		expect(readSettings(undefined, undefined)).toMatchObject({ hubMayGrant: 'session', hubNeverRemote: [] });
		expect(own('project')).toMatchObject({ hubMayGrant: 'project', hubNeverRemote: ['loop'] });
		expect(own('nver').hubMayGrant).toBe('never');
		expect(readSettings('{', undefined)).toMatchObject({ hubMayGrant: 'never', hubNeverRemote: allNames });
		expect(readSettings(json({ hub: { neverRemote: 'loop' } }), undefined).hubNeverRemote).toEqual(allNames);
		expect(readSettings(undefined, json({ hub: { mayGrant: 'project' } })).hubMayGrant).toBe('session');
		const body = bodyOf({ hub: { mayGrant: 'session', neverRemote: ['routing'] } });
		const held = readSettings(json({ hub: { mayGrant: 'project', neverRemote: ['loop'] } }), undefined, {
			...{ body, mayLoosen: true },
		});
		expect(held).toMatchObject({ hubMayGrant: 'session', hubNeverRemote: ['loop', 'routing'] });
	});

	it('loosens by a root passkey alone, and only settings that the person has not set', () => {
		const body = bodyOf({
			gates: { routing: { enabled: false, onMismatch: 'deny' } },
			approvals: { holdSeconds: 600 },
		});
		const loose = readSettings(undefined, undefined, { body, mayLoosen: true });
		expect([loose.gates.routing.enabled, loose.onMismatch, loose.holdSeconds]).toEqual([false, 'deny', 600]);
		const own = json({ gates: { routing: { enabled: true, onMismatch: 'stop' } }, approvals: { holdSeconds: 60 } });
		for (const [mine, theirs] of [
			[own, undefined],
			[undefined, own],
		]) {
			const kept = readSettings(mine, theirs, { body, mayLoosen: true });
			expect([kept.gates.routing.enabled, kept.onMismatch, kept.holdSeconds]).toEqual([true, 'stop', 60]);
		}
	});

	test.each([
		[{ gates: { routing: { enabled: false } } }, {}, ['gates.routing.enabled']],
		[
			{ gates: { routing: { hold: true, onMismatch: 'deny' } } },
			{},
			['gates.routing.hold', 'gates.routing.onMismatch'],
		],
		[{}, { gates: { loop: { enabled: true } } }, ['gates.loop.enabled']],
		[{ commands: { exclude: ['rm'] } }, { commands: { exclude: ['rm', 'curl'] } }, ['commands.exclude']],
		[{ commands: { exclude: ['rm', 'curl'] } }, { commands: { exclude: ['rm'] } }, []],
		[{ approvals: { holdSeconds: 60 } }, { approvals: { holdSeconds: 30 } }, ['approvals.holdSeconds']],
		[{ approvals: { holdSeconds: 121 } }, {}, ['approvals.holdSeconds']],
		[{ approvals: { holdSeconds: 120 } }, {}, []],
		[{}, { approvals: { holdSeconds: 120 } }, ['approvals.holdSeconds']],
		[{ hub: { mayDecide: true } }, { hub: { mayDecide: false } }, ['hub.mayDecide']],
		[{ hub: { mayGrant: 'session' } }, { hub: { mayGrant: 'never' } }, ['hub.mayGrant']],
		[{ hub: { mayGrant: 'session' } }, {}, []],
		[{ hub: { neverRemote: ['loop'] } }, { hub: { neverRemote: ['routing', 'loop'] } }, ['hub.neverRemote']],
		[{ retention: { archiveDays: 5 } }, { retention: { archiveDays: 9 } }, ['retention.archiveDays']],
		[{ retention: { archiveDays: 9, keepLabelled: true } }, { retention: { archiveDays: 5 } }, []],
		[{ 'approvals.observe': true, 'gates.loop.enabled': true }, { gates: { loop: { enabled: true } } }, []],
	])('%j after %j is looser in %j', (value, base, looser) => {
		expect(looserIn(bodyOf(value), bodyOf(base))).toEqual(looser);
		expect(tightens(bodyOf(value), bodyOf(base))).toBe(looser.length === 0);
	});

	test.each([
		[{ gates: { nothing: { enabled: true } } }, 'gates.nothing.enabled is no setting of a policy'],
		[{ 'llm.provider': 'x' }, 'llm.provider is no setting of a policy'],
		[{ approvals: { undoSeconds: 3 } }, 'approvals.undoSeconds is no setting of a policy'],
		[{ gates: { loop: { enabled: 'yes' } } }, 'gates.loop.enabled must be true or false'],
		[{ hub: { mayGrant: 'project' } }, 'hub.mayGrant must be "never" or "session"'],
		[{ hub: { neverRemote: ['rm'] } }, 'hub.neverRemote must be a list of names of gates'],
		[{ commands: { exclude: ['git push'] } }, 'commands.exclude must be a list of names of commands'],
		[{ gates: { loop: { enabled: true } }, 'gates.loop.enabled': true }, 'gates.loop.enabled is there twice'],
		[{ gates: true }, 'gates is no setting of a policy'],
		[JSON.parse('{"__proto__":{"enabled":true}}'), '__proto__.enabled is no setting of a policy'],
		[[], 'it must be a JSON object, as config.json is'],
	])('R2066 %j does not fit: %s', (value, problem) => {
		expect(readPolicyBody(value)).toEqual({ problem });
	});
});
