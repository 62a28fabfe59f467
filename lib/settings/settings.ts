import type { GateRow } from '../gates/gate-row.ts';
import { type GateSetting, gateTable } from '../gates/gate-table.ts';
import { SUPERVISOR_LIMITS, type SupervisorWish, withinLimits } from '../supervisor/limits.ts';
import { excludedCommands } from './excluded-commands.ts';

/** What the settings say of one gate. */
export interface GateSwitch {
	/** Whether it judges; undefined where that is the matter of something else (`start.where` of its row). */
	enabled?: boolean;
	/** Whether a person may be asked before its denial is given. */
	hold: boolean;
}

/** The settings that hooks and the server read from `config.json` (DESIGN 7). */
export interface Settings {
	/** Each gate's switches, by its name in `gates.<name>`. */
	gates: Readonly<Record<GateSetting, GateSwitch>>;
	/** `stop` ends the agent's turn (seed 000 to the letter), `deny` lets the model read the reason. */
	onMismatch: 'stop' | 'deny';
	/** Commands that must not run (seed 003): the person's patterns and the project's. */
	commands: {
		exclude: readonly string[];
		/** Why there may be patterns that nobody could read. */
		unread?: string;
	};
	/** Whether prompts and session starts point to the workflows; unset: where the project has features in progress. */
	workflow: { enabled?: boolean };
	/** How long a denial may wait for a person, in seconds; absent means the default. */
	holdSeconds?: number;
	/** Tier T0: no call waits, nobody decides, and no grant lets anything run (`approvals.observe`). */
	observe: boolean;
	/** How long a decision in the browser can be undone before it is sent, in seconds; a person's own setting. */
	undoSeconds: number;
	/** Whether the client's own permission prompts are put to a person here, too (`gates.permissionRequest.hold`). */
	holdsPrompts: boolean;
	/** How often and how long the supervisor reviews; the person's own file alone says. */
	supervisor: SupervisorWish;
	/** What the agent shell does with commands of the operating system where no sandbox can be had. */
	withoutSandbox: 'run' | 'refuse';
	/** What was ignored and why, for a person. */
	problems: string[];
}

const MOST_UNDO_SECONDS = 30;

type Json = Record<string, unknown>;
const record = (value: unknown): Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** `a.b.c` from nested objects, or from a flat key of that name. */
function pick(config: Json, path: string): unknown {
	if (Object.hasOwn(config, path)) return config[path];
	return path.split('.').reduce<unknown>((at, key) => {
		const here = record(at);
		return Object.hasOwn(here, key) ? here[key] : undefined;
	}, config);
}

function parse(text: string | undefined, name: string, problems: string[]): Json {
	if (text === undefined || text.trim() === '') return {};
	try {
		const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
		problems.push(`${name} is not a JSON object; it is ignored`);
	} catch {
		problems.push(`${name} is not valid JSON; it is ignored`);
	}
	return {};
}

/**
 * Merges the person's config with the project's. Total: what is wrong is ignored and named. A project may
 * only tighten: it can switch a gate on, shorten or forbid waiting, and choose `onMismatch` either way.
 */
export function readSettings(home: string | undefined, project: string | undefined): Settings {
	const problems: string[] = [];
	const own = parse(home, '~/.overtone/config.json', problems);
	const shared = parse(project, '.overtone/config.json', problems);
	const [broken] = problems;
	const flag = (config: Json, path: string): boolean | undefined => {
		const value = pick(config, path);
		if (value === undefined || typeof value === 'boolean') return value;
		problems.push(`${path} must be true or false; it is ignored`);
		return undefined;
	};
	const form = (config: Json): 'stop' | 'deny' | undefined => {
		const value = pick(config, 'gates.routing.onMismatch');
		if (value === undefined || value === 'stop' || value === 'deny') return value;
		problems.push('gates.routing.onMismatch must be "stop" or "deny"; it is ignored');
		return undefined;
	};
	const refuses = (config: Json): boolean => {
		const value = pick(config, 'commands.withoutSandbox');
		if (value !== undefined && value !== 'run' && value !== 'refuse') {
			problems.push('commands.withoutSandbox must be "run" or "refuse"; it is ignored');
		}
		return value === 'refuse';
	};
	const seconds = (config: Json): number => {
		const value = pick(config, 'approvals.holdSeconds');
		if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
		if (value !== undefined) problems.push('approvals.holdSeconds must be a number from 0 up; it is ignored');
		return Number.POSITIVE_INFINITY;
	};
	const undo = (): number => {
		const value = pick(own, 'approvals.undoSeconds');
		if (typeof value === 'number' && value >= 0 && value <= MOST_UNDO_SECONDS) return value;
		if (value !== undefined) problems.push('approvals.undoSeconds must be a number from 0 to 30; it is ignored');
		return 0;
	};
	const exclude = [own, shared].flatMap((config) => excludedCommands(pick(config, 'commands.exclude'), problems));
	const unread = broken ?? problems.find((problem) => problem.startsWith('commands.exclude'));
	// Both files are always looked at, so that what is wrong in either is named.
	const both = (path: string) => ({ mine: flag(own, path), theirs: flag(shared, path) });
	const isAllowed = (path: string): boolean => {
		const { mine, theirs } = both(path);
		return theirs !== false && (mine ?? true);
	};
	const optional = (path: string): { enabled?: boolean } => {
		const { mine, theirs } = both(path);
		const enabled = theirs ?? mine;
		return enabled === undefined ? {} : { enabled };
	};
	/** A gate that one of both wants judges; a project cannot switch off what its person wants. */
	const gateSwitch = ({ setting, start, mayHold }: GateRow): GateSwitch => {
		const { mine, theirs } = both(`gates.${setting}.enabled`);
		const enabled = theirs === true || (mine ?? (typeof start === 'string' ? start === 'on' : undefined));
		const hold =
			mayHold === 'if-asked'
				? flag(own, `gates.${setting}.hold`) === true && flag(shared, `gates.${setting}.hold`) !== false
				: mayHold && isAllowed(`gates.${setting}.hold`);
		return { ...(enabled !== undefined && { enabled }), hold };
	};
	const limit = (name: keyof SupervisorWish): SupervisorWish => {
		const value = pick(own, `supervisor.${name}`);
		const fits = withinLimits(name, value);
		const { least, most } = SUPERVISOR_LIMITS[name];
		if (value !== undefined && fits === null) {
			problems.push(`supervisor.${name} must be a whole number from ${least} to ${most}; it is ignored`);
		}
		return fits === null ? {} : { [name]: fits };
	};
	const holdSeconds = Math.min(seconds(own), seconds(shared));
	const [iRefuse, theyRefuse] = [refuses(own), refuses(shared)];
	return {
		gates: Object.fromEntries(gateTable.map((row) => [row.setting, gateSwitch(row)])) as Settings['gates'],
		onMismatch: form(shared) ?? form(own) ?? 'stop',
		commands: { exclude: [...new Set(exclude)], ...(unread !== undefined && { unread }) },
		workflow: optional('workflow.enabled'),
		supervisor: { ...limit('maxIterations'), ...limit('timeoutSeconds') },
		...(Number.isFinite(holdSeconds) && { holdSeconds }),
		observe: flag(own, 'approvals.observe') === true || flag(shared, 'approvals.observe') === true,
		undoSeconds: undo(),
		holdsPrompts: isAllowed('gates.permissionRequest.hold'),
		withoutSandbox: iRefuse || theyRefuse ? 'refuse' : 'run',
		problems,
	};
}
