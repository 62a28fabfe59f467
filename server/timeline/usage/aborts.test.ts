import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { createLog } from '../../process/log.ts';
import { createTimelineRig } from '../../testing/timeline-rig.ts';
import { createUsageSources } from './usage-sources.ts';
import { createUsageTracker } from './usage-tracker.ts';

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'aborts-'));
	vi.stubEnv('COPILOT_HOME', join(root, 'copilot'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(root, { recursive: true });
});

/** As the real client of 1.0.102 wrote it when its person pressed Esc twice. */
const abortLine = (id: string, at: Date) =>
	`${JSON.stringify({ type: 'abort', data: { reason: 'user_abort' }, id, timestamp: at.toISOString(), parentId: 'p' })}\n`;

/** A session of Copilot CLI at work, of which no hook has named the transcript. */
async function startWork() {
	const timelines = createTimelineRig(join(root, 'home'));
	mkdirSync(join(root, 'home/sessions'), { recursive: true });
	const transcript = join(root, 'copilot/session-state/s-1/events.jsonl');
	mkdirSync(dirname(transcript), { recursive: true });
	writeFileSync(transcript, '{"type":"session.start"}\n');
	const run = await timelines.start();
	const ports = createNodePorts({ home: timelines.home, onAppend: (id) => run.tail.poke(id) });
	const log = createLog(() => undefined);
	const options = { tail: run.tail, index: run.index, ports, log, sources: createUsageSources(), settleMs: 60_000 };
	const tracker = createUsageTracker({ ...options, watchMs: 10 });
	tracker.start();
	let n = 0;
	const hook = (fields: object) => {
		n += 1;
		const input = { sessionId: 's-1', cwd: '/shop', timestamp: n, ...fields };
		respond(JSON.stringify(input), { agent: 'copilot', requestId: `run-${n}`, profile: 'open' }, ports);
	};
	hook({ prompt: 'Go on.' });
	hook({ toolName: 'bash', toolArgs: { command: 'sleep 40' } });
	await tracker.whenSettled();
	const stop = async () => {
		await tracker.stop();
		await run.stop();
		ports.close();
	};
	const aborts = () =>
		run.events('s-1').filter((event) => event.type === 'hook:event' && 'name' in event && event.name === 'abort');
	return { tracker, hook, transcript, stop, aborts, view: () => run.tail.viewOf('s-1') };
}

test('R2109 a stop that only the transcript tells ends the turn with its calls, once', async () => {
	const { tracker, transcript, stop, aborts, view } = await startWork();
	expect(view()).toMatchObject({ turn: 'running', calls: [{ tool: 'bash' }] });
	appendFileSync(transcript, abortLine('a', new Date(Date.now() + 1000)));
	await vi.waitFor(() => expect(view()?.turn).toBe('idle'), { timeout: 30_000 });
	expect(view()?.calls.map(({ closed }) => closed?.why)).toEqual(['turn-ended']);
	appendFileSync(transcript, abortLine('a', new Date(Date.now() + 2000)));
	await tracker.whenSettled();
	expect(aborts()).toHaveLength(1);
	await stop();
});

test('R2109 one after which the agent was heard of ends nothing', async () => {
	const { tracker, hook, transcript, stop, aborts, view } = await startWork();
	appendFileSync(transcript, abortLine('a', new Date(Date.now() - 60_000)));
	hook({ prompt: 'And now this.' });
	await tracker.whenSettled();
	expect([view()?.turn, aborts()]).toEqual(['running', []]);
	await stop();
});
