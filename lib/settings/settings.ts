import type { GateRow } from '../gates/gate-row.ts';
import { type GateSetting, gateTable } from '../gates/gate-table.ts';
import type { GateSwitch } from '../gates/gate-world.ts';
import { SUPERVISOR_LIMITS, type SupervisorWish, withinLimits } from '../supervisor/limits.ts';
import { amount, ConfigPair, either, flag } from './config-pair.ts';
import { excludedCommands } from './excluded-commands.ts';

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

/**
 * Merges the person's config with the project's. Total: what is wrong is ignored and named. A project may only tighten:
 * it can switch a gate on, shorten or forbid waiting, and choose `onMismatch` either way.
 */
export function readSettings(home: string | undefined, project: string | undefined): Settings {
	const config = new ConfigPair(home, project);
	const onMismatch = config.both('gates.routing.onMismatch', either('stop', 'deny'));
	const observe = config.both('approvals.observe', flag);
	const sandbox = config.both('commands.withoutSandbox', either('run', 'refuse'));
	return {
		gates: Object.fromEntries(gateTable.map((row) => [row.setting, gateSwitch(config, row)])) as Settings['gates'],
		onMismatch: onMismatch.theirs ?? onMismatch.mine ?? 'stop',
		commands: excluded(config),
		workflow: workflowSwitch(config),
		supervisor: { ...limit(config, 'maxIterations'), ...limit(config, 'timeoutSeconds') },
		...holdTime(config),
		observe: observe.mine === true || observe.theirs === true,
		undoSeconds: config.mine('approvals.undoSeconds', amount(MOST_UNDO_SECONDS)) ?? 0,
		holdsPrompts: mayHoldAt(config, 'gates.permissionRequest.hold'),
		withoutSandbox: sandbox.mine === 'refuse' || sandbox.theirs === 'refuse' ? 'refuse' : 'run',
		problems: config.problems,
	};
}

/** A gate that one of both wants judges; a project cannot switch off what its person wants. */
function gateSwitch(config: ConfigPair, { setting, start, mayHold }: GateRow): GateSwitch {
	const { mine, theirs } = config.both(`gates.${setting}.enabled`, flag);
	const enabled = theirs === true || (mine ?? (typeof start === 'string' ? start === 'on' : undefined));
	return { ...(enabled !== undefined && { enabled }), hold: holds(config, `gates.${setting}.hold`, mayHold) };
}

function holds(config: ConfigPair, path: string, mayHold: GateRow['mayHold']): boolean {
	if (mayHold !== 'if-asked') return mayHold && mayHoldAt(config, path);
	const { mine, theirs } = config.both(path, flag);
	return mine === true && theirs !== false;
}

/** Waiting that happens unless one of both forbids it. */
function mayHoldAt(config: ConfigPair, path: string): boolean {
	const { mine, theirs } = config.both(path, flag);
	return theirs !== false && mine !== false;
}

/** A list that cannot be read, or a whole file, may have named anything: that must not vanish in silence. */
function excluded(config: ConfigPair): Settings['commands'] {
	const exclude = config.raw('commands.exclude').flatMap((patterns) => excludedCommands(patterns, config.problems));
	const unread = config.unread ?? config.problems.find((problem) => problem.startsWith('commands.exclude'));
	return { exclude: [...new Set(exclude)], ...(unread !== undefined && { unread }) };
}

function workflowSwitch(config: ConfigPair): Settings['workflow'] {
	const { mine, theirs } = config.both('workflow.enabled', flag);
	const enabled = theirs ?? mine;
	return enabled === undefined ? {} : { enabled };
}

/** The shorter of both times counts. */
function holdTime(config: ConfigPair): Pick<Settings, 'holdSeconds'> {
	const { mine, theirs } = config.both('approvals.holdSeconds', amount());
	if (mine === undefined && theirs === undefined) return {};
	return { holdSeconds: Math.min(mine ?? Number.POSITIVE_INFINITY, theirs ?? Number.POSITIVE_INFINITY) };
}

function limit(config: ConfigPair, name: keyof SupervisorWish): SupervisorWish {
	const { least, most } = SUPERVISOR_LIMITS[name];
	const value = config.mine(`supervisor.${name}`, {
		wants: `a whole number from ${least} to ${most}`,
		read: (given) => withinLimits(name, given) ?? undefined,
	});
	return value === undefined ? {} : { [name]: value };
}
