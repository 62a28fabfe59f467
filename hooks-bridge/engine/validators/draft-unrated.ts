import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import { SPAWN_GATE } from '#lib/contract/events/event-labels.ts';
import { printable } from '#lib/text/printable.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';

/** The events of a start that cannot be rated now: it counts as moderate and may run (seed 002). */
export function draftUnrated(call: ToolCall): DraftEvent[] {
	const subject = printable(spawnRequest(call)?.description ?? '', 300);
	const reason = 'no model was asked, so the task counts as moderate';
	return [
		{
			type: 'gate:verdict',
			gate: SPAWN_GATE,
			decision: 'pass',
			rule: 'spawn.unrated',
			reason,
			facts: { subject, rating: 'moderate', fallback: true },
			hook: 'PreToolUse',
		},
		{
			type: 'validator:assessment',
			validator: SPAWN_GATE,
			allowed: true,
			rating: 'moderate',
			reasoning: 'Nobody rated the task; it counts as moderate.',
			subject,
			fallback: true,
			fallbackReason: 'no model configured',
		},
	];
}
