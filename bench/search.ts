/* `npm run bench search`: finding words in an index of 1,000,000 events, and what gathering them costs it for each event. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { searchTerms } from '#lib/search/said-text.ts';
import { emptyView } from '#lib/session/fold.ts';
import type { IndexBatch } from '#server/timeline/store/index-store.ts';
import { openSqliteIndex } from '#server/timeline/store/sqlite-index.ts';
import { quantile } from './rig/quantile.ts';
import { begin, megabytes, ms, report } from './rig/report.ts';

const EVENTS = 1_000_000;
const BATCH = 20;
const SESSIONS = 2_000;
const PAGE = 50;
const ROUNDS = 20;

const WORDS =
	`npm test run src cart checkout total price order user session agent build deploy config index store route page
query cache token error fail pass retry login email password queue worker socket event stream parse format render layout
button dialog table list row column filter sort search 测试 运行 构建 部署 修复 订单 缓存 查询 页面 登录`.split(/\s+/u);

/** Common and rare words, parts of words, phrases, one and two characters, Chinese, and what is nowhere. */
const TYPED = [
	'cart',
	'cart checkout',
	'"cart checkout"',
	'heckou',
	'order12',
	'password queue worker',
	'"npm test run"',
].concat(['e', 'te', '测', '测试', '缓存 部署', 'zq', '7 8', 'checkout 77', 'xyzzy', 'the only needle']);

let seed = 1;
const random = () => {
	seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
	return seed / 2 ** 31;
};
const some = (count: number) =>
	Array.from({ length: count }, () => {
		const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
		return random() < 0.1 ? `${word}${Math.floor(random() * 1000)}` : word;
	}).join(' ');

/** Calls and their results, as many of each; the first event of all holds the needle. */
function batch(sessionId: string, from: number): IndexBatch {
	const events = Array.from({ length: BATCH }, (_, n) => {
		const seq = from + n + 1;
		const toolUseId = `call-${Math.ceil(seq / 2)}`;
		const envelope = { id: `${sessionId}-${seq}`, ts: new Date(seq * 1000).toISOString(), sessionId, seq, toolUseId };
		const called = {
			type: 'tool:call',
			input: { command: some(8), description: seq === 1 ? 'the only needle' : some(14) },
		};
		const event = {
			...envelope,
			category: 'tool',
			label: 'Tool',
			tool: 'Bash',
			...(seq % 2 === 1 ? called : { type: 'tool:result' }),
		};
		return { event: event as IndexedEvent, rowKey: `call:${toolUseId}` };
	});
	const cursor = { sessionId, device: 1, inode: 1, offset: from + BATCH, tailDigest: '' };
	return { sessionId, cursor, events, rows: [], ledger: [], view: { ...emptyView(sessionId), seq: from + BATCH } };
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
try {
	begin(`searching ${EVENTS.toLocaleString('en')} events of ${SESSIONS} sessions`);
	const path = join(folder, 'index.db');
	const index = openSqliteIndex(path);
	const before = process.cpuUsage();
	for (let sent = 0; sent < EVENTS; sent += BATCH) {
		const nth = sent / BATCH;
		index.write(batch(`s${nth % SESSIONS}`, Math.floor(nth / SESSIONS) * BATCH));
		// What was written is moved out of the log between turns.
		if (nth % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
	}
	const { user, system } = process.cpuUsage(before);
	report('processor time to make and write an event, batches of 20', `${((user + system) / EVENTS).toFixed(1)} µs`);
	report('the index', megabytes(statSync(path).size));
	const all: number[] = [];
	for (const typed of TYPED) {
		const terms = searchTerms(typed);
		const taken: number[] = [];
		let found = 0;
		for (let nth = 0; nth < ROUNDS; nth += 1) {
			found = 0;
			const start = performance.now();
			index.find(terms, undefined, () => ++found === PAGE);
			taken.push(performance.now() - start);
		}
		all.push(...taken);
		report(`${typed} (${found} rows)`, ms(quantile(taken, 0.95)));
	}
	report('p95 of all', ms(quantile(all, 0.95)), '< 150 ms');
	index.close();
} finally {
	rmSync(folder, { recursive: true });
}
