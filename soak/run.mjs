/*
 * `npm run soak [NAME ...] [--seconds N] [--minutes N] [--seed N] [--runs N] [--only WORDS] [--cuts N] [--keep]`: runs the named
 * targets, or all of them, one after the other, each in a process of its own. A target is a file here, or a measured test
 * with its full number of runs (soak/README.md), or both; each prints its seed and its counts and exits with 1 when something
 * did not hold. They use what `npm run build` has built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..');
const FILES = readdirSync(HERE)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => basename(file, '.ts'));
/** Targets that are tests: those whose names begin with the target's, in these files. */
const TESTS = {
	A1: ['server/approvals/approval-model.test.ts'],
	A2: ['server/approvals/approval-service.test.ts'],
	A3: ['hooks-bridge/hook/fail-closed.test.ts', 'server/setup/closed-command.test.ts'],
	A4: ['server/approvals/server-death.test.ts'],
	A5: ['lib/approvals/decision-rate.test.ts'],
	B1: ['server/http/front-gate.test.ts'],
	B2: ['server/pages/api/api.test.ts'],
	B3: ['server/http/fuzz.test.ts'],
	B5: ['server/http/hostile-names.test.ts', 'server/archives/features/bombs.test.ts'],
	C2: ['server/access/passkeys.test.ts'],
	C3: ['hooks-bridge/hook/fail-closed.test.ts'],
	agents: ['hooks-bridge/agents/mutated-inputs.test.ts'],
	attack: [
		'server/edge/hub-decisions.test.ts',
		'server/edge/decide-by-passkey.test.ts',
		'server/hub/people/hub-oidc.test.ts',
		'server/hub/decisions/decide-from-hub.test.ts',
	],
	kill: ['server/door/killed-doors.test.ts'],
	hub: ['server/hub/timelines/writers-race.test.ts', 'server/hub/connections/hostile-edges.test.ts'],
	G1: ['server/journal/audit.test.ts'],
	G2: ['server/journal/audit.test.ts'],
	G3: ['server/journal/audit.test.ts'],
	G4: ['server/journal/crash-cuts.test.ts'],
	G5: ['server/journal/audit.test.ts'],
};
/** Targets that need a browser or a real client; A3 is measured in both ways. */
const BROWSER = {
	A3: 'e2e/claude-code/closed-gates.spec.ts',
	B4: 'e2e/hostile-gallery.spec.ts',
	B6: 'e2e/security.spec.ts',
};
const NAMES = [...new Set([...FILES, ...Object.keys(TESTS), ...Object.keys(BROWSER)])];

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		seconds: { type: 'string' },
		minutes: { type: 'string' },
		seed: { type: 'string' },
		runs: { type: 'string' },
		only: { type: 'string' },
		cuts: { type: 'string' },
		keep: { type: 'boolean' },
	},
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
	console.error(`soak: there is no ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
	process.exit(2);
}
if (!existsSync(join(ROOT, 'dist/signalbox.js'))) {
	console.error('soak: nothing is built yet; run `npm run build` first');
	process.exit(2);
}
const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;
const env = {
	...inherited,
	SIGNALBOX_SOAK: '1',
	...(values.seed !== undefined && { SIGNALBOX_SOAK_SEED: values.seed }),
	...(values.runs !== undefined && { SIGNALBOX_SOAK_RUNS: values.runs }),
};
const bin = (name) => join(ROOT, 'node_modules/.bin', name);

/** The commands of a target. */
function commandsOf(name) {
	const word = `\\b${name}\\b`;
	const commands = [];
	if (name in TESTS) commands.push([bin('vitest'), ['run', '--silent=false', ...TESTS[name], '-t', word]]);
	if (name in BROWSER) commands.push([bin('playwright'), ['test', BROWSER[name], '-g', word]]);
	if (!FILES.includes(name)) return commands;
	const args = Object.entries(values).flatMap(([option, value]) =>
		value === true ? [`--${option}`] : [`--${option}`, value],
	);
	return [...commands, [process.execPath, ['--import', 'tsx', join(HERE, `${name}.ts`), ...args]]];
}

let failed = false;
for (const name of positionals.length > 0 ? positionals : NAMES) {
	for (const [command, args] of commandsOf(name)) {
		if (spawnSync(command, args, { stdio: 'inherit', env, cwd: ROOT }).status !== 0) failed = true;
	}
}
process.exit(failed ? 1 : 0);
