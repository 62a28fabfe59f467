import { join } from 'node:path';
import { agentFolder, type Person } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { type FoundAgent, findAgents } from '../setup/agents/find-agents.ts';
import { agentFile, isFailClosed, type Registering } from '../setup/agents/plan-agent.ts';
import { hasEntries } from '../setup/plan-init.ts';
import { readText } from '../setup/read-text.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

const SWITCHED_OFF =
	'also forbid them in the client’s own rules, or use a client whose entries fail closed (docs/guide/agents.md)';

/** Findings about the other clients that are on this machine or have hooks of ours. */
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
		return check.state === 'ok' || check.state === 'warn' ? [check, ...checkTwice(agent.name, project, how)] : [check];
	});
}

function checkAgent({ name, title, version, installed, seen }: FoundAgent, person: Person, how: Registering): Check {
	const fix = `run \`signalbox init --agent ${name}\``;
	const what = [title, version].filter(Boolean).join(' ');
	if (installed === 'no') return { state: 'note', name, detail: `${what} is here, without hooks`, fix };
	const path = agentFile(name, person);
	const isHeld = isFailClosed(name, person);
	const isOpen = how.isClosed && !isHeld;
	if (installed === 'other') {
		const detail = isOpen
			? `commands are excluded, but the hooks in ${path} let a call run when they fail`
			: `the hooks in ${path} are of another version or were edited`;
		return { state: 'wrong', name, detail, fix };
	}
	if (!isTrusted(name, person)) {
		const detail = `the hooks in ${path} are not trusted yet: the client skips them silently`;
		return { state: 'wrong', name, detail, ...(setupOf(name).after && { fix: setupOf(name).after }) };
	}
	const failing = isHeld ? 'a call that cannot be judged is denied' : 'a call whose hook fails runs';
	const untried = 'read' in seen ? `; not run against the client: ${seen.read}` : '';
	const detail = `${what}, hooks in ${path}; ${failing}${untried}`;
	if (!isOpen) return { state: 'ok', name, detail };
	return { state: 'warn', name, detail: `${detail}; but commands are excluded`, fix: SWITCHED_OFF };
}

/** Whether the person has trusted our hooks in this file, if the client asks for that. Later changes are not detected. */
function isTrusted(name: AgentName, person: Person): boolean {
	const setup = setupOf(name);
	const path = agentFile(name, person);
	if (!setup.trust || path === undefined) return true;
	const read = readText(join(agentFolder(setup, person), setup.trust.file));
	return read.ok && read.text?.includes(setup.trust.sign(path)) === true;
}

/** Copilot CLI also reads Claude Code's settings; only their fail-closed entry judges its calls a second time. */
function checkTwice(name: string, project: string, { isClosed }: Registering): Check[] {
	if (name !== 'copilot' || !isClosed || !hasEntries(project)) return [];
	const detail =
		'in a folder that it trusts Copilot CLI also runs the fail-closed entry of .claude/: each command is recorded twice';
	return [{ state: 'note', name: 'copilot, registered twice', detail }];
}
