/*
 * `npm run bench archive`: a recording of 1,000,000 events beside one of 1,000: opening it, and jumping to any instant of it,
 * as the page asks for it, with the JSON in between and the fold in the page. Server and page are one process here: what the
 * transport adds is the same for both.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PartAnswer, Recording } from '#lib/contract/archives/replay.ts';
import { foldPart, seqAt } from '#lib/replay/recording.ts';
import { createRecordingStore, replayOf } from '#server/archives/replay/replay-service.ts';
import { median, quantile } from './rig/quantile.ts';
import { begin, megabytes, ms, report, times } from './rig/report.ts';

const LONG = 1_000_000;
const SHORT = 1_000;
const OPENINGS = 15;
const JUMPS = 300;
const START = Date.UTC(2026, 0, 1);

let seed = 1;
const random = () => {
	seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
	return seed / 2 ** 31;
};

/** Calls and their results, one call in fifty denied, a second each; every two hundredth line is a prompt. */
function eventLine(seq: number): string {
	const envelope = {
		...{ id: `e${seq}`, ts: new Date(START + seq * 1000).toISOString() },
		...{ category: 'tool', label: 'Tool', sessionId: 's' },
	};
	const call = { toolUseId: `toolu_${Math.ceil(seq / 2)}`, tool: 'Bash' };
	const command = `npm test -- src/cart-${seq % 977}.test.ts --run --reporter=dot`;
	const verdict = { gate: 'command-policy', decision: 'deny', rule: 'command.excluded', reason: 'excluded', facts: {} };
	const what =
		seq % 200 === 0
			? { type: 'prompt:submit', prompt: 'and now the next one', source: 'user' }
			: seq % 2 === 1
				? { type: 'tool:call', ...call, input: { command, description: 'Runs the tests of the cart' } }
				: seq % 100 === 50
					? { type: 'gate:verdict', ...call, hook: 'PreToolUse', ...verdict }
					: { type: 'tool:result', ...call, response: { stdout: 'ok '.repeat(20), exit: 0 }, durationMs: 900 };
	return `${JSON.stringify({ ...envelope, ...what })}\n`;
}

/** An archive of one session as the server leaves it. Gives its id. */
function writeArchive(home: string, events: number): string {
	const id = `0123456789ab-2026-01-01_cart-${events}`;
	const folder = join(home, 'archive', id);
	mkdirSync(folder, { recursive: true });
	const digest = createHash('sha256');
	const packed: Buffer[] = [];
	let bytes = 0;
	for (let seq = 1; seq <= events; ) {
		const lines: string[] = [];
		for (const until = seq + 20_000; seq < until && seq <= events; seq += 1) lines.push(eventLine(seq));
		const chunk = Buffer.from(lines.join(''));
		digest.update(chunk);
		bytes += chunk.length;
		packed.push(gzipSync(chunk, { level: 1 }));
	}
	writeFileSync(join(folder, 's.jsonl.gz'), Buffer.concat(packed));
	const sha256 = digest.digest('hex');
	const timelines = [{ file: 's.jsonl.gz', bytes, sha256, ranges: [{ from: 0, to: bytes, sha256 }] }];
	const manifest = {
		...{ version: 1, id, feature: 'cart', folder: '2026-01-01_cart', archivedAt: new Date(START).toISOString() },
		...{ documents: [], sessions: [{ sessionId: 's', ended: true, timelines, files: [] }], complete: true },
	};
	writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
	return id;
}

/** What a page gets of an answer. */
const sent = <T>(answer: T): T => JSON.parse(JSON.stringify(answer));

const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const log = { info: () => undefined, warn: () => undefined, error: console.error };
const ports = { home, proofOf: () => ({ kind: 'unknown', redacted: [] }) as const };
const open = () => {
	const recordings = createRecordingStore({ ports: ports, log });
	return { recordings, service: replayOf(home, recordings) };
};

/** Ms from nothing open to the state in the middle, in a server that has just started. */
async function opening(id: string): Promise<number> {
	const { recordings, service } = open();
	const start = performance.now();
	const { sessions } = sent<Recording>(await service.recording(id));
	const [outline] = sessions;
	if (!outline) throw new Error('The recording is not wound.');
	const at = Math.round((outline.from + outline.to) / 2);
	const part = sent<PartAnswer>(await service.part(id, 's', { at }));
	foldPart(part, seqAt(part, at));
	sent(await service.chapters(id, at, ['denial', 'failure'], 100));
	const taken = performance.now() - start;
	recordings.close();
	return taken;
}

try {
	begin(`a recording of ${LONG.toLocaleString('en')} events beside one of ${SHORT.toLocaleString('en')}`);
	const ids = { short: writeArchive(home, SHORT), long: writeArchive(home, LONG) };
	const { recordings, service } = open();
	await recordings.open(ids.short, 's');
	const before = process.cpuUsage();
	await recordings.open(ids.long, 's');
	const { user, system } = process.cpuUsage(before);
	report('processor time to wind an event, once', `${((user + system) / LONG).toFixed(1)} µs`);
	const size = (kind: 'short' | 'long') => statSync(join(home, 'reels', ids[kind], 's.reel')).size;
	report('the recording', megabytes(size('long')));
	const archive = statSync(join(home, 'archive', ids.long, 's.jsonl.gz')).size;
	report('the recording / the archived timeline', times(size('long') / archive));

	const short: number[] = [];
	const long: number[] = [];
	for (let n = 0; n < OPENINGS; n += 1) {
		short.push(await opening(ids.short));
		long.push(await opening(ids.long));
	}
	report('opening the short one in its middle', ms(median(short)));
	report('long / short', times(median(long) / median(short)), '< 1.5 x');

	const [outline] = (await service.recording(ids.long)).sessions;
	if (!outline) throw new Error('The recording is not wound.');
	const jumps: number[] = [];
	for (let jump = 0; jump < JUMPS; jump += 1) {
		const at = Math.round(outline.from + random() * (outline.to - outline.from));
		const start = performance.now();
		const part = sent<PartAnswer>(await service.part(ids.long, 's', { at }));
		const { view } = foldPart(part, seqAt(part, at));
		jumps.push(performance.now() - start);
		if (Math.abs(view.seq - (at - START) / 1000) > 1) throw new Error(`At ${at} it shows event ${view.seq}.`);
	}
	report('jump to any instant, p50', ms(quantile(jumps, 0.5)));
	report('jump to any instant, p95', ms(quantile(jumps, 0.95)), '< 100 ms');
	recordings.close();
} finally {
	rmSync(home, { recursive: true });
}
