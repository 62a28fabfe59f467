import { type GrantReach, grantReaches, narrowerReach } from '../contract/approvals/grant-reach.ts';
import type { GateRow, GateSwitch } from '../gates/gate.ts';
import { type GateSetting, gateTable } from '../gates/gate-table.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { SUPERVISOR_LIMITS, type SupervisorWish, withinLimits } from '../supervisor/state.ts';
import { amount, ConfigPair, either, flag } from './config-pair.ts';
import { allNamed, excludedCommands, gatesNamed } from './named-lists.ts';
import { DEFAULT_HOLD_SECONDS, type PolicyBody, type SettingsPolicy } from './policy-settings.ts';

export interface Settings {
	gates: Readonly<Record<GateSetting, GateSwitch>>;
	/** `stop` ends the agent's turn, `deny` lets the model read the reason. */
	onMismatch: 'stop' | 'deny';
	commands: {
		exclude: readonly string[];
		unknown?: 'ask';
		/** Lines of the client's shell run in the sandbox, where excluded programs cannot be opened. */
		enforce?: 'sandbox';
		unread?: string;
	};
	/** Unset: if the project has features in progress. */
	workflow: { enabled?: boolean };
	holdSeconds?: number;
	/** Tier T0: no call waits, no one decides, and grants let nothing run. */
	observe: boolean;
	undoSeconds: number;
	holdsPrompts: boolean;
	supervisor: SupervisorWish;
	/** Without a sandbox on this machine. */
	withoutSandbox: 'run' | 'refuse';
	hubMayDecide: boolean;
	hubMayGrant: GrantReach;
	hubNeverRemote: readonly string[];
	problems: string[];
}

const MOST_UNDO_SECONDS = 30;

/**
 * Person, project and policy merged. Never throws: wrong values are ignored and named. A project may only tighten, and choose
 * `onMismatch` either way; a policy only `stop`, unless `mayLoosen`.
 */
export function readSettings(home: string | undefined, project: string | undefined, policy?: SettingsPolicy): Settings {
	const config = new ConfigPair(home, project, policy?.mayLoosen ? policy.body : {});
	const settings = mergeSettings(config);
	return policy ? tightenedBy(settings, policy.body) : settings;
}

const SECTIONS = ['gates', 'commands', 'approvals', 'workflow', 'supervisor', 'hub'] as const;

/** Sections that other modules read. */
const OTHER_SECTIONS = ['audit', 'llm', 'notify', 'retention', 'telemetry', 'usage'] as const;

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
	config.reportMisspelt(SECTIONS);
	config.reportMisspeltSections([...SECTIONS, ...OTHER_SECTIONS]);
	return settings;
}

function tightenedBy(settings: Settings, body: PolicyBody): Settings {
	const exclude = excludedCommands(body['commands.exclude'], []);
	const gates = Object.entries(settings.gates).map(([name, before]) => {
		// A policy that names commands switches their gate on.
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

/** Either file can switch it on. */
function gateSwitch(config: ConfigPair, { setting, start, mayHold }: GateRow): GateSwitch {
	const { mine, theirs } = config.both(`gates.${setting}.enabled`, flag);
	const enabled = theirs === true || (mine ?? (typeof start === 'string' ? start === 'on' : undefined));
	return { ...(enabled !== undefined && { enabled }), hold: holds(config, `gates.${setting}.hold`, mayHold) };
}

function holds(config: ConfigPair, path: string, mayHold: GateRow['mayHold']): boolean {
	// Read in any case, so that it does not count as misspelt.
	if (mayHold !== 'if-asked') return mayAt(config, path) && mayHold;
	const { mine, theirs } = config.both(path, flag);
	return mine === true && theirs !== false;
}

function mayAt(config: ConfigPair, path: string): boolean {
	const { mine, theirs } = config.both(path, flag);
	return theirs !== false && mine !== false;
}

const reach = either(...grantReaches);
const readReach = reach.read;

/** An unreadable value may have been `never`. */
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

/** An unreadable list or file may have named anything. */
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

export function loosenedBy(before: Settings, now: Settings): Sentence[] {
	const gates = Object.keys(before.gates) as GateSetting[];
	const off = gates.filter((gate) => before.gates[gate].enabled === true && now.gates[gate].enabled !== true);
	const given = before.commands.exclude.filter((pattern) => !now.commands.exclude.includes(pattern));
	return [
		...(given.length > 0
			? [sentence('commands.exclude no longer names {patterns}', { patterns: given.join(', ') })]
			: []),
		...off.map((gate) => sentence('{setting} is no longer on', { setting: `gates.${gate}` })),
		...(before.gates.commandPolicy.enabled !== false && now.gates.commandPolicy.enabled === false
			? [sentence('{setting} is off', { setting: 'gates.commandPolicy' })]
			: []),
		...(before.commands.unknown === 'ask' && now.commands.unknown !== 'ask'
			? [sentence('commands.unknown no longer asks')]
			: []),
		...(before.commands.enforce === 'sandbox' && now.commands.enforce !== 'sandbox'
			? [sentence('commands.enforce no longer runs lines in the sandbox')]
			: []),
		...(before.withoutSandbox === 'refuse' && now.withoutSandbox === 'run'
			? [sentence('commands.withoutSandbox no longer refuses')]
			: []),
		...(before.observe && !now.observe
			? [sentence('{setting} is no longer on', { setting: 'approvals.observe' })]
			: []),
	];
}
