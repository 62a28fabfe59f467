import type { DraftEvent } from '../../engine/ports.ts';
import { isJson } from './json.ts';
import type { HookInput } from './read-input.ts';

const IN_ENVELOPE = new Set(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id']);

/** A hook without an event type of its own: its name, and its fields as they came. */
export function hookEvent(input: HookInput): DraftEvent {
	const fields = Object.fromEntries(Object.entries(input.fields).filter(([key]) => !IN_ENVELOPE.has(key)));
	return { type: 'hook:event', name: input.hook, fields };
}

/** PostToolBatch repeats calls and results that their own hooks have told: only the ids are kept. */
export function batchEvent(input: HookInput): DraftEvent {
	const calls = Array.isArray(input.fields.tool_calls) ? input.fields.tool_calls : [];
	const ids = calls.filter(isJson).map((call) => call.tool_use_id);
	return {
		type: 'hook:event',
		name: input.hook,
		fields: { tool_use_ids: ids.filter((id) => typeof id === 'string').map((id) => id.slice(0, 256)) },
	};
}
