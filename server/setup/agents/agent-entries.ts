import type { SetupEntry } from '#hooks-bridge/agents/agent-setup.ts';
import type { HookPoint } from '#lib/agents/agent-hook.ts';
import { type AgentName, agentRow } from '#lib/agents/agent-table.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { closedCommand } from '../closed-command.ts';
import { HOLD_MARGIN } from '../hook-entries.ts';
import type { Registering } from './registering-for.ts';

const PLAIN_SECONDS = 15;
/** A fail-closed entry has to say its own denial before the client gives up waiting, on a busy machine, too. */
const CLOSED_MARGIN = 3;

/**
 * What is registered with another client: the events that mean something to us, each under the profile of the gates
 * that speak there. No call waits longer than the client waits for its hook.
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

/**
 * The home is found at run time. Whatever becomes of the hook, the entry ends well: to some makes another exit code is a
 * denial. CLAUDE_PID may be that of a client which started this one.
 */
function commandFor(agent: AgentName, profile: string, seconds: number): string {
	const hook = `h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"; [ -x "$h" ] || exit 0`;
	return `${hook}; CLAUDE_PID=$PPID "$h" ${profile} ${seconds} ${agent} || exit 0`;
}
