import { readFileSync } from 'node:fs';

/** One hook input that a real client sent. */
export interface Recorded {
	run: string;
	cli: string;
	/** When, in milliseconds. */
	t: number;
	input: Record<string, unknown> & { session_id: string; hook_event_name: string };
}

/** All recorded hook inputs of the real client, in the order in which they came. */
export function readRecorded(): Recorded[] {
	const path = new URL('../fixtures/claude-code-hook-inputs.jsonl', import.meta.url);
	return readFileSync(path, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Recorded);
}

/** The inputs of one recorded run under a session id of the test's own, so that tests can share a server. */
export function recordedRun(run: string, sessionId: string): Recorded['input'][] {
	const inputs = readRecorded()
		.filter((recorded) => recorded.run === run)
		.map(({ input }) => ({ ...input, session_id: sessionId }));
	if (inputs.length === 0) throw new Error(`There is no recorded run ${run}.`);
	return inputs;
}
