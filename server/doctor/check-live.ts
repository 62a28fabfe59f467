import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { writeCall } from '#hooks-bridge/agents/claude-code/claude-code.ts';
import { isDenial } from '#lib/gates/gate.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { parsedObject } from '#lib/json/json.ts';
import { printable } from '#lib/text/printable.ts';
import { OWN_DENIALS } from '../setup/closed-command.ts';
import type { Check, SetUp } from './check.ts';
import type { OurEntry } from './our-entries.ts';

const NAME = 'a denial comes back';
const CLOSED_NAME = 'the fail-closed entry denies';
const LIMIT_MS = 30_000;
const PROBE_COMMAND = 'signalbox-doctor-probe';

/** A plan that expects a developer, and an excluded command. Nobody is asked, since the project forbids waiting. */
function writeProbeProject(folder: string): void {
	const task = { id: 't1', agent: 'developer', description: 'probe', status: 'pending' };
	const plan = { planId: 'doctor-probe', status: 'in_progress', phases: [{ phase: 1, tasks: [task] }] };
	const config = {
		gates: { routing: { onMismatch: 'deny', hold: false }, commandPolicy: { enabled: true, hold: false } },
		commands: { exclude: [PROBE_COMMAND] },
	};
	mkdirSync(join(folder, '.vibe-engine'));
	mkdirSync(join(folder, '.overtone'));
	writeFileSync(join(folder, '.vibe-engine/routing-state.json'), JSON.stringify(plan));
	writeFileSync(join(folder, '.overtone/config.json'), JSON.stringify(config));
}

/** Next's types require NODE_ENV in every process environment; a hook has none. */
function childEnvironment(env: SetUp['env']): NodeJS.ProcessEnv {
	return { ...env } as NodeJS.ProcessEnv;
}

function runHook(command: string, folder: string, env: SetUp['env'], input: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const child = spawn('/bin/sh', ['-c', command], {
			cwd: folder,
			env: childEnvironment({ ...env, CLAUDE_PROJECT_DIR: folder, CLAUDE_PID: String(process.pid) }),
			stdio: ['pipe', 'pipe', 'ignore'],
			timeout: LIMIT_MS,
			killSignal: 'SIGKILL',
		});
		const chunks: Buffer[] = [];
		child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
		child.on('error', reject);
		child.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
		child.stdin.on('error', () => undefined);
		child.stdin.end(input);
	});
}

function isDenied(output: string): boolean {
	const printed = parsedObject(output);
	return printed !== undefined && isDenial(adapterOf().readPrinted(printed));
}

/** Calls that must be denied: an agent outside of the plan, and an excluded command. */
const PROBES = {
	[NAME]: {
		tool: 'Agent',
		input: { subagent_type: 'architect', description: 'probe', prompt: 'probe of signalbox doctor' },
	},
	[CLOSED_NAME]: {
		tool: 'Bash',
		input: { command: PROBE_COMMAND, description: 'probe of signalbox doctor' },
	},
} as const;

async function probe(name: keyof typeof PROBES, command: string, { env, home }: SetUp): Promise<Check> {
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
	try {
		writeProbeProject(folder);
		const output = await runHook(
			command,
			folder,
			{ ...env, OVERTONE_HOME: home },
			writeCall({ sessionId: HOME_SESSION, cwd: folder, ...PROBES[name], toolUseId: `probe_${randomUUID()}` }),
		);
		const what = name === NAME ? 'a call outside a routing plan' : 'an excluded command';
		// Without an answer the fail-closed entry denies by itself, which does not prove a gate.
		const isOwn = OWN_DENIALS.some((end) => output.includes(end));
		if (isDenied(output) && !isOwn) return { state: 'ok', name, detail: `${what} was denied` };
		const shown = output.trim() === '' ? 'nothing' : JSON.stringify(printable(output, 300));
		return {
			state: 'wrong',
			name,
			detail: `the hook printed ${shown}`,
			fix: 'correct the lines above, then run `signalbox init`',
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Sends calls that must be denied through the registered entries, plain and fail-closed, and checks the answers. Nothing runs;
 * the probes are recorded in `_home`.
 */
export async function checkLive(setUp: SetUp, entries: readonly OurEntry[]): Promise<Check[]> {
	const before = entries.filter(({ event }) => event === 'PreToolUse');
	const plain = before.find(({ profile }) => profile !== 'closed' && profile !== 'supervisor');
	const closed = before.find(({ profile }) => profile === 'closed');
	return [
		plain
			? await probe(NAME, plain.command, setUp)
			: { state: 'wrong', name: NAME, detail: 'there is no PreToolUse entry to try', fix: 'run `signalbox init`' },
		...(closed ? [await probe(CLOSED_NAME, closed.command, setUp)] : []),
	];
}
