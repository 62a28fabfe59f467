import { type GrantReach, grantReaches, narrowerReach } from '../contract/approvals/grant-reach.ts';
import { excludedCommands, howEnforced, unknownPrograms } from '../gates/command-policy/command-policy-gate.ts';
import type { GateRow, GateSettings, GateSwitch } from '../gates/gate.ts';
import { settingValue } from '../gates/gate-setting.ts';
import { type GateSwitchName, gateSettings, gateTable, ownSettings } from '../gates/gate-table.ts';
import { onMismatch } from '../gates/routing-plan/routing-plan-gate.ts';
import { amount, either, flag } from '../json/reading.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { SUPERVISOR_LIMITS, type SupervisorSettings, withinLimits } from '../supervisor/state.ts';
import { ConfigPair } from './config-pair.ts';
import { allNames, gatesNamed } from './named-lists.ts';
import { DEFAULT_HOLD_SECONDS, type PolicyBody, type SettingsPolicy } from './policy-settings.ts';

export interface Settings extends GateSettings {
	gates: Readonly<Record<GateSwitchName, GateSwitch>>;
	/** Unset: if the project has features in progress. */
	workflow: { enabled?: boolean };
	holdSeconds?: number;
	/** Tier T0: no call waits, no one decides, and grants let nothing run. */
	observe: boolean;
	undoSeconds: number;
	holdsPrompts: boolean;
	supervisor: SupervisorSettings;
	/** Without a sandbox on this machine. */
	withoutSandbox: 'run' | 'refuse';
	hubMayDecide: boolean;
	hubMayGrant: GrantReach;
	hubNeverRemote: readonly string[];
	problems: string[];
}

const MAX_UNDO_SECONDS = 30;

/**
 * The configs of home and project (texts) and a hub's policy in one. Never throws: wrong values are ignored and named in `problems`.
 * A project may only tighten, but choose `onMismatch` freely; a policy may only set it to `stop`, unless `mayLoosen`.
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
	const observe = config.both('approvals.observe', flag);
	const sandbox = config.both('commands.withoutSandbox', either('run', 'refuse'));
	const settings: Settings = {
		gates: Object.fromEntries(gateTable.map((row) => [row.setting, gateSwitch(config, row)])) as Settings['gates'],
		...withValues(readValues(config), config),
		workflow: workflowSwitch(config),
		supervisor: { ...limit(config, 'maxIterations'), ...limit(config, 'timeoutSeconds') },
		...holdTime(config),
		observe: observe.home === true || observe.project === true,
		undoSeconds: config.home('approvals.undoSeconds', amount(MAX_UNDO_SECONDS)) ?? 0,
		holdsPrompts: isAllowed(config, 'gates.permissionRequest.hold'),
		withoutSandbox: sandbox.home === 'refuse' || sandbox.project === 'refuse' ? 'refuse' : 'run',
		hubMayDecide: isAllowed(config, 'hub.mayDecide'),
		hubMayGrant: grantReach(config),
		hubNeverRemote: neverRemote(config),
		problems: config.problems,
	};
	config.reportMisspelt(SECTIONS);
	config.reportMisspeltSections([...SECTIONS, ...OTHER_SECTIONS]);
	return settings;
}

function tightenedBy(settings: Settings, body: PolicyBody): Settings {
	const policy = new Map(gateSettings.map((setting) => [setting.path, setting.read(body[setting.path], [])]));
	const gates = gateTable.map((row): [string, GateSwitch] => {
		const before = settings.gates[row.setting];
		const isNamed = ownSettings(row).some((setting) => setting.switchesOn?.(policy.get(setting.path) ?? setting.unset));
		const isOn = body[`gates.${row.setting}.enabled`] === true || isNamed;
		const hold = before.hold && body[`gates.${row.setting}.hold`] !== false;
		return [row.setting, { ...before, ...(isOn && { enabled: true }), hold }];
	});
	const values = gateSettings.map((setting) => {
		const [value, strict] = [settingValue(setting, settings), policy.get(setting.path)];
		return [setting.path, strict === undefined ? value : setting.tighten(value, strict)];
	});
	const { holdSeconds = DEFAULT_HOLD_SECONDS } = settings;
	const maxHoldSeconds = body['approvals.holdSeconds'];
	return {
		...settings,
		gates: Object.fromEntries(gates) as Settings['gates'],
		...withValues(Object.fromEntries(values), { unread: settings.commands.unread }),
		...(typeof maxHoldSeconds === 'number' && maxHoldSeconds < holdSeconds && { holdSeconds: maxHoldSeconds }),
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
	const { home, project } = config.both(`gates.${setting}.enabled`, flag);
	const enabled = project === true || (home ?? (typeof start === 'string' ? start === 'on' : undefined));
	return { ...(enabled !== undefined && { enabled }), hold: mayWait(config, `gates.${setting}.hold`, mayHold) };
}

function mayWait(config: ConfigPair, path: string, mayHold: GateRow['mayHold']): boolean {
	// Read in any case, so that it does not count as misspelt.
	if (mayHold !== 'if-asked') return isAllowed(config, path) && mayHold;
	const { home, project } = config.both(path, flag);
	return home === true && project !== false;
}

/** True unless one of the files says false. */
function isAllowed(config: ConfigPair, path: string): boolean {
	const { home, project } = config.both(path, flag);
	return project !== false && home !== false;
}

const reach = either(...grantReaches);
const readReach = reach.read;

/** An unreadable value may have been `never`. */
function grantReach(config: ConfigPair): GrantReach {
	const { home = 'session', project = home } = config.both('hub.mayGrant', reach);
	const isRead = config.raw('hub.mayGrant').every((value) => value === undefined || readReach(value) !== undefined);
	return isRead && config.unread === undefined ? narrowerReach(home, project) : 'never';
}

function neverRemote(config: ConfigPair): string[] {
	const named = config.raw('hub.neverRemote').map((names) => gatesNamed(names, config.problems));
	return config.unread === undefined ? union(named) : [...allNames];
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** What each gate declares for itself. */
function readValues(config: ConfigPair): Record<string, unknown> {
	return Object.fromEntries(
		gateSettings.map((setting) => {
			const [home, project] = config.raw(setting.path).map((value) => setting.read(value, config.problems));
			return [setting.path, setting.join(home, project)];
		}),
	);
}

/** The values of all gates, and those that the engine reads by name. An unreadable list or file may have named anything. */
function withValues(
	values: Readonly<Record<string, unknown>>,
	{ unread, problems = [] }: { unread: string | undefined; problems?: readonly string[] },
): Pick<Settings, 'values' | 'onMismatch' | 'commands'> {
	const [unknown, enforce] = [settingValue(unknownPrograms, { values }), settingValue(howEnforced, { values })];
	const why = unread ?? problems.find((problem) => problem.startsWith(excludedCommands.path));
	const commands: Settings['commands'] = {
		exclude: settingValue(excludedCommands, { values }),
		...(unknown === 'ask' && { unknown }),
		...(enforce === 'sandbox' && { enforce }),
		...(why !== undefined && { unread: why }),
	};
	return { values, onMismatch: settingValue(onMismatch, { values }), commands };
}

function workflowSwitch(config: ConfigPair): Settings['workflow'] {
	const { home, project } = config.both('workflow.enabled', flag);
	const enabled = project ?? home;
	return enabled === undefined ? {} : { enabled };
}

function holdTime(config: ConfigPair): Pick<Settings, 'holdSeconds'> {
	const { home, project } = config.both('approvals.holdSeconds', amount());
	if (home === undefined && project === undefined) return {};
	return { holdSeconds: Math.min(home ?? Number.POSITIVE_INFINITY, project ?? Number.POSITIVE_INFINITY) };
}

function limit(config: ConfigPair, name: keyof SupervisorSettings): SupervisorSettings {
	const { least, most } = SUPERVISOR_LIMITS[name];
	const value = config.home(`supervisor.${name}`, {
		wants: `a whole number from ${least} to ${most}`,
		read: (given) => withinLimits(name, given) ?? undefined,
	});
	return value === undefined ? {} : { [name]: value };
}

/** What an owner is warned of after a change; empty if nothing holds back less than before. */
export function loosenedBy(before: Settings, now: Settings): Sentence[] {
	const gates = Object.keys(before.gates) as GateSwitchName[];
	const off = gates.filter((gate) => before.gates[gate].enabled === true && now.gates[gate].enabled !== true);
	return [
		...gateSettings.flatMap(
			(setting) => setting.loosened(settingValue(setting, before), settingValue(setting, now)) ?? [],
		),
		...off.map((gate) => sentence('{setting} is no longer on', { setting: `gates.${gate}` })),
		...(before.gates.commandPolicy.enabled !== false && now.gates.commandPolicy.enabled === false
			? [sentence('{setting} is off', { setting: 'gates.commandPolicy' })]
			: []),
		...(before.withoutSandbox === 'refuse' && now.withoutSandbox === 'run'
			? [sentence('commands.withoutSandbox no longer refuses')]
			: []),
		...(before.observe && !now.observe
			? [sentence('{setting} is no longer on', { setting: 'approvals.observe' })]
			: []),
	];
}
