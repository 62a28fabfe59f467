import type { SupervisorInputRead } from '#lib/supervisor/supervisor-input.ts';

/** Narrows a parsed hook input. `session_id` is required; a missing `hook_event_name` means Stop (seed 004). */
export function readSupervisorInput(fields: Readonly<Record<string, unknown>>): SupervisorInputRead {
	const { session_id: sessionId, hook_event_name: event, tool_name: toolName, tool_use_id: toolUseId } = fields;
	if (typeof sessionId !== 'string' || sessionId === '') return { ok: false, reason: 'session_id is missing' };
	return {
		ok: true,
		input: {
			sessionId,
			event: typeof event === 'string' && event !== '' ? event : 'Stop',
			stopHookActive: fields.stop_hook_active === true,
			...(typeof toolName === 'string' && { toolName }),
			...('tool_input' in fields && { toolInput: fields.tool_input }),
			...(typeof toolUseId === 'string' && { toolUseId }),
		},
	};
}
