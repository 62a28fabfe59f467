import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { alarmWords } from '../session/alarms.ts';
import { agentAsked, alarmOf, outcomeLook } from '../session/call.ts';
import { rowLabel } from '../session/row.ts';

/** A call's tool, and the agent that it asked for. */
export function callName(call: CallView): string {
	const agent = agentAsked(call);
	return agent === undefined ? call.tool : `${call.tool} → ${agent}`;
}

/** What a row is, in one or two words. */
export function rowName(row: Row): string {
	return row.call ? callName(row.call) : rowLabel(row);
}

/** What came of a call: an alarm, else its outcome. */
export function outcomeName(call: CallView): string {
	const alarm = alarmOf(call);
	return alarm ? alarmWords[alarm] : outcomeLook(call).word;
}

/** What gates and people said of a call, in one line of agent text; empty where all passed and nobody was asked. */
export function saidOfCall({ verdicts, approval, grant }: CallView): string {
	const denials = verdicts.filter(({ decision }) => decision !== 'pass');
	const said = denials.map(({ decision, rule, reason }) => `${decision} by ${rule}: ${reason}`);
	if (approval) said.push([`person: ${approval.state}`, approval.reason].filter(Boolean).join(', '));
	if (grant) said.push(`let run by a grant: ${grant.reason}`);
	return said.join('; ');
}

/** The name of who did it; empty for the main agent. */
export function actorName({ agents }: Pick<SessionView, 'agents'>, agentId: string | undefined): string {
	if (agentId === undefined) return '';
	return agents.find((agent) => agent.agentId === agentId)?.name ?? agentId;
}
