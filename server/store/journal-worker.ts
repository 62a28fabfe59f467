import { parentPort, workerData } from 'node:worker_threads';
import { failureWords, isDatabaseFailure, reasonOf } from '../failure-words.ts';
import type { JournalDraft, JournalKind, JournalRow } from './journal-store.ts';
import { type JournalWriter, openJournalWriter } from './journal-writer.ts';

/** What the store asks of the worker; every task gets one answer with its number. */
export type JournalTask = { task: number } & (
	| { do: 'append'; draft: JournalDraft; unlessSubjectHas: readonly JournalKind[] }
	| { do: 'markPublished'; n: number }
	| { do: 'close' }
);

export type JournalAnswer = { task: number } & ({ row: JournalRow | null } | { failure: string });

/** Task 0 is opening the file: nobody asks for it. */
const OPENED = 0;

if (!parentPort) throw new Error('journal-worker is started by the journal store, not by hand.');
const port = parentPort;
const answer = (message: JournalAnswer) => port.postMessage(message);

function serve(writer: JournalWriter) {
	port.on('message', (task: JournalTask) => {
		attempt(task.task, () => perform(writer, task));
		if (task.do === 'close') port.close();
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
		answer({ task, failure: isDatabaseFailure(error) ? reasonOf(error) : failureWords(error) });
	}
}

attempt(OPENED, () => serve(openJournalWriter(String(workerData))));
