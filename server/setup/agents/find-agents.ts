import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { agentFolder, type Person } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentCapabilities, type AgentName, agentRow, agentTable, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { hasEntries } from '../plan-init.ts';
import { isFailClosed, type Registering, stateOf } from './plan-agent.ts';

type FindCommand = (name: string) => string | undefined;

/** A client on this machine. */
export interface FoundAgent {
	name: AgentName;
	title: string;
	/** Where it was found: program, own folder, sign in the project; empty if nowhere. */
	found: string[];
	/** Whether its program is on PATH, which the doctor starts. */
	onPath: boolean;
	/** What the program prints as its version; absent without a program or an answer. */
	version?: string;
	/** Whether its hooks are registered: as this version does it, differently, or not. */
	installed: 'yes' | 'other' | 'no';
	/** How it was tested: with the real client of these versions, or from documents only. */
	seen: { run: string } | { read: string };
	can: AgentCapabilities;
	limits: readonly string[];
}

/** The clients that this person or this project uses, recognised by their folders, in the table's order. */
export function usedAgents(project: string, person: Person, find: FindCommand): AgentName[] {
	return agentTable.map(({ name }) => name).filter((name) => placesOf(name, project, person, find).isUsed);
}

/** Every client with what is known about it on this machine. Asks each program found for its version. */
export function findAgents(
	project: string,
	person: Person,
	how: Registering,
	find: FindCommand,
): Promise<FoundAgent[]> {
	return Promise.all(
		agentTable.map(async ({ name }) => {
			const { title, seen, can } = agentRow(name);
			const { program, places } = placesOf(name, project, person, find);
			const version = program === undefined ? undefined : await versionOf(program, person.env);
			const isFirst = name === FIRST_AGENT;
			const installed = isFirst ? (hasEntries(project) ? 'yes' : 'no') : stateOf(name, person, how);
			const { limits } = setupOf(name);
			return {
				name,
				title,
				found: places,
				onPath: program !== undefined,
				...(version && { version }),
				installed,
				seen,
				can,
				limits,
			};
		}),
	);
}

function placesOf(name: AgentName, project: string, person: Person, find: FindCommand) {
	const setup = setupOf(name);
	const program = find(setup.program);
	const folders = [agentFolder(setup, person), ...setup.signs.map((sign) => join(project, sign))];
	const used = folders.filter((path) => existsSync(path));
	// Claude Code counts as used if it is installed: its folder appears with its first session.
	const isUsed = used.length > 0 || (name === FIRST_AGENT && program !== undefined);
	return { program, isUsed, places: [...(program === undefined ? [] : [program]), ...used] };
}

/** The version that a program prints, e.g. `2.1.330`; undefined if it prints none within 15 s. */
export async function versionOf(program: string, env: Person['env']): Promise<string | undefined> {
	const output = await promisify(execFile)(program, ['--version'], {
		env: { ...env } as NodeJS.ProcessEnv,
		timeout: 15_000,
	})
		.then(({ stdout }) => stdout)
		.catch(() => '');
	return /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(output)?.[0];
}

/** What a person still has to do, or should know, after the hooks of these clients are registered. */
export function adviceFor(agents: readonly AgentName[], person: Person, { isClosed }: Registering): string[] {
	return [
		...agents.flatMap((agent) => setupOf(agent).after ?? []),
		...agents.filter((agent) => agent !== FIRST_AGENT).flatMap((agent) => adviceOnFailure(agent, person, isClosed)),
	];
}

/** One project makes the file fail closed for all projects: the person should know that, and how to undo it. */
function adviceOnFailure(agent: AgentName, person: Person, isClosed: boolean): string[] {
	const { title } = agentRow(agent);
	if (isFailClosed(agent, person)) {
		return [
			`With ${title}, a call that cannot be judged is denied in every project, because commands are excluded. \`signalbox init --remove --agent ${agent}\` undoes that.`,
		];
	}
	if (!isClosed) return [];
	return [`With ${title}, a call whose hook fails runs, even an excluded command: none of its entries fails closed.`];
}

const FAILURE: Readonly<Record<AgentCapabilities['onFailure'], string>> = {
	runs: 'a call whose hook fails runs',
	'as-entry-says': 'a call whose hook fails runs, but not where its entry is fail-closed',
};

/** What hooks can do with a client, a few words for each capability. */
export function capabilityWords(can: AgentCapabilities): string[] {
	const { deny, stop, ask, allow, edit, prompts } = can;
	const abilities = [
		[deny, 'deny a call'],
		[stop, 'end the agent’s turn'],
		[ask, 'have the person at the terminal asked'],
		[allow, 'let a call run without a prompt'],
		[edit, 'change a call’s input'],
		[prompts, 'answer the client’s own prompt'],
	] as const;
	const listNames = (is: boolean) =>
		abilities
			.filter(([able]) => able === is)
			.map(([, words]) => words)
			.join(', ');
	return [
		`can: ${listNames(true)}`,
		...(listNames(false) === '' ? [] : [`cannot: ${listNames(false)}`]),
		`its client was seen to wait ${can.holdSeconds} seconds for a hook`,
		FAILURE[can.onFailure],
	];
}
