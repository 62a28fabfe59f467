import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { printable } from '#lib/text/printable.ts';
import { isOurHandler } from '../init/hook-entries.ts';
import { pluginHooks } from '../init/install-plugin.ts';
import { projectFiles } from '../init/plan-init.ts';
import { readSettingsFile } from '../init/read-text.ts';
import { PLUGIN_ID } from '../plugin/plugin-files.ts';
import type { Check, Patient } from './check.ts';

const NAME = 'a denial comes back';
const LIMIT_MS = 30_000;

/** A plan that expects a developer. Nobody is asked: the probe's project forbids waiting. */
function writeProbeProject(folder: string): void {
	const task = { id: 't1', agent: 'developer', description: 'probe', status: 'pending' };
	const plan = { planId: 'doctor-probe', status: 'in_progress', phases: [{ phase: 1, tasks: [task] }] };
	const config = { gates: { routing: { onMismatch: 'deny', hold: false } } };
	mkdirSync(join(folder, '.vibe-engine'));
	mkdirSync(join(folder, '.overtone'));
	writeFileSync(join(folder, '.vibe-engine/routing-state.json'), JSON.stringify(plan));
	writeFileSync(join(folder, '.overtone/config.json'), JSON.stringify(config));
}

/** The command of the project's own entry, or of the plugin that is enabled there. */
function registeredCommand({ project, home }: Patient): string | undefined {
	const { settings, local } = projectFiles(project);
	const enabled = readSettingsFile(local);
	const hasPlugin = enabled.ok && enabled.settings.enabledPlugins?.[PLUGIN_ID] === true;
	const commands = [settings, ...(hasPlugin ? [pluginHooks(home)] : [])].flatMap((path) => {
		const read = readSettingsFile(path);
		const groups = read.ok ? (read.settings.hooks?.PreToolUse ?? []) : [];
		return groups.flatMap(({ hooks }) => hooks).flatMap((one) => (isOurHandler(one) ? [one.command] : []));
	});
	return commands.find((command) => typeof command === 'string');
}

/** Next's types demand a NODE_ENV of every process environment; a hook has none. */
function childEnvironment(env: Patient['env']): NodeJS.ProcessEnv {
	return { ...env } as NodeJS.ProcessEnv;
}

function runHook(command: string, folder: string, env: Patient['env'], input: unknown): Promise<string> {
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
		child.stdin.end(JSON.stringify(input));
	});
}

function isDenial(output: string): boolean {
	try {
		const { hookSpecificOutput } = JSON.parse(output) as { hookSpecificOutput?: { permissionDecision?: unknown } };
		return hookSpecificOutput?.permissionDecision === 'deny';
	} catch {
		return false;
	}
}

/**
 * Sends a call that must be denied through the registered entry, as the client would, and looks at the answer.
 * Nothing runs; the probe is recorded among what belongs to no session.
 */
export async function checkLive(patient: Patient): Promise<Check> {
	const command = registeredCommand(patient);
	if (command === undefined) {
		return { state: 'wrong', name: NAME, detail: 'there is no PreToolUse entry to try', fix: 'run `signalbox init`' };
	}
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
	try {
		writeProbeProject(folder);
		const output = await runHook(
			command,
			folder,
			{ ...patient.env, OVERTONE_HOME: patient.home },
			{
				session_id: HOME_SESSION,
				cwd: folder,
				hook_event_name: 'PreToolUse',
				tool_name: 'Agent',
				tool_input: { subagent_type: 'architect', description: 'probe', prompt: 'probe of signalbox doctor' },
				tool_use_id: `probe_${randomUUID()}`,
			},
		);
		if (isDenial(output)) return { state: 'ok', name: NAME, detail: 'a call outside a routing plan was denied' };
		const shown = output.trim() === '' ? 'nothing' : JSON.stringify(printable(output, 300));
		return {
			state: 'wrong',
			name: NAME,
			detail: `the hook printed ${shown}`,
			fix: 'see the lines above, then `signalbox init`',
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
