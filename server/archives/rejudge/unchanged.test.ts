import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSessions } from '#hooks-bridge/disk/overtone-home.ts';
import { memoryPorts } from '#hooks-bridge/testing/memory-ports.ts';
import { answerAll, recordedInputs } from '#hooks-bridge/testing/recorded-agent.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import { parseEvent } from '#lib/contract/events/event.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { rejudgeAll } from '#lib/rejudge/testing/rejudge-all.ts';
import { demoFile, readSteps } from '../../cli/demo-hooks.ts';
import { readDemoRecording, writePast } from '../../cli/demo-recording.ts';
import { timelineEvents } from '../features/archived-events.ts';

const NONE = { enabled: new Map() };
const allOn = {
	commands: { exclude: ['rm', 'git', 'sudo', 'npm:'] },
	gates: Object.fromEntries(gateTable.map(({ setting }) => [setting, { enabled: true }])),
};
const settings = [{}, { ...allOn, gates: {} }, allOn];

/** Recorded lines as events, numbered as the index would. */
function eventsOf(lines: readonly object[]): IndexedEvent[] {
	return lines.map((line, index) => {
		const event = parseEvent(JSON.parse(JSON.stringify(line)));
		if (!event) throw new Error(`no event: ${JSON.stringify(line)}`);
		return { ...event, seq: index + 1 } as IndexedEvent;
	});
}

/** Where a make's recorded sessions worked. */
function foldersOf(inputs: readonly unknown[]): string[] {
	const cwds = inputs.map((input) => (typeof input === 'object' && input !== null && 'cwd' in input ? input.cwd : ''));
	return [...new Set(cwds.filter((cwd): cwd is string => typeof cwd === 'string' && cwd !== ''))];
}

/** Answers these inputs in projects with such settings and an active plan; judges all of it again. */
function rejudged(agent: string, inputs: readonly unknown[], config: object) {
	const files = foldersOf(inputs).flatMap((folder) => [
		[`${folder}/.overtone/config.json`, JSON.stringify(config)],
		[
			`${folder}/.vibe-engine/routing-state.json`,
			JSON.stringify({
				...{ planId: 'p', status: 'active', mode: 'sequential' },
				phases: [{ id: 'one', agents: ['developer'], status: 'in-progress' }],
			}),
		],
	]);
	const ports = memoryPorts(Object.fromEntries(files));
	answerAll(agent, inputs, ports);
	return [...ports.timelines.values()].map((lines) => rejudgeAll(eventsOf(lines), NONE));
}

const demo = readSteps(readFileSync(demoFile('session.jsonl'), 'utf8'), '/shop').flatMap((step) =>
	'input' in step ? [step.input] : [],
);
const recorded: (readonly [string, readonly unknown[]])[] = [
	...agentTable.map(({ name }) => [name, recordedInputs(name).map(({ input }) => input)] as const),
	['claude-code', demo],
];

test.each(recorded)('%s: its recorded runs are judged again the same, whatever was set', (agent, inputs) => {
	for (const config of settings) {
		const sessions = rejudged(agent, inputs, config);
		expect(sessions.length).toBeGreaterThan(0);
		expect(sessions.flatMap(({ changed }) => changed)).toEqual([]);
		if (config === allOn) expect(sessions.reduce((sum, { judged }) => sum + judged, 0)).toBeGreaterThan(0);
	}
});

test('the stories of the demo and the home of an older program are judged again the same', async () => {
	const home = mkdtempSync(join(tmpdir(), 'sbx-same-'));
	try {
		mkdirSync(join(home, 'shop'));
		// As if the demo had been played to its end: all that is recorded is past.
		const { past, live, ...recording } = await readDemoRecording(home, Date.UTC(2026, 1, 23));
		const all = [...past, ...live].map(([sessionId, lines]) => [sessionId, lines] as const);
		const played = new Map(all.map(([id]) => [id, all.flatMap(([other, lines]) => (other === id ? lines : []))]));
		await writePast(home, home, { ...recording, past: played, live: new Map() });
		const before = new URL('../../../e2e/fixtures/home-of-before/', import.meta.url);
		const files: [string, string | URL][] = [
			...listSessions(home).map((id): [string, string] => [id, join(home, 'sessions', id, 'timeline.jsonl')]),
			['before', new URL('before.jsonl', before)],
			['cart', new URL('cart-session.jsonl', before)],
		];
		expect(files.length).toBeGreaterThan(15);
		for (const [sessionId, file] of files) {
			const source = { sessionId, proofOf: () => ({ kind: 'unknown', redacted: [] }) as const, birth: '' };
			const events: IndexedEvent[] = [];
			for await (const { event } of timelineEvents([{ chunks: createReadStream(file) }], source)) events.push(event);
			expect(events.length).toBeGreaterThan(3);
			expect(rejudgeAll(events, NONE).changed).toEqual([]);
		}
	} finally {
		rmSync(home, { recursive: true });
	}
});
