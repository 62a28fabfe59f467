import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { agentFolder, type Person } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentCapabilities, type AgentName, agentRow, agentTable, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { hasEntries } from '../plan-init.ts';
import { type Registering, stateOf } from './plan-agent.ts';

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
	return agentTable.map(({ name }) => name).filter((name) => findTraces(name, project, person, find).isUsed);
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
			const { program, traces } = findTraces(name, project, person, find);
			const version = program === undefined ? undefined : await versionOf(program, person.env);
			const isFirst = name === FIRST_AGENT;
			const installed = isFirst ? (hasEntries(project) ? 'yes' : 'no') : stateOf(name, person, how);
			const { limits } = setupOf(name);
			return {
				name,
				title,
				found: traces,
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

function findTraces(name: AgentName, project: string, person: Person, find: FindCommand) {
	const setup = setupOf(name);
	const program = find(setup.program);
	const folders = [agentFolder(setup, person), ...setup.signs.map((sign) => join(project, sign))];
	const used = folders.filter((path) => existsSync(path));
	// Claude Code counts as used if it is installed: its folder appears with its first session.
	const isUsed = used.length > 0 || (name === FIRST_AGENT && program !== undefined);
	return { program, isUsed, traces: [...(program === undefined ? [] : [program]), ...used] };
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
