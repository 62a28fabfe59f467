import { join } from 'node:path';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, agentRow, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { findAgents } from '../agents/find-agents.ts';
import { agentFile, agentFolder, type Person } from '../agents/plan-agent.ts';
import { hasEntries } from '../install/plan-init.ts';
import { readText } from '../install/read-text.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

/** How the other makes of agent stand that are found here or have hooks of ours; nothing of those that are not. */
export async function checkAgents(
	{ project, env }: Pick<SetUp, 'project' | 'env'>,
	holdSeconds: number,
	find: FindCommand,
): Promise<Check[]> {
	const person = { env, cwd: project };
	const agents = await findAgents(project, person, holdSeconds, find);
	return agents.flatMap(({ name, title, found, version, installed, seen }): Check[] => {
		if (name === FIRST_AGENT || (found.length === 0 && installed === 'no')) return [];
		const fix = `run \`signalbox init --agent ${name}\``;
		const what = [title, version].filter(Boolean).join(' ');
		if (installed === 'no') return [{ state: 'note', name, detail: `${what} is here, without hooks`, fix }];
		const path = agentFile(name, person);
		if (installed === 'other') {
			return [{ state: 'wrong', name, detail: `the hooks in ${path} are of another version or were edited`, fix }];
		}
		if (!isTrusted(name, person)) {
			const detail = `nobody has trusted the hooks in ${path}: the client skips them without a word`;
			return [{ state: 'wrong', name, detail, ...(setupOf(name).after && { fix: setupOf(name).after }) }];
		}
		const untried = 'read' in seen ? `; not run against the client: ${seen.read}` : '';
		const { onFailure } = agentRow(name).can;
		const failing = onFailure === 'runs' ? '; a call whose hook fails runs' : '';
		return [
			{ state: 'ok', name, detail: `${what}, hooks in ${path}${failing}${untried}` },
			...tellDoubled(name, project),
		];
	});
}

/** Whether the client's person has trusted hooks of this file, where it asks for that; a later change of them is not seen here. */
function isTrusted(name: AgentName, person: Person): boolean {
	const setup = setupOf(name);
	const path = agentFile(name, person);
	if (!setup.trust || path === undefined) return true;
	const read = readText(join(agentFolder(setup, person), setup.trust.file));
	return read.ok && read.text?.includes(setup.trust.sign(path)) === true;
}

/** Copilot CLI reads the settings of Claude Code as well. */
function tellDoubled(name: string, project: string): Check[] {
	if (name !== 'copilot' || !hasEntries(project)) return [];
	const detail =
		'in a folder that it trusts Copilot CLI also runs the hooks of .claude/settings.json: each call is told twice';
	return [
		{ state: 'warn', name: 'copilot, registered twice', detail, fix: 'run `signalbox init --remove --agent copilot`' },
	];
}
