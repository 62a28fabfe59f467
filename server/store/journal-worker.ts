import { parentPort, workerData } from 'node:worker_threads';
import type { JournalDraft, JournalKind, JournalRow } from './journal-store.ts';
import { openJournalWriter } from './journal-writer.ts';

/** What the store asks of the worker; every task gets one answer with its number. */
export type JournalTask = { task: number } & (
	| { do: 'append'; draft: JournalDraft; unlessSubjectHas: readonly JournalKind[] }
	| { do: 'markPublished'; n: number }
	| { do: 'close' }
);

export type JournalAnswer = { task: number } & ({ row: JournalRow | null } | { failure: string });

/** Task 0 is opening the file: nobody asks for it. */
export const OPENED = 0;

if (!parentPort) throw new Error('journal-worker is started by the journal store, not by hand.');
const port = parentPort;
const writer = openJournalWriter(String(workerData));
const answer = (message: JournalAnswer) => port.postMessage(message);

function perform(task: JournalTask): JournalRow | null {
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

port.on('message', (task: JournalTask) => {
	try {
		answer({ task: task.task, row: perform(task) });
	} catch (error) {
		answer({ task: task.task, failure: error instanceof Error ? error.message : String(error) });
	}
	if (task.do === 'close') port.close();
});
answer({ task: OPENED, row: null });
