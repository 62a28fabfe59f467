import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const json = (value: unknown) => JSON.stringify(value);

describe('readSettings', () => {
	it('R15 ends the turn by default, and lets the project or the person choose', () => {
		expect(readSettings(undefined, undefined)).toMatchObject({
			gates: {
				routing: { enabled: true, hold: true },
				stageGuard: { enabled: true, hold: true },
				routingEnforcer: { enabled: false, hold: true },
				routingCompletion: { hold: false },
				agentRouter: { enabled: true, hold: false },
				loop: { enabled: true, hold: false },
			},
			onMismatch: 'stop',
			workflow: {},
			withoutSandbox: 'run',
			problems: [],
		});
		const deny = json({ gates: { routing: { onMismatch: 'deny' } } });
		const stop = json({ 'gates.routing.onMismatch': 'stop' });
		expect(readSettings(deny, undefined).onMismatch).toBe('deny');
		expect(readSettings(stop, deny).onMismatch).toBe('deny');
		expect(readSettings(deny, stop).onMismatch).toBe('stop');
	});

	it('commands.enforce and commands.unknown are tightened by a project, never loosened', () => {
		const commands = (enforce: string, unknown: string) => json({ commands: { exclude: ['rm'], enforce, unknown } });
		const strict = { exclude: ['rm'], enforce: 'sandbox', unknown: 'ask' };
		expect(readSettings(commands('judge', 'pass'), commands('sandbox', 'ask')).commands).toEqual(strict);
		expect(readSettings(commands('sandbox', 'ask'), commands('judge', 'pass')).commands).toEqual(strict);
		expect(readSettings(commands('judge', 'pass'), undefined).commands).toEqual({ exclude: ['rm'] });
		const misspelt = readSettings(
			json({ commands: { enforced: 'sandbox' } }),
			json({ commands: { enforce: 'kernel' } }),
		);
		expect(misspelt.problems).toEqual([
			'commands.enforce must be "judge" or "sandbox"; it is ignored',
			'commands.enforced is no setting; did you mean commands.enforce?',
		]);
	});

	it('R21 lets a project tighten only', () => {
		const gate = (enabled: boolean, hold: boolean, seconds: number) =>
			json({ gates: { routing: { enabled, hold } }, approvals: { holdSeconds: seconds } });
		expect(readSettings(undefined, gate(false, false, 30))).toMatchObject({
			gates: { routing: { enabled: true, hold: false } },
			holdSeconds: 30,
		});
		expect(readSettings(gate(false, false, 60), gate(true, true, 300))).toMatchObject({
			gates: { routing: { enabled: true, hold: false } },
			holdSeconds: 60,
		});
	});

	it('R21 R280 a project may switch a gate on that is off, but none off', () => {
		const on = json({ gates: { routingEnforcer: { enabled: true }, routingCompletion: { enabled: true } } });
		const off = json({
			gates: Object.fromEntries(
				['stageGuard', 'loop', 'agentRouter', 'routingEnforcer', 'routingCompletion'].map((gate) => [
					gate,
					{ enabled: false },
				]),
			),
		});
		expect(readSettings(off, on)).toMatchObject({
			gates: { routingEnforcer: { enabled: true }, routingCompletion: { enabled: true } },
		});
		const kept = readSettings(on, off);
		for (const gate of ['stageGuard', 'loop', 'agentRouter', 'routingEnforcer', 'routingCompletion'] as const) {
			expect([gate, kept.gates[gate].enabled]).toEqual([gate, true]);
		}
		expect(readSettings(undefined, json({ 'workflow.enabled': false })).workflow).toEqual({ enabled: false });
	});

	it('R21 ignores what is wrong and names it', () => {
		const wrong = json({
			gates: { routing: { onMismatch: 'explode', enabled: 'no' } },
			approvals: { holdSeconds: -1 },
		});
		const { gates, onMismatch, problems } = readSettings('{"gates":', wrong);
		expect([gates.routing, onMismatch]).toEqual([{ enabled: true, hold: true }, 'stop']);
		expect(problems).toHaveLength(4);
		expect(readSettings('[]', '\ufeff{}').problems).toEqual([
			'~/.overtone/config.json is not a JSON object; it is ignored',
		]);
	});

	it('excluded commands of both files count; what is no name of a command is named', () => {
		const own = json({ commands: { exclude: ['rm', 'task:'] } });
		const shared = json({ 'commands.exclude': ['curl', 'rm', 'git push', '', 3] });
		const { commands, problems } = readSettings(own, shared);
		expect(commands.exclude).toEqual(['rm', 'task:', 'curl']);
		expect(problems).toHaveLength(3);
		expect(problems[0]).toBe('commands.exclude: "git push" is not the name of a command, without arguments');
		expect(readSettings(json({ commands: { exclude: 'rm' } }), undefined)).toMatchObject({
			commands: { exclude: [] },
			problems: ['commands.exclude must be a list of at most 200 names of commands; it is ignored'],
		});
	});

	it('R21 never throws', () => {
		fc.assert(fc.property(fc.json(), fc.string(), (a, b) => void readSettings(a, b)));
		expect(readSettings('{"__proto__":{"gates":{"routing":{"enabled":false}}}}', undefined).gates.routing.enabled).toBe(
			true,
		);
	});
});

it('R2380 a misspelt setting is reported with the one that was meant, in either file and however it is written', () => {
	const mine = JSON.stringify({ gates: { rooting: { enabled: true } }, 'approvals.holdSecond': 5, notify: { any: 1 } });
	const theirs = JSON.stringify({ commands: { excludes: ['rm'] }, hub: 'none' });
	expect(readSettings(mine, theirs).problems).toEqual([
		'gates.rooting is no setting; did you mean gates.routing?',
		'approvals.holdSecond is no setting; did you mean approvals.holdSeconds?',
		'commands.excludes is no setting; did you mean commands.exclude?',
		'hub must be an object of settings; it is ignored',
	]);
	expect(
		readSettings('{"comands":{"exclude":["rm"]},"gate.x.enabled":true,"notes":{},"x":1}', undefined).problems,
	).toEqual([
		'comands is no section of settings; did you mean commands?',
		'gate is no section of settings; did you mean gates?',
	]);
	expect(
		readSettings(JSON.stringify({ gates: { routing: { enabled: true } }, hub: { mayDecide: false } }), undefined)
			.problems,
	).toEqual([]);
});
