import { DEFAULT_HOLD_SECONDS } from '../approvals/hold-time.ts';
import { type GrantReach, grantReaches, narrowerReach } from '../contract/approvals/grant-reach.ts';
import type { GateSwitch } from '../gates/gate-context.ts';
import type { GateRow } from '../gates/gate-row.ts';
import { type GateSetting, gateTable } from '../gates/gate-table.ts';
import { SUPERVISOR_LIMITS, type SupervisorWish, withinLimits } from '../supervisor/limits.ts';
import { amount, ConfigPair, either, flag } from './config-pair.ts';
import { excludedCommands } from './excluded-commands.ts';
import { allNamed, gatesNamed } from './gates-named.ts';
import type { PolicyBody } from './policy-settings.ts';

/** The settings that hooks and the server read from `config.json` (DESIGN 7). */
export interface Settings {
	/** Each gate's switches, by its name in `gates.<name>`. */
	gates: Readonly<Record<GateSetting, GateSwitch>>;
	/** `stop` ends the agent's turn (seed 000 to the letter), `deny` lets the model read the reason. */
	onMismatch: 'stop' | 'deny';
	/** Commands that must not run (seed 003): the person's patterns and the project's. */
	commands: {
		exclude: readonly string[];
		/** `ask`: a program of which nothing is known is a question as well. */
		unknown?: 'ask';
		/** Lines of the client's shell run in the sandbox, where excluded programs cannot be opened. */
		enforce?: 'sandbox';
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
	/** Whether the hub that this home has joined may decide here, as far as its machine's owner lets it at all (`hub.mayDecide`). */
	hubMayDecide: boolean;
	/** How far what people allow from there may last, for calls like the one that they approve (`hub.mayGrant`). */
	hubMayGrant: GrantReach;
	/** Gates whose denials nobody overrides from there, whatever else is let (`hub.neverRemote`). */
	hubNeverRemote: readonly string[];
	/** What was ignored and why, for a person. */
	problems: string[];
}

const MOST_UNDO_SECONDS = 30;

/** A policy of the hub as settings know it. */
export interface SettingsPolicy {
	body: PolicyBody;
	/** A root passkey stands for it: where the person's own file says nothing, it may hold back less than is usual. */
	mayLoosen: boolean;
}

/**
 * Merges the person's config with the project's and the hub's policy. Total: what is wrong is ignored and named. A project
 * may only tighten: it can switch a gate on, shorten or forbid waiting, and choose `onMismatch` either way. So may a
 * policy, which chooses no `onMismatch` but `stop`, unless `mayLoosen`.
 */
export function readSettings(home: string | undefined, project: string | undefined, policy?: SettingsPolicy): Settings {
	const config = new ConfigPair(home, project, policy?.mayLoosen ? policy.body : {});
	const settings = mergeSettings(config);
	return policy ? tightenedBy(settings, policy.body) : settings;
}

/** What stands in them and is no setting is told. */
const SECTIONS = ['gates', 'commands', 'approvals', 'workflow', 'supervisor', 'hub'] as const;

function mergeSettings(config: ConfigPair): Settings {
	const onMismatch = config.both('gates.routing.onMismatch', either('stop', 'deny'));
	const observe = config.both('approvals.observe', flag);
	const sandbox = config.both('commands.withoutSandbox', either('run', 'refuse'));
	const settings: Settings = {
		gates: Object.fromEntries(gateTable.map((row) => [row.setting, gateSwitch(config, row)])) as Settings['gates'],
		onMismatch: onMismatch.theirs ?? onMismatch.mine ?? 'stop',
		commands: excluded(config),
		workflow: workflowSwitch(config),
		supervisor: { ...limit(config, 'maxIterations'), ...limit(config, 'timeoutSeconds') },
		...holdTime(config),
		observe: observe.mine === true || observe.theirs === true,
		undoSeconds: config.mine('approvals.undoSeconds', amount(MOST_UNDO_SECONDS)) ?? 0,
		holdsPrompts: mayAt(config, 'gates.permissionRequest.hold'),
		withoutSandbox: sandbox.mine === 'refuse' || sandbox.theirs === 'refuse' ? 'refuse' : 'run',
		hubMayDecide: mayAt(config, 'hub.mayDecide'),
		hubMayGrant: reachOf(config),
		hubNeverRemote: neverRemote(config),
		problems: config.problems,
	};
	config.tellMisspelt(SECTIONS);
	return settings;
}

/** The settings with what a policy holds back beside them: nothing in it takes a rule of the person or the project away. */
function tightenedBy(settings: Settings, body: PolicyBody): Settings {
	const exclude = excludedCommands(body['commands.exclude'], []);
	const gates = Object.entries(settings.gates).map(([name, before]) => {
		// A policy that names commands wants them looked for, also where the person has switched that off.
		const isOn = body[`gates.${name}.enabled`] === true || (name === 'commandPolicy' && exclude.length > 0);
		const hold = before.hold && body[`gates.${name}.hold`] !== false;
		return [name, { ...before, ...(isOn && { enabled: true }), hold }];
	});
	const { commands, holdSeconds = DEFAULT_HOLD_SECONDS } = settings;
	const most = body['approvals.holdSeconds'];
	return {
		...settings,
		gates: Object.fromEntries(gates) as Settings['gates'],
		onMismatch: body['gates.routing.onMismatch'] === 'stop' ? 'stop' : settings.onMismatch,
		commands: {
			...commands,
			exclude: [...new Set([...commands.exclude, ...exclude])],
			...(body['commands.unknown'] === 'ask' && { unknown: 'ask' }),
			...(body['commands.enforce'] === 'sandbox' && { enforce: 'sandbox' }),
		},
		...(typeof most === 'number' && most < holdSeconds && { holdSeconds: most }),
		observe: settings.observe || body['approvals.observe'] === true,
		holdsPrompts: settings.holdsPrompts && body['gates.permissionRequest.hold'] !== false,
		withoutSandbox: body['commands.withoutSandbox'] === 'refuse' ? 'refuse' : settings.withoutSandbox,
		hubMayDecide: settings.hubMayDecide && body['hub.mayDecide'] !== false,
		hubMayGrant: narrowerReach(settings.hubMayGrant, readReach(body['hub.mayGrant']) ?? settings.hubMayGrant),
		hubNeverRemote: union([settings.hubNeverRemote, gatesNamed(body['hub.neverRemote'], [])]),
	};
}

/** A gate that one of both wants judges; a project cannot switch off what its person wants. */
function gateSwitch(config: ConfigPair, { setting, start, mayHold }: GateRow): GateSwitch {
	const { mine, theirs } = config.both(`gates.${setting}.enabled`, flag);
	const enabled = theirs === true || (mine ?? (typeof start === 'string' ? start === 'on' : undefined));
	return { ...(enabled !== undefined && { enabled }), hold: holds(config, `gates.${setting}.hold`, mayHold) };
}

function holds(config: ConfigPair, path: string, mayHold: GateRow['mayHold']): boolean {
	// Read in any case: what a gate that never waits says of waiting is no misspelt setting.
	if (mayHold !== 'if-asked') return mayAt(config, path) && mayHold;
	const { mine, theirs } = config.both(path, flag);
	return mine === true && theirs !== false;
}

/** What happens unless one of both forbids it. */
function mayAt(config: ConfigPair, path: string): boolean {
	const { mine, theirs } = config.both(path, flag);
	return theirs !== false && mine !== false;
}

const reach = either(...grantReaches);
const readReach = reach.read;

/** One session, unless somebody says otherwise. What nobody can read may have said `never`. */
function reachOf(config: ConfigPair): GrantReach {
	const { mine = 'session', theirs = mine } = config.both('hub.mayGrant', reach);
	const isRead = config.raw('hub.mayGrant').every((value) => value === undefined || readReach(value) !== undefined);
	return isRead && config.unread === undefined ? narrowerReach(mine, theirs) : 'never';
}

function neverRemote(config: ConfigPair): string[] {
	const named = config.raw('hub.neverRemote').map((names) => gatesNamed(names, config.problems));
	return config.unread === undefined ? union(named) : [...allNamed];
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** A list that cannot be read, or a whole file, may have named anything: that must not vanish in silence. */
function excluded(config: ConfigPair): Settings['commands'] {
	const exclude = config.raw('commands.exclude').flatMap((patterns) => excludedCommands(patterns, config.problems));
	const unread = config.unread ?? config.problems.find((problem) => problem.startsWith('commands.exclude'));
	const { mine, theirs } = config.both('commands.unknown', either('pass', 'ask'));
	const asks = mine === 'ask' || theirs === 'ask' ? { unknown: 'ask' as const } : {};
	const how = config.both('commands.enforce', either('judge', 'sandbox'));
	const isEnforced = how.mine === 'sandbox' || how.theirs === 'sandbox';
	const enforced = isEnforced ? { enforce: 'sandbox' as const } : {};
	return { exclude: [...new Set(exclude)], ...asks, ...enforced, ...(unread !== undefined && { unread }) };
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
