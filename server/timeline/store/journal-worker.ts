import { parentPort, workerData } from 'node:worker_threads';
import { failureWords, isDatabaseFailure, reasonOf } from '../../process/failure-words.ts';
import { isDamagedFile } from './journal-failure.ts';
import type { JournalDraft, JournalKind, JournalRow } from './journal-store.ts';
import { type JournalWriter, openJournalWriter } from './journal-writer.ts';

/** What the store asks of the worker; every task gets one answer with its number. */
export type JournalTask = { task: number } & (
	| { do: 'append'; draft: JournalDraft; unlessSubjectHas: readonly JournalKind[] }
	| { do: 'markPublished'; n: number }
	| { do: 'close' }
);

export type JournalAnswer = { task: number } & (
	| { row: JournalRow | null }
	/** `damaged`: the file is, so that no other task can do better. */
	| { failure: string; damaged: boolean }
);

/** Task 0 is opening the file: nobody asks for it. */
const OPENED = 0;

if (!parentPort) throw new Error('journal-worker is started by the journal store, not by hand.');
const port = parentPort;
const answer = (message: JournalAnswer) => port.postMessage(message);

/** How long after a row it is noted that it is the newest: a journal that goes later is missed from there on. */
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

/** Errors of SQLite lose their message on the way to another thread, so words are sent. */
function attempt(task: number, work: () => JournalRow | null) {
	try {
		answer({ task, row: work() });
	} catch (error) {
		const failure = isDatabaseFailure(error) ? reasonOf(error) : failureWords(error);
		answer({ task, failure, damaged: isDamagedFile(error) });
	}
}

attempt(OPENED, () => serve(openJournalWriter(String(workerData))));
