/*
 * `node bench/tail.mjs [EVENTS]`: how long the tail takes to index one session, beside the least that such work can
 * cost (read the file, parse each line, insert it), and whether the end of a long session is slower than its start.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

register();
const { createTail } = await import('../server/timeline/tail/tail.ts');
const { openSqliteIndex } = await import('../server/timeline/store/sqlite-index.ts');
const { openDatabase } = await import('../server/timeline/store/open-database.ts');
const { createLog } = await import('../server/process/log.ts');

const TOTAL = Number(process.argv[2] ?? 100_000);
const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-tail-'));
const file = join(home, 'sessions', 's1', 'timeline.jsonl');

/** A call as it is recorded: the call, a gate's verdict, the result. */
function makeEvent(n) {
	const ts = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
	const common = { id: `bench-${n}`, ts, category: 'tool', label: 'Tool', sessionId: 's1', tool: 'Bash' };
	const call = { ...common, toolUseId: `toolu_${Math.ceil(n / 3)}` };
	if (n % 3 === 1) return { ...call, type: 'tool:call', input: { command: `ls /${n}`, description: 'x'.repeat(150) } };
	if (n % 3 === 0) return { ...call, type: 'tool:result', response: { stdout: 'y'.repeat(200) } };
	const verdict = {
		gate: 'routing-plan',
		decision: 'pass',
		rule: 'no-plan',
		reason: 'no plan',
		facts: {},
		durationMs: 1,
	};
	return { ...call, type: 'gate:verdict', ...verdict };
}

function writeTimeline() {
	mkdirSync(join(home, 'sessions', 's1'), { recursive: true });
	for (let n = 1; n <= TOTAL; n += 1000) {
		const lines = Array.from(
			{ length: Math.min(1000, TOTAL - n + 1) },
			(_, i) => `\n${JSON.stringify(makeEvent(n + i))}\n`,
		);
		appendFileSync(file, lines.join(''));
	}
}

function measureFloor() {
	const start = performance.now();
	const sqlite = openDatabase(join(home, 'floor.db'));
	sqlite.pragma('journal_mode = WAL');
	sqlite.pragma('synchronous = NORMAL');
	sqlite.exec(
		'CREATE TABLE events (pos INTEGER PRIMARY KEY, session TEXT, seq INTEGER, id TEXT, json TEXT, UNIQUE (session, id))',
	);
	const insert = sqlite.prepare('INSERT INTO events (session, seq, id, json) VALUES (?, ?, ?, ?)');
	const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	const insertMany = sqlite.transaction((from) => {
		for (const [n, line] of lines.slice(from, from + 500).entries()) {
			const event = JSON.parse(line);
			insert.run('s1', from + n, event.id, JSON.stringify(event));
		}
	});
	for (let from = 0; from < lines.length; from += 500) insertMany(from);
	sqlite.close();
	return performance.now() - start;
}

async function measureTail() {
	const index = openSqliteIndex(join(home, 'index.db'));
	const tail = createTail({ home, index, journal: { find: () => undefined }, log: createLog() });
	const tenths = [];
	let events = 0;
	tail.onBatch((batch) => {
		events += batch.events.length;
		if (events >= (tenths.length + 1) * (TOTAL / 10)) tenths.push(performance.now());
	});
	const start = performance.now();
	await tail.start();
	await tail.whenSettled();
	const total = performance.now() - start;
	await tail.stop();
	index.close();
	return { total, second: tenths[1] - tenths[0], last: tenths[9] - tenths[8] };
}

try {
	writeTimeline();
	const floor = measureFloor();
	const { total, second, last } = await measureTail();
	console.log(`tail: ${TOTAL} events of one session, ${Math.round((TOTAL / total) * 1000)} a second`);
	console.log(`tail / parse-and-insert: ${(total / floor).toFixed(2)}`);
	console.log(`last tenth / second tenth: ${(last / second).toFixed(2)}`);
} finally {
	rmSync(home, { recursive: true });
}
