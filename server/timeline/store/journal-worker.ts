import { parentPort, workerData } from 'node:worker_threads';
import { failureWords, isDatabaseFailure, reasonOf } from '../../process/failure-words.ts';
import { isDamagedFile } from './journal-failure.ts';
import type { JournalDraft, JournalKind, JournalRow } from './journal-store.ts';
import { type JournalWriter, openJournalWriter } from './journal-writer.ts';

/** A task for the worker; every task gets one answer with its number. */
export type JournalTask = { task: number } & (
	| { do: 'append'; draft: JournalDraft; unlessSubjectHas: readonly JournalKind[] }
	| { do: 'markPublished'; n: number }
	| { do: 'close' }
);

export type JournalAnswer = { task: number } & (
	| { row: JournalRow | null }
	/** `damaged`: the file is, so every other task would fail too. */
	| { failure: string; damaged: boolean }
);

/** Task 0 opens the file. */
const OPENED = 0;

if (!parentPort) throw new Error('journal-worker is started by the journal store, not by hand.');
const port = parentPort;
const answer = (message: JournalAnswer) => port.postMessage(message);

/** How soon the newest row is noted after it was written, so that a later loss is noticed. */
const REMEMBER_MS = 1000;

function serve(writer: JournalWriter) {
	let timer: NodeJS.Timeout | undefined;
	const rememberSoon = () => {
		timer ??= setTimeout(() => {
			timer = undefined;
			writer.remember();
		}, REMEMBER_MS);
	};
	port.on('message', (task: JournalTask) => {
		attempt(task.task, () => perform(writer, task));
		if (task.do === 'append') rememberSoon();
		if (task.do !== 'close') return;
		clearTimeout(timer);
		port.close();
	});
	return null;
}

function perform(writer: JournalWriter, task: JournalTask): JournalRow | null {
	switch (task.do) {
		case 'append':
			return writer.append(task.draft, task.unlessSubjectHas);
		case 'markPublished':
			writer.markPublished(task.n);
			return null;
		case 'close':
			writer.close();
			return null;
	}
}

/** SQLite's errors lose their message between threads, so words are sent. */
function attempt(task: number, work: () => JournalRow | null) {
	try {
		answer({ task, row: work() });
	} catch (error) {
		const failure = isDatabaseFailure(error) ? reasonOf(error) : failureWords(error);
		answer({ task, failure, damaged: isDamagedFile(error) });
	}
}

attempt(OPENED, () => serve(openJournalWriter(String(workerData))));
