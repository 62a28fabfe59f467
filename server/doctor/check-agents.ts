import { join } from 'node:path';
import { agentFolder, type Person } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { type FoundAgent, findAgents } from '../setup/agents/find-agents.ts';
import { agentFile, standsClosed } from '../setup/agents/plan-agent.ts';
import type { Registering } from '../setup/agents/registering-for.ts';
import { hasEntries } from '../setup/plan-init.ts';
import { readText } from '../setup/read-text.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

const KEEP_OFF =
	'forbid them by the client’s own rules as well, or use a make whose entries hold (docs/guide/agents.md)';

/** Findings about the other clients that are on this machine or have hooks of ours; none about the rest. */
export async function checkAgents(
	{ project, env }: Pick<SetUp, 'project' | 'env'>,
	how: Registering,
	find: FindCommand,
): Promise<Check[]> {
	const person = { env, cwd: project };
	const agents = await findAgents(project, person, how, find);
	return agents.flatMap((agent): Check[] => {
		if (agent.name === FIRST_AGENT || (agent.found.length === 0 && agent.installed === 'no')) return [];
		const check = checkAgent(agent, person, how);
		return check.state === 'ok' || check.state === 'warn' ? [check, ...tellDoubled(agent.name, project, how)] : [check];
	});
}

/** How the hooks of one make stand. */
function checkAgent({ name, title, version, installed, seen }: FoundAgent, person: Person, how: Registering): Check {
	const fix = `run \`signalbox init --agent ${name}\``;
	const what = [title, version].filter(Boolean).join(' ');
	if (installed === 'no') return { state: 'note', name, detail: `${what} is here, without hooks`, fix };
	const path = agentFile(name, person);
	const isHeld = standsClosed(name, person);
	const isOpen = how.isClosed && !isHeld;
	if (installed === 'other') {
		const detail = isOpen
			? `commands are excluded, but the hooks in ${path} let a call run when they fail`
			: `the hooks in ${path} are of another version or were edited`;
		return { state: 'wrong', name, detail, fix };
	}
	if (!isTrusted(name, person)) {
		const detail = `nobody has trusted the hooks in ${path}: the client skips them without a word`;
		return { state: 'wrong', name, detail, ...(setupOf(name).after && { fix: setupOf(name).after }) };
	}
	const failing = isHeld ? 'a call that nobody could judge is denied' : 'a call whose hook fails runs';
	const untried = 'read' in seen ? `; not run against the client: ${seen.read}` : '';
	const detail = `${what}, hooks in ${path}; ${failing}${untried}`;
	if (!isOpen) return { state: 'ok', name, detail };
	return { state: 'warn', name, detail: `${detail}; commands are excluded all the same`, fix: KEEP_OFF };
}

/** Whether the client's person has trusted hooks of this file, where it asks for that; a later change of them is not seen here. */
function isTrusted(name: AgentName, person: Person): boolean {
	const setup = setupOf(name);
	const path = agentFile(name, person);
	if (!setup.trust || path === undefined) return true;
	const read = readText(join(agentFolder(setup, person), setup.trust.file));
	return read.ok && read.text?.includes(setup.trust.sign(path)) === true;
}

/** Copilot CLI reads the settings of Claude Code as well: of these only the fail-closed entry speaks beside its own. */
function tellDoubled(name: string, project: string, { isClosed }: Registering): Check[] {
	if (name !== 'copilot' || !isClosed || !hasEntries(project)) return [];
	const detail =
		'in a folder that it trusts Copilot CLI also runs the fail-closed entry of .claude/: each command is told twice';
	return [{ state: 'note', name: 'copilot, registered twice', detail }];
}
