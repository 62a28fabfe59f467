import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { createLog } from '../../process/log.ts';
import { createTimelineRig } from '../../testing/timeline-rig.ts';
import { createUsageSources } from './session-transcripts.ts';
import { createUsageTracker } from './usage-tracker.ts';

/** Lines of the transcripts of real clients against a scripted model, whose every answer took 1000 and 20 tokens. */
const recorded = readFileSync(new URL('../../../e2e/fixtures/transcript-lines.jsonl', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as { make: string; path: string; line: string });

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'transcripts-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes what a client wrote down, below a folder of this test. */
function writeTranscripts(client: string): string[] {
	const files = new Map<string, string>();
	for (const { path, line } of recorded.filter((one) => one.make === client))
		files.set(path, `${files.get(path) ?? ''}${line}\n`);
	for (const [path, text] of files) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	return [...files.keys()].map((path) => join(root, path));
}

/** What is known of the tokens of a session once its client's hooks were told and its transcripts are read. */
async function usageAfter(agent: string, sessionId: string, inputs: readonly object[]) {
	const timelines = createTimelineRig(join(root, 'home'));
	mkdirSync(join(root, 'home/sessions'), { recursive: true });
	const run = await timelines.start();
	const ports = createNodePorts({ home: timelines.home, onAppend: (id) => run.tail.noteAppended(id) });
	const log = createLog(() => undefined);
	const options = { tail: run.tail, index: run.index, ports, log, sources: createUsageSources(), settleMs: 60_000 };
	const tracker = createUsageTracker(options);
	tracker.start();
	for (const [n, input] of inputs.entries())
		respond(JSON.stringify(input), { agent, requestId: `run-${n}`, profile: 'open' }, ports);
	await tracker.whenSettled();
	const { usage } = run.tail.viewOf(sessionId) ?? {};
	const types = run.events(sessionId).map(({ type }) => type);
	await tracker.stop();
	await run.stop();
	ports.close();
	expect(types).not.toContain('system:warning');
	return usage;
}

/** What of a make was recorded: answers of its main agent, and of the one inside. */
interface Recorded {
	make: string;
	session: string;
	model: string;
	main: number;
	inside: number;
	agent: string;
	inputs: (common: Record<string, unknown>) => object[];
}

const codexAgent = '01a206c2-67b8-7033-9235-d42445f011bc';
const shared = { cwd: '/shop' };
const makes: readonly Recorded[] = [
	{
		...{ make: 'codex', session: '01a206c2-6004-7711-8bea-f7933ed0c127', model: 'gpt-6.1-sol', main: 5, inside: 2 },
		agent: codexAgent,
		inputs: (common) => [
			{ ...common, hook_event_name: 'SessionStart', source: 'startup', model: 'gpt-6.1-sol' },
			// It names its own transcript, which is not the session's.
			{
				...common,
				hook_event_name: 'SubagentStart',
				agent_id: codexAgent,
				agent_type: 'default',
				transcript_path: '/x',
			},
			{ ...common, hook_event_name: 'Stop' },
		],
	},
	{
		...{ make: 'gemini', session: 'c0c323a8-aea2-4716-8ed4-4c1d3cfdd1c7', model: 'gemini-2.5-pro', main: 4, inside: 2 },
		agent: '8d82f50c-d5fc-4449-afd3-6e93ba5f7f00',
		inputs: (common) => [{ ...common, hook_event_name: 'AfterAgent' }],
	},
	{
		...{ make: 'qwen', session: '81fd50bd-a626-4fb6-8307-88c3e0b82293', model: 'fake-model', main: 6, inside: 2 },
		agent: 'general-purpose-call_fake0006',
		// The lines of its sub-agents name no model.
		inputs: (common) => [
			{ ...common, hook_event_name: 'SessionStart', source: 'startup', model: 'fake-model' },
			{ ...common, hook_event_name: 'Stop' },
		],
	},
	{
		...{ make: 'copilot', session: 'a16f7221-563b-478c-8291-c7d8b73eb622', model: 'fake-model', main: 5, inside: 2 },
		agent: '065d3cbf-4022-4391-8cb3-c5eed3f8ddfc',
		inputs: ({ session_id, transcript_path }) => [
			{ ...shared, sessionId: session_id, transcriptPath: transcript_path, stopReason: 'end_turn' },
		],
	},
	{
		...{ make: 'pi', session: '01a206c0-702a-72bd-a7c9-b7c7e0fad329', model: 'scripted', main: 6, inside: 0 },
		agent: '',
		inputs: (common) => [{ ...common, hook_event_name: 'agent_end' }],
	},
];

test.each(makes)(
	'the transcripts of $make say what its models took, of sub-agents too, each answer once',
	async ({ make, session, model, main, inside, agent, inputs }) => {
		const [transcript = ''] = writeTranscripts(make);
		const common = { ...shared, session_id: session, transcript_path: transcript };
		const hooks = inputs(common);
		const usage = await usageAfter(make, session, [...hooks, ...hooks.slice(-1)]);
		const answers = main + inside;
		expect(usage?.total).toMatchObject({ answers, inputTokens: 1000 * answers, outputTokens: 20 * answers });
		expect(usage?.models.map(({ name }) => name)).toEqual([model]);
		const ofAgent = usage?.agents.find(({ name }) => name === agent);
		if (inside > 0) expect(ofAgent).toMatchObject({ inputTokens: 1000 * inside });
	},
);

test('in a folder that sessions share, only the transcripts of known sub-agents are read', async () => {
	const [transcript = ''] = writeTranscripts('codex');
	const session = '01a206c2-6004-7711-8bea-f7933ed0c127';
	const common = { ...shared, session_id: session, transcript_path: transcript };
	const usage = await usageAfter('codex', session, [{ ...common, hook_event_name: 'Stop' }]);
	expect(usage?.total.answers).toBe(5);
});
