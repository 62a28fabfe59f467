import { join } from 'node:path';
import { agentFolder, type Person, type SetupEntry } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import type { HookPoint } from '#lib/agents/agent-hook.ts';
import { type AgentName, agentRow, agentTable } from '#lib/agents/agent-table.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { isJson } from '#lib/json/json.ts';
import { closedCommand } from '../closed-command.ts';
import { backupChange, type FileChange, restore } from '../file-change.ts';
import { HOLD_MARGIN, type HookEntries } from '../hook-entries.ts';
import { mergeSettings, ourHandlerPositions, SettingsRefused, settingsOf, unmergeSettings } from '../merge-settings.ts';
import { parseJson } from '../parse-json.ts';
import { excludesCommands, holdSecondsFor } from '../project-settings.ts';
import { readIfThere, readText } from '../read-text.ts';

/** The file that holds a client's hooks, absolute; undefined for the client that has one in each project. */
export function agentFile(agent: AgentName, person: Person): string | undefined {
	const setup = setupOf(agent);
	return setup.hooks && join(agentFolder(setup, person), setup.hooks.file);
}

/** The change to a client's file that registers our hooks. Throws SettingsRefused for a file that the client would not accept. */
export function planAgent(agent: AgentName, person: Person, how: Registering): FileChange[] {
	const wanted = wantedEntries(agent, person, how);
	if (!wanted) return [];
	const { path } = wanted;
	const before = readIfThere(path);
	if (wanted.kind === 'own') {
		refuseShared(path, before, wanted.text);
		return [{ path, before, after: wanted.text }];
	}
	const isFirst = ourHandlerPositions(settingsOf(before ?? '', path)).length === 0;
	return [
		backupChange(path, before, isFirst),
		{ path, before, after: mergeSettings(before ?? '', path, wanted.groups) },
	];
}

/** The change that removes them. Throws as `planAgent`. */
export function planAgentRemoval(agent: AgentName, person: Person, how: Registering): FileChange[] {
	const wanted = wantedEntries(agent, person, how);
	if (!wanted || stateOf(agent, person, how) === 'no') return [];
	const { path } = wanted;
	if (wanted.kind === 'own') {
		const before = readIfThere(path);
		refuseShared(path, before, wanted.text);
		return [{ path, before, after: undefined }];
	}
	return restore(path, (text, before) => unmergeSettings(text, path, before, wanted.groups));
}

/** The titles of the clients whose hooks are registered for all projects of a person. */
export function registeredAgents(person: Person, how: Registering): string[] {
	return agentTable.filter(({ name }) => stateOf(name, person, how) !== 'no').map(({ title }) => title);
}

/** Whether a client's hooks are registered as this version does it, differently, or not at all. Never throws. */
export function stateOf(agent: AgentName, person: Person, how: Registering): 'yes' | 'other' | 'no' {
	const wanted = wantedEntries(agent, person, how);
	if (!wanted) return 'no';
	const read = readText(wanted.path);
	if (!read.ok || read.text === undefined || !IS_OURS.test(read.text)) return 'no';
	if (wanted.kind === 'own') return read.text === wanted.text ? 'yes' : 'other';
	const { text } = read;
	return tryTo(() => (mergeSettings(text, wanted.path, wanted.groups) === text ? 'yes' : 'other')) ?? 'other';
}

/** Whether a client's entry for calls denies a call that could not be judged. Never throws. */
export function isFailClosed(agent: AgentName, person: Person): boolean {
	const path = agentFile(agent, person);
	const read = path === undefined ? undefined : readText(path);
	return read?.ok === true && read.text !== undefined && IS_CLOSED.test(read.text);
}

/** We write this file as a whole, so a file with anything else in it is not touched. */
function refuseShared(path: string, text: string | undefined, wanted: string): void {
	if (text === undefined || text.trim() === '') return;
	const json = parseJson(text);
	const isOurs = json.ok ? isOursAlone(json.value) : IS_OURS.test(text);
	if (isOurs) return;
	throw new SettingsRefused(
		`${path} was not changed: it contains hooks that are not ours. Add these entries by hand, or remove the others:\n${wanted}`,
	);
}

/** Whether a hooks file contains only a version and entries that run our hook. */
function isOursAlone(file: unknown): boolean {
	if (!isJson(file)) return false;
	const { version: _version, hooks = {}, ...others } = file;
	if (Object.keys(others).length > 0 || !isJson(hooks)) return false;
	return Object.values(hooks).every((entries) => Array.isArray(entries) && entries.every(isOurEntry));
}

const isOurEntry = (entry: unknown) => {
	if (!isJson(entry)) return false;
	const command = entry.command ?? entry.bash;
	return typeof command === 'string' && IS_OURS.test(command);
};

/** In every file of ours, and in files with our entries. */
const IS_OURS = /bin\/hook\.sh|signalbox:plugin/;

/** In every file with a fail-closed entry. */
const IS_CLOSED = /ask closed \d/;

type Wanted = { path: string } & ({ kind: 'own'; text: string } | { kind: 'shared'; groups: HookEntries });

function wantedEntries(agent: AgentName, person: Person, how: Registering): Wanted | undefined {
	const { hooks } = setupOf(agent);
	const path = agentFile(agent, person);
	if (!hooks || path === undefined) return undefined;
	// Once one project made it fail closed, it stays so for projects that exclude nothing.
	const isClosed = how.isClosed || isFailClosed(agent, person);
	const entries = agentEntries(agent, { ...how, isClosed });
	if ('content' in hooks) return { kind: 'own', path, text: hooks.content(entries) };
	return { kind: 'shared', path, groups: hooks.groups(entries) };
}

const PLAIN_SECONDS = 15;
/** Even on a busy machine a fail-closed entry must print its denial before the client gives up. */
const CLOSED_MARGIN = 3;

/**
 * What is registered with another client: events that we use, under the profile of their gates. No hook waits longer than its
 * client does.
 */
export function agentEntries(
	agent: AgentName,
	{ holdSeconds, isClosed }: Registering,
	rows: readonly GateRow[] = gateTable,
): SetupEntry[] {
	const { events, can } = agentRow(agent);
	return Object.entries(events).map(([name, event]) => {
		const point = name as HookPoint;
		const gates = rows.filter(({ at }) => at.includes(point));
		const profile = gates.some((row) => row.profile === 'open') ? 'open' : 'observe';
		const holds =
			(point === 'permission' && can.prompts) || (point === 'call' && gates.some(({ mayHold }) => mayHold === true));
		const seconds = holds ? Math.min(holdSeconds + HOLD_MARGIN, can.longestSeconds ?? Infinity) : PLAIN_SECONDS;
		if (!isClosed || point !== 'call' || can.onFailure === 'runs') {
			return { event, command: commandFor(agent, profile, seconds), seconds };
		}
		return { event, command: closedCommand(seconds - CLOSED_MARGIN, agent), seconds, isClosed };
	});
}

/** Finds the home when run. Always exits with 0, since another code is a denial for some clients. */
function commandFor(agent: AgentName, profile: string, seconds: number): string {
	const hook = `h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"; [ -x "$h" ] || exit 0`;
	return `${hook}; CLAUDE_PID=$PPID "$h" ${profile} ${seconds} ${agent} || exit 0`;
}

export interface Registering {
	/** How long a call may wait for a person, in seconds. */
	holdSeconds: number;
	/** Calls that cannot be judged are denied, if the client supports that. */
	isClosed: boolean;
}

/**
 * The same for all projects, since such a client has one file for them: no project decides how long a call may wait, but commands
 * that this one excludes must not run unjudged.
 */
export function registeringFor(home: string, project: string): Registering {
	return { holdSeconds: holdSecondsFor(home), isClosed: excludesCommands(home, project) };
}
