import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../process/log.ts';
import { openSqliteIndex } from '../timeline/store/sqlite-index.ts';
import type { TailBatch } from '../timeline/tail/session-reader.ts';
import { createTail, type TailOptions } from '../timeline/tail/tail.ts';

/** A line as a writer of ours makes it. */
export interface SampleLine {
	id: string;
	sessionId: string;
	ts: string;
	type: string;
	category: string;
	label: string;
	[field: string]: unknown;
}

/** A prompt of a session; `n` gives id, time and text. */
export function samplePrompt(sessionId: string, n: number, extra: Record<string, unknown> = {}): SampleLine {
	const ts = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
	const fields = { prompt: `say ${n}`, source: 'user', ...extra };
	return { id: `e${n}`, ts, type: 'prompt:submit', category: 'prompt', label: 'Prompt', sessionId, ...fields };
}

/** How our writers append: a newline before and after, in one write. */
export const asLine = (value: unknown) => `\n${JSON.stringify(value)}\n`;

/** A real home folder for tests, with timelines to write to and tails to start over it. */
export function createTimelineRig(home = mkdtempSync(join(tmpdir(), 'signalbox-tail-'))) {
	const folder = (sessionId: string) => join(home, 'sessions', sessionId);
	const file = (sessionId: string) => join(folder(sessionId), 'timeline.jsonl');
	return {
		home,
		folder,
		file,
		append(sessionId: string, content: string | Buffer) {
			mkdirSync(folder(sessionId), { recursive: true });
			appendFileSync(file(sessionId), content, { mode: 0o600 });
		},
		/** A started tail over the home's index, with what it told and what it logged. */
		async start(options: { journal?: TailOptions['journal'] } = {}) {
			const logged: string[] = [];
			const log = createLog((line) => logged.push(line));
			const index = openSqliteIndex(join(home, 'index.db'), { warn: (message) => log.warn(message) });
			const tail = createTail({ home, index, journal: options.journal ?? { find: () => undefined }, log });
			const batches: TailBatch[] = [];
			tail.onBatch((batch) => batches.push(batch));
			await tail.start();
			return {
				index,
				tail,
				batches,
				logged,
				/** Everything indexed of a session. */
				events: (sessionId: string) => index.events(sessionId, { after: 0, limit: 1_000_000 }),
				async stop() {
					await tail.stop();
					index.close();
				},
			};
		},
	};
}
