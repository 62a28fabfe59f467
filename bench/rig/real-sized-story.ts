/** Lines as large as those of real sessions: about 810 bytes an event. */
export function realSizedStory(sessionId: string, events: number): Buffer {
	const text = 'a line of what an agent reads or writes, as long as they are '.repeat(9);
	const lines = Array.from({ length: events }, (_, n) => {
		const ts = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
		const of = { id: `${sessionId}-${n}`, ts, sessionId, category: 'tool', toolUseId: `call-${n >> 1}`, tool: 'Bash' };
		const fields =
			n % 2 === 0 ? { type: 'tool:call', input: { command: text } } : { type: 'tool:result', output: text };
		return `\n${JSON.stringify({ ...of, label: 'Call', ...fields })}\n`;
	});
	return Buffer.from(lines.join(''));
}
