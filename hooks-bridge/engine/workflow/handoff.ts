import type { StageResult, WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { clip, printable } from '#lib/text/printable.ts';
import type { Effect } from '../ruling.ts';

/** The whole message is handed on; this bound is against a runaway agent. */
const MAX_CHARS = 512 * 1024;
const OWN = /^#{1,3}[ \t]*HANDOFF\b.*$/mu;

/** What one agent leaves to the next. */
export interface Handoff {
	agent: string;
	stage: string;
	result: StageResult;
	/** The agent's last message. */
	message: string;
	/** Before the stage ended. */
	state: WorkflowState;
}

/** Hands on what an agent leaves, to each receiver; nothing of an agent that said nothing. */
export function handOff(handoff: Handoff, receivers: readonly string[]): Effect[] {
	const { agent, message } = handoff;
	if (message.trim() === '') return [];
	return receivers
		.filter((to) => to !== agent && isSafeId(agent) && isSafeId(to))
		.map((to) => ({ does: 'write-handoff', from: agent, to, text: writeText(handoff, to) }));
}

/** The document: the agent's own handoff block word for word where it wrote one, else its message in the four sections. */
function writeText({ agent, stage, result, message, state }: Handoff, to: string): string {
	const whole = clip(message, MAX_CHARS);
	const own = OWN.exec(whole);
	if (own) return `## HANDOFF: ${agent} → ${to}\n${whole.slice(own.index + own[0].length)}\n`;
	const feature = state.featureName ? `, feature ${printable(state.featureName, 100)}` : '';
	return [
		`## HANDOFF: ${agent} → ${to}`,
		'',
		'### Context',
		`Workflow ${printable(state.workflowType, 60)}${feature}. Stage ${stage} ended with ${result}.`,
		'',
		'### Findings',
		whole.trim(),
		'',
		'### Files Modified',
		'Not stated.',
		'',
		'### Open Questions',
		'Not stated.',
		'',
	].join('\n');
}
