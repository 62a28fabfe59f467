import { isAbsolute } from 'node:path';
import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { DEFAULT_HOLD_SECONDS } from '#lib/approvals/hold-time.ts';
import type { PlanRead } from '#lib/gates/gate-context.ts';
import { parseRoutingState, type RoutingPlan } from '#lib/routing/routing-state.ts';
import { POLICY_FILE, policyInForce } from '#lib/settings/kept-policy.ts';
import { readSettings, type Settings, type SettingsPolicy } from '#lib/settings/settings.ts';
import type { FileRead, HeldCall, HookRun, ReadPorts } from '../ports/ports.ts';

/** Where a project's routing plan is. */
export const PLAN_PATH = '.vibe-engine/routing-state.json';
/** Where a project's own settings are. */
export const CONFIG_PATH = '.overtone/config.json';

const SAY: Record<Exclude<FileRead, { ok: true }>['why'], string> = {
	absent: 'it is not there',
	'not-regular': 'it is not a regular file',
	outside: 'it leads out of the project through a link',
	'too-large': 'it is larger than 1 MiB',
	unreadable: 'it cannot be read',
};

/** A plan as it was found: judged by `read`, told by `found`. */
export interface FoundPlan {
	read: PlanRead;
	found?: { plan: RoutingPlan; path: string; text: string; mtimeMs: number };
}

/** The project's folder: what the client named, else found from the working directory; empty when neither is known. */
export function projectRoot(hook: AgentHook, run: HookRun, sight: ReadPorts): string {
	if (run.projectDir && isAbsolute(run.projectDir)) return run.projectDir;
	const cwd = hook.cwd ?? run.cwd;
	return cwd && isAbsolute(cwd) ? sight.projectRootOf(cwd) : '';
}

/** Reads the routing plan beside the project. Whatever is wrong with the file comes back as a reason. */
export function findPlan(root: string, sight: Pick<ReadPorts, 'readProjectFile'>): FoundPlan {
	if (root === '') return { read: null };
	const file = sight.readProjectFile(root, PLAN_PATH);
	if (!file.ok) return { read: file.why === 'absent' ? null : { ok: false, reason: SAY[file.why] } };
	const read = parseRoutingState(file.text);
	if (!read.ok) return { read };
	return { read, found: { plan: read.plan, path: PLAN_PATH, text: file.text, mtimeMs: file.mtimeMs } };
}

/** The settings that hold in a project, by its hub's policy, too; files that cannot be read are named in `problems`. */
export function findSettings(root: string, sight: ReadPorts): Settings {
	const read = () => readFiles(root, sight);
	return sight.settingsOfTurn ? sight.settingsOfTurn(root, read) : read();
}

function readFiles(root: string, sight: ReadPorts): Settings {
	const home = sight.readHomeFile('config.json');
	const project: FileRead = root === '' ? { ok: false, why: 'absent' } : sight.readProjectFile(root, CONFIG_PATH);
	const kept = sight.readHomeFile(POLICY_FILE);
	const { policy, problem } = policyInForce(kept.ok ? kept.text : undefined, sight.now());
	const settings = settingsOf(home.ok ? home.text : undefined, project.ok ? project.text : undefined, policy);
	const unread = (file: FileRead, name: string): string[] =>
		file.ok || file.why === 'absent' ? [] : [`${name} is ignored: ${SAY[file.why]}`];
	const missed = [
		...unread(home, '~/.overtone/config.json'),
		...unread(project, CONFIG_PATH),
		...unread(kept, `~/.overtone/${POLICY_FILE}`),
		...(problem === undefined ? [] : [problem]),
	];
	const [first] = missed;
	const commands = first === undefined ? settings.commands : { ...settings.commands, unread: first };
	return { ...settings, commands, problems: [...missed, ...settings.problems] };
}

const MAX_READ = 50;
const lastRead = new Map<string, { policy: SettingsPolicy | undefined; settings: Settings }>();

/** Nearly every command is judged by settings that were read before, and reading them costs as much as all the rest. */
function settingsOf(
	home: string | undefined,
	project: string | undefined,
	policy: SettingsPolicy | undefined,
): Settings {
	const texts = home === undefined && project === undefined ? '' : JSON.stringify([home, project]);
	const known = lastRead.get(texts);
	if (known && known.policy === policy) return known.settings;
	const settings = readSettings(home, project, policy);
	if (lastRead.size >= MAX_READ) lastRead.clear();
	lastRead.set(texts, { policy, settings });
	return settings;
}

/** Whether the held call's home or project only observes (`approvals.observe`). */
export function isObserved(held: HeldCall, sight: ReadPorts): boolean {
	return settingsOfCall(held, sight).observe;
}

/** The hold time that the held call's project sets, in seconds (`approvals.holdSeconds`). */
export function approvalHoldSeconds(held: HeldCall, sight: ReadPorts): number {
	return settingsOfCall(held, sight).holdSeconds ?? DEFAULT_HOLD_SECONDS;
}

function settingsOfCall(held: HeldCall, sight: ReadPorts): Settings {
	return findSettings(projectRoot(held.hook, held.run, sight), sight);
}
