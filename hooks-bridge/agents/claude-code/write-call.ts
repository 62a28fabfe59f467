/** A call of a tool as this client would pass it to a hook, for callers that ask the gates in its place. */
export function writeCall(call: {
	sessionId: string;
	cwd: string;
	tool: string;
	toolUseId: string;
	input: Readonly<Record<string, unknown>>;
}): string {
	return JSON.stringify({
		hook_event_name: 'PreToolUse',
		session_id: call.sessionId,
		cwd: call.cwd,
		tool_name: call.tool,
		tool_use_id: call.toolUseId,
		tool_input: call.input,
	});
}
