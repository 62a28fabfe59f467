import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { appendBytes } from '#hooks-bridge/disk/timeline-files.ts';
import { answerUnwritten } from '#hooks-bridge/engine/record.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { createTurnPorts, createTurnTimelines, type TurnPorts } from './turn-timelines.ts';

let home: string;
let project: string;
let ports: TurnPorts;
/** What each write told the tail: session and number of lines. */
let writes: [string, number][];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-turn-'));
	project = mkdtempSync(join(tmpdir(), 'sbx-turn-project-'));
	writes = [];
	ports = createTurnPorts({ home, onAppend: (sessionId, _bytes, lines) => void writes.push([sessionId, lines]) });
});
afterEach(() => {
	ports.close();
	rmSync(home, { recursive: true });
	rmSync(project, { recursive: true });
});

let runs = 0;
const freshRun = (more: Partial<HookRun> = {}): HookRun => {
	runs += 1;
	return { requestId: `run-${runs}`, profile: 'open', projectDir: project, ...more };
};
const bash = (id: string, sessionId = 's1', command = 'ls') =>
	JSON.stringify({
		session_id: sessionId,
		cwd: project,
		hook_event_name: 'PreToolUse',
		tool_name: 'Bash',
		tool_input: { command },
		tool_use_id: id,
	});
const hook = (raw: string, run = freshRun()) => {
	return () => respond(raw, run, ports);
};
/** One turn in which every line can be written. */
const together = <T>(jobs: (() => T)[], own = ports): T[] =>
	own.together(jobs, (_done, error) => {
		throw error;
	});
const exclude = (pattern: string) => {
	mkdirSync(join(project, '.overtone'), { recursive: true });
	writeFileSync(join(project, '.overtone/config.json'), JSON.stringify({ commands: { exclude: [pattern] } }));
};
const lines = (sessionId = 's1'): SealedEvent[] =>
	readFileSync(timelinePath(home, sessionId), 'utf8')
		.split('\n')
		.filter((line) => line.endsWith('}'))
		.map((line) => JSON.parse(line));

test('the events of one batch of hooks are written in one go for each session', () => {
	together([hook(bash('a')), hook(bash('b', 's2')), hook(bash('c')), hook(bash('d'))]);
	expect(writes).toEqual([
		['s1', 3],
		['s2', 1],
	]);
	expect(lines().map(({ toolUseId }) => toolUseId)).toEqual(['a', 'c', 'd']);
	// The first line alone says where the session is, as without a turn.
	expect(lines().map(({ cwd }) => cwd)).toEqual([project, undefined, undefined]);
});

test('a session whose person prompts is announced, and no other event is', () => {
	const prompted: string[] = [];
	const own = createTurnPorts({ home, onPrompt: (sessionId) => void prompted.push(sessionId) });
	const prompt = JSON.stringify({ session_id: 's2', cwd: project, hook_event_name: 'UserPromptSubmit', prompt: 'Go.' });
	together(
		[bash('a'), prompt].map((raw) => () => respond(raw, freshRun(), own)),
		own,
	);
	own.close();
	expect(prompted).toEqual(['s2']);
});

test('R22 a second run of a call in the same turn prints the recorded answer and appends nothing', () => {
	exclude('rm');
	const answers = together([hook(bash('a', 's1', 'rm x')), hook(bash('b')), hook(bash('a', 's1', 'rm x'))]);
	expect(answers[0]?.output).not.toBeNull();
	expect(answers[2]).toMatchObject({ output: answers[0]?.output, repeated: true });
	expect(lines().filter(({ type }) => type === 'tool:call')).toHaveLength(2);
});

test('a settings file that changes is seen by the next turn', () => {
	const judge = (id: string) => together([hook(bash(id, 's1', 'rm x'))])[0]?.output;
	expect(judge('a')).toBeNull();
	exclude('rm');
	expect(judge('b')).not.toBeNull();
	rmSync(join(project, '.overtone/config.json'));
	expect(judge('c')).toBeNull();
});

test('the hooks of one turn are judged by the same settings, whatever happens to the file meanwhile', () => {
	const isDenied = ({ output }: { output: unknown }) => output !== null;
	const change = () => {
		exclude('rm');
		return hook(bash('b', 's1', 'rm x'))();
	};
	expect(together([hook(bash('a', 's1', 'rm x')), change]).map(isDenied)).toEqual([false, false]);
	expect(together([hook(bash('c', 's1', 'rm x'))]).map(isDenied)).toEqual([true]);
});

test('R739 lines that cannot be written fail for each hook that recorded them, and for no other', () => {
	const isFull = (bytes: Buffer) => bytes.includes('"full"');
	const timelines = createTurnTimelines(home, {
		write(fd, bytes) {
			if (isFull(bytes)) throw new Error('the disk is full');
			appendBytes(fd, bytes);
		},
	});
	const job = (sessionId: string, id: string) => () => {
		timelines.appendLater?.(sessionId, [event(sessionId, id)]);
		return 'told';
	};
	const jobs = [job('s1', 'a'), job('s1', 'full'), job('s2', 'b')];
	const ends = timelines.together(jobs, (_value, error) => String(error));
	expect(ends).toEqual(['told', 'Error: the disk is full', 'told']);
	expect([lines('s1'), lines('s2')].map((all) => all.map(({ id }) => id))).toEqual([['a'], ['b']]);
	timelines.close();
});

test('R739 a reader that needs the lines on disk finds those of the batch there', () => {
	const event1 = event('s1', 'a');
	const [seen] = together([
		() => {
			ports.appendLater?.('s1', [event1]);
			return ports.flow.locked('s1', () => {
				ports.append('s1', [event('s1', 'b')]);
				return lines().map(({ id }) => id);
			});
		},
	]);
	expect(seen).toEqual(['a', 'b']);
});

test('in turns or one by one, with other writers between them, the same is recorded and answered', () => {
	const step = fc.record({
		hooks: fc.array(fc.tuple(fc.constantFrom('s1', 's2'), fc.nat(6)), { minLength: 1, maxLength: 8 }),
		foreign: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
			const written = [true, false].map((isBatched) => {
				const at = mkdtempSync(join(home, 'run-'));
				const own = createTurnPorts({ home: at });
				const answers = steps.flatMap(({ hooks, foreign }, n) => {
					if (foreign) {
						mkdirSync(join(at, 'sessions/s1'), { recursive: true });
						appendFileSync(timelinePath(at, 's1'), `\n${JSON.stringify(event('s1', `foreign-${n}`))}\n`);
					}
					const jobs = hooks.map(([sessionId, call], k) => () => {
						const run = { requestId: `r-${n}-${k}`, profile: 'open' as const };
						return respond(bash(`call-${call}`, sessionId), run, own);
					});
					return isBatched ? together(jobs, own) : jobs.map((job) => job());
				});
				own.close();
				const texts = ['s1', 's2'].map((sessionId) => {
					try {
						return readFileSync(timelinePath(at, sessionId), 'utf8').replaceAll(/"ts":"[^"]*"/g, '');
					} catch {
						return null;
					}
				});
				return { answers, texts };
			});
			expect(written[0]).toEqual(written[1]);
		}),
		{ numRuns: 30 },
	);
});

function event(sessionId: string, id: string): SealedEvent {
	const ts = '2026-11-22T10:00:00.000Z';
	return {
		id,
		ts,
		type: 'hook:event',
		category: 'hook',
		label: 'Hook',
		sessionId,
		requestId: id,
		name: 'x',
		fields: {},
	};
}

/** The id that a call's first event will have: it follows from the call alone. */
function foreseenId(raw: string): string {
	const elsewhere = mkdtempSync(join(tmpdir(), 'sbx-turn-'));
	const other = createTurnPorts({ home: elsewhere });
	try {
		respond(raw, freshRun(), other);
		return JSON.parse(readFileSync(timelinePath(elsewhere, 's1'), 'utf8').trim().split('\n')[0] ?? '').id;
	} finally {
		other.close();
		rmSync(elsewhere, { recursive: true });
	}
}

test.each(['open', 'closed'] as const)('R983 a line written before its call lets nothing pass: %s', (profile) => {
	exclude('rm');
	const call = bash('toolu_next', 's1', 'rm x');
	const id = foreseenId(call);
	respond(bash('toolu_before'), freshRun(), ports);
	const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
	const envelope = {
		ts: '2026-11-22T10:00:00.000Z',
		sessionId: 's1',
		category: 'x',
		label: 'x',
		requestId: 'forged',
	};
	const forged = [
		{ ...envelope, id, type: 'tool:call' },
		{ ...envelope, id: 'v', type: 'gate:verdict', output },
		// Says both, in forms of which a client may read either.
		{ ...envelope, id, type: 'gate:verdict', output: { ...output, decision: 'block', continue: false } },
	];
	const alone = createNodePorts({ home, lockWaitMs: 16 });
	for (const line of forged) {
		appendFileSync(timelinePath(home, 's1'), `\n${JSON.stringify(line)}\n`);
		for (const each of [ports, alone]) {
			const answer = respond(call, freshRun({ profile }), each);
			expect(answer.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		}
	}
	// What nothing is against passes, and nothing is printed that the line says.
	rmSync(join(project, '.overtone/config.json'));
	const other = createTurnPorts({ home });
	expect(respond(call, freshRun(), other).output).toBeNull();
	other.close();
	alone.close();
});

test('a call of which half could be written is judged, not treated as answered', () => {
	exclude('rm');
	const timelines = createTurnTimelines(home, {
		write(fd, bytes) {
			const at = bytes.indexOf('"gate:verdict"');
			if (at === -1) return appendBytes(fd, bytes);
			appendBytes(fd, bytes.subarray(0, at));
			throw new Error('the disk is full');
		},
	});
	const full = createNodePorts({ home, lockWaitMs: 16, timelines });
	let times = 0;
	const run = freshRun();
	const judge = () => {
		times += 1;
		return respond(bash('a', 's1', 'rm x'), run, full);
	};
	const [answer] = timelines.together([judge], (done, error) => answerUnwritten(done, error, run, full));
	expect(times).toBe(1);
	expect(lines().map(({ type }) => type)).toContain('tool:call');
	expect(answer?.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
	full.close();
});

test('on a full disk each hook of a turn is judged once: a denial is given, the others get their profile’s answer', () => {
	exclude('rm');
	const timelines = createTurnTimelines(home, {
		write() {
			throw new Error('ENOSPC: no space left');
		},
	});
	const full = createNodePorts({ home, lockWaitMs: 16, timelines });
	let times = 0;
	const read = (id: string, sessionId: string) => bash(id, sessionId).replace('"Bash"', '"Read"');
	const calls = [
		{ raw: bash('a', 's1', 'rm x'), run: freshRun() },
		{ raw: read('b', 's1'), run: freshRun() },
		{ raw: read('c', 's2'), run: freshRun({ profile: 'closed' }) },
	];
	const judge = ({ raw, run }: { raw: string; run: HookRun }) => {
		times += 1;
		return { run, answer: respond(raw, run, full) };
	};
	const ends = timelines.together(
		calls.map((call) => () => judge(call)),
		({ run, answer }, error) => ({ run, answer: answerUnwritten(answer, error, run, full) }),
	);
	expect(times).toBe(3);
	expect(ends.map(({ answer }) => answer.output)).toMatchObject([
		{ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('rm') } },
		{ continue: true, systemMessage: expect.stringContaining('ENOSPC') },
		{ hookSpecificOutput: { permissionDecision: 'deny' } },
	]);
	expect(ends.every(({ answer }) => answer.held === undefined)).toBe(true);
	full.close();
});

test('the effects of a hook are not performed if nothing can be written, and a waiting line records that', () => {
	writeFileSync(join(home, 'config.json'), '{"workflow":{"enabled":true}}');
	const disk = { isFull: true };
	const full = createTurnPorts({
		home,
		write(fd, bytes) {
			if (disk.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
			appendBytes(fd, bytes);
		},
	});
	const start = JSON.stringify({ session_id: 's1', cwd: project, hook_event_name: 'SessionStart', source: 'startup' });
	respond(start, freshRun(), full);
	expect(existsSync(join(home, 'sessions/s1/handoffs'))).toBe(false);
	disk.isFull = false;
	full.retry();
	expect(lines().map(({ type }) => type)).toEqual(['session:start', 'system:warning']);
	expect(lines().at(-1)).toMatchObject({ code: 'hook/not-done', message: expect.stringContaining('make-folders') });
	full.close();
});
