/** What a client sends before it runs a shell command: 575 bytes, as the real ones are. */
export function bashCall(sessionId: string, toolUseId: string, command = 'npm test -- --run src/cart'): string {
	const body = {
		session_id: sessionId,
		transcript_path: `/home/dev/.claude/projects/shop/${sessionId}.jsonl`,
		cwd: '/home/dev/shop',
		permission_mode: 'default',
		hook_event_name: 'PreToolUse',
		tool_name: 'Bash',
		tool_input: { command, description: '' },
		tool_use_id: toolUseId,
	};
	const missing = 575 - JSON.stringify(body).length;
	body.tool_input.description = 'Runs the tests of the cart. '.repeat(20).slice(0, Math.max(0, missing));
	return JSON.stringify(body);
}

/** What the client sends when that command has run. */
export function bashResult(sessionId: string, toolUseId: string): string {
	const call = JSON.parse(bashCall(sessionId, toolUseId)) as Record<string, unknown>;
	const tool_response = { stdout: 'ok 12 tests\n', stderr: '', interrupted: false };
	return JSON.stringify({ ...call, hook_event_name: 'PostToolUse', tool_response, duration_ms: 840 });
}
