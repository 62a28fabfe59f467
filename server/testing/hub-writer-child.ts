import { nextRange, noJournal, openStore, storyOf } from '../hub/testing/hub-rig.ts';
import { RangeFold } from '../hub/timelines/range-fold.ts';

/*
 * One of several that write the same sessions of a hub: `URL EDGE SESSIONS CALLS`. Says `took` for each range that it has
 * written and `done` when it finds nothing more to write; goes on while the database is away. Made to be killed.
 */
const [url = '', edge = '0', count = '0', calls = '0'] = process.argv.slice(2);
const { store } = openStore(url);
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function writeAll() {
	const names = Array.from({ length: Number(count) }, (_, n) => ({ edge: Number(edge), sessionId: `s${n}` }));
	const sessions = await store.open(names);
	const fold = new RangeFold({ store, journalRows: noJournal, now: Date.now, viewEvents: 40 });
	const stories = new Map(sessions.map(({ key, sessionId }) => [key, storyOf(sessionId, Number(calls))]));
	const at = new Map(sessions.map(({ key, offset }) => [key, offset]));
	for (;;) {
		const open = [...stories].filter(([key, bytes]) => (at.get(key) ?? 0) < bytes.length);
		if (open.length === 0) return;
		const picked = open.filter(() => Math.random() < 0.5).slice(0, 4);
		const jobs = picked.map(([key, bytes]) => nextRange(key, bytes, at.get(key) ?? 0, Math.random() * 2000));
		const results = await fold.foldRanges(jobs);
		for (const [n, result] of results.entries()) {
			if (result.kind === 'committed') process.send?.('took');
			const job = jobs[n];
			if (job && result.session) at.set(job.key, result.session.offset);
		}
	}
}

for (;;) {
	try {
		await writeAll();
		process.send?.('done');
		await pause();
	} catch {
		// The database is away, or starts.
		await pause();
	}
}
