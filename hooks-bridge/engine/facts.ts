import { isAbsolute } from 'node:path';
import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { sandboxEntry } from '#lib/commands/sandbox-entry.ts';
import type { GateContext, PlanRead } from '#lib/gates/gate.ts';
import { ENFORCER_GATE } from '#lib/gates/routing-enforcer/routing-enforcer-gate.ts';
import { ROUTING_GATE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { isJson } from '#lib/json/json.ts';
import { isActivePlan, isAutoFix, parseRoutingState, type RoutingPlan } from '#lib/routing/routing-state.ts';
import {
	DEFAULT_HOLD_SECONDS,
	POLICY_FILE,
	policyInForce,
	type SettingsPolicy,
} from '#lib/settings/policy-settings.ts';
import { readSettings, type Settings } from '#lib/settings/settings.ts';
import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { DeniedCall } from '../ports/denied-call.ts';
import type { FeatureTasks, Flow } from '../ports/flow-port.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { FileRead, ReadPorts } from '../ports/ports.ts';

const AUTO_FIX_PATH = '.vibe-engine/auto-fix-state.json';

/** The context of a gate, with the other facts that the engine reads for the same hook. */
export interface HookContext extends GateContext {
	settings: Settings;
	foundPlan(): FoundPlan;
	/** The session's workflow and loop; null if it never had one. */
	flow(): Flow | null;
	/** The tasks of the running workflow's feature, else of the project's first one in progress. */
	tasks(): FeatureTasks | null;
	ports: ReadPorts;
}

/** The context of one hook. Each part is read at its first use and then cached, so that all decisions see the same facts. */
export function createHookContext(hook: AgentHook, run: HookRun, project: string, ports: ReadPorts): HookContext {
	const { sessionId } = hook;
	const foundPlan = once(() => findPlan(project, ports));
	const flow = once(() => (ports.flow.has(sessionId) ? ports.flow.read(sessionId) : null));
	const isRepairing = once(() => {
		const state = ports.readProjectFile(project, AUTO_FIX_PATH);
		return state.ok && isAutoFix(state.text, ports.now());
	});
	const settings = once(() => findSettings(project, ports));
	return {
		project,
		cwd: hook.cwd ?? run.cwd ?? '',
		get settings() {
			return settings();
		},
		foundPlan,
		plan: once(() =>
			hook.at === 'call' ? planInForce({ sessionId, project }, foundPlan().read, ports) : foundPlan().read,
		),
		flow,
		workflow: () => flow()?.workflow ?? null,
		tasks: once(() => ports.features.tasks(project, featureOf(flow()))),
		canSandbox: () => {
			const program = ports.sandboxEntry?.();
			return program !== undefined && sandboxEntry('', program, project) !== undefined;
		},
		programFile: (word) => ports.programFile?.(word, hook.cwd ?? run.cwd ?? '') ?? null,
		isRepairing: () => hook.at === 'call' && isRepairing(),
		loop: () => null,
		planRest: () => null,
		ports,
	};
}

/** Replaces the context's workflow by the one read under its lock. */
export function lockHookContext(context: HookContext, flow: Flow): HookContext {
	return { ...context, flow: () => flow, workflow: () => flow.workflow };
}

function featureOf(flow: Flow | null): string | undefined {
	return flow !== null && isRunning(flow.workflow) ? flow.workflow.featureName : undefined;
}

export const PLAN_PATH = '.vibe-engine/routing-state.json';
export const CONFIG_PATH = '.overtone/config.json';

const REASONS: Record<Exclude<FileRead, { ok: true }>['why'], string> = {
	absent: 'it is not there',
	'not-regular': 'it is not a regular file',
	outside: 'it leads out of the project through a link',
	'too-large': 'it is larger than 1 MiB',
	unreadable: 'it cannot be read',
};

/** A plan as it was found: `read` is used to judge, `found` is recorded. */
export interface FoundPlan {
	read: PlanRead;
	found?: { plan: RoutingPlan; path: string; text: string; mtimeMs: number };
}

/** The project's folder: named by the client, else found from the working directory; empty if neither is known. */
export function projectRoot(hook: AgentHook, run: HookRun, ports: ReadPorts): string {
	if (run.projectDir && isAbsolute(run.projectDir)) return run.projectDir;
	const cwd = hook.cwd ?? run.cwd;
	return cwd && isAbsolute(cwd) ? ports.projectRootOf(cwd) : '';
}

/** Reads the routing plan of the project. If the file is wrong, the result is a reason. */
export function findPlan(root: string, ports: Pick<ReadPorts, 'readProjectFile'>): FoundPlan {
	if (root === '') return { read: null };
	const file = ports.readProjectFile(root, PLAN_PATH);
	if (!file.ok) return { read: file.why === 'absent' ? null : { ok: false, reason: REASONS[file.why] } };
	const read = parseRoutingState(file.text);
	if (!read.ok) return { read };
	return { read, found: { plan: read.plan, path: PLAN_PATH, text: file.text, mtimeMs: file.mtimeMs } };
}

/** The settings in force in a project, including its hub's policy; unreadable files are named in `problems`. */
export function findSettings(root: string, ports: ReadPorts): Settings {
	const read = () => readFiles(root, ports);
	return ports.settingsOfTurn ? ports.settingsOfTurn(root, read) : read();
}

function readFiles(root: string, ports: ReadPorts): Settings {
	const home = ports.readHomeFile('config.json');
	const project: FileRead = root === '' ? { ok: false, why: 'absent' } : ports.readProjectFile(root, CONFIG_PATH);
	const kept = ports.readHomeFile(POLICY_FILE);
	const { policy, problem } = policyInForce(kept.ok ? kept.text : undefined, ports.now());
	const settings = settingsOf(home.ok ? home.text : undefined, project.ok ? project.text : undefined, policy);
	const unread = (file: FileRead, name: string): string[] =>
		file.ok || file.why === 'absent' ? [] : [`${name} is ignored: ${REASONS[file.why]}`];
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

/** What the settings of a held call's home and project say of holding it: whether they only observe, and for how many seconds. */
export function holdSettings(ports: ReadPorts) {
	const settingsOf = ({ hook, run }: DeniedCall) => findSettings(projectRoot(hook, run, ports), ports);
	return {
		observes: (held: DeniedCall): boolean => settingsOf(held).observe,
		holdSeconds: (held: DeniedCall): number => settingsOf(held).holdSeconds ?? DEFAULT_HOLD_SECONDS,
	};
}

/** Texts in the lines of a denial by the plan. */
const BINDING = ['"routing:mismatch"', '"enforcer.delegate"'];

type Line = Readonly<Record<string, unknown>>;

/**
 * The plan in force. If it is gone or unreadable, but has denied a call since the last prompt of a person, the last recorded one
 * still binds: an agent gains nothing by spoiling the file that denied it something.
 */
function planInForce(
	{ sessionId, project }: { sessionId: string; project: string },
	read: PlanRead,
	ports: Pick<ReadPorts, 'linesWith'>,
): PlanRead {
	if (read?.ok || !BINDING.some((text) => ports.linesWith(sessionId, text).length > 0)) return read;
	const lines = ports.linesWith(sessionId, '"type"');
	const prompted = lines.findLastIndex(({ type, source }) => type === 'prompt:submit' && source === 'user');
	const denial = lines.slice(prompted + 1).findLast((line) => isDenialIn(project, line));
	const planId = isJson(denial?.facts) ? denial.facts.planId : undefined;
	const plan = lines.findLast((line) => line.type === 'routing:plan' && line.planId === planId);
	return plan && isPlan(plan) && isActivePlan(plan) ? { ok: true, plan, lost: read?.reason ?? 'it is gone' } : read;
}

/** A project's plan does not apply in another project. */
function isDenialIn(project: string, { type, gate, decision, facts }: Line): boolean {
	if (type !== 'gate:verdict' || decision !== 'deny' || (gate !== ROUTING_GATE && gate !== ENFORCER_GATE)) return false;
	return isJson(facts) && facts.project === project;
}

/** Anybody may have written the line, so every field of the plan may be missing. */
function isPlan(line: Line): line is Line & RoutingPlan {
	const { planId, status, phases } = line;
	if (typeof planId !== 'string' || typeof status !== 'string' || !Array.isArray(phases)) return false;
	return phases.every((phase) => Array.isArray(phase?.tasks) && phase.tasks.every(isTask));
}

const isTask = (task: { agent?: unknown; status?: unknown } | null) =>
	typeof task?.agent === 'string' && typeof task.status === 'string';

/** The result of `fetch`, which is called on first use. */
export function once<T>(fetch: () => T): () => T {
	let found: { value: T } | undefined;
	return () => {
		found ??= { value: fetch() };
		return found.value;
	};
}
