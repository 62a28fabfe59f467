import { cursorRow } from '#lib/agents/agent-table.ts';
import { type Json, parsedObject } from '#lib/json/json.ts';
import { isNo, reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';

const denied = (reason: string): Json => ({ permission: 'deny', user_message: reason, agent_message: reason });

const shapes: Shapes = {
	call(answer) {
		// The documents say that an ask before a call is not enforced.
		if (isNo(answer)) return denied(reasonOf(answer));
		return answer.decision === 'allow' && answer.input ? { permission: 'allow', updated_input: answer.input } : null;
	},
	block: (reason, name) =>
		name === cursorRow.events.prompt ? { continue: false, user_message: reason } : { followup_message: reason },
	context: (additional_context) => ({ additional_context }),
	listens: ['session-start', 'result'],
	denied,
};

/** A conversation is a session; its project is the first folder of the workspace. */
function share(raw: Json): Json {
	const { conversation_id, session_id, workspace_roots, cwd, tool_output, error_message } = raw;
	const [root] = Array.isArray(workspace_roots) ? workspace_roots : [];
	return {
		...raw,
		session_id: conversation_id ?? session_id,
		cwd: root ?? cwd,
		// The output comes as the text of a JSON value.
		tool_response: typeof tool_output === 'string' ? (parsedObject(tool_output) ?? tool_output) : tool_output,
		error: error_message,
		duration_ms: raw.duration,
	};
}

/** Cursor, by its documents; not tested with the client. */
export const cursor = sharedAdapter({
	row: cursorRow,
	shapes,
	inEnvelope: [
		...['conversation_id', 'session_id', 'generation_id', 'workspace_roots', 'cwd', 'hook_event_name'],
		...['cursor_version', 'user_email', 'transcript_path', 'model'],
	],
	share,
});
