import type { JournalStore } from '../timeline/store/journal-store.ts';
import { startService } from './service-rig.ts';

/*
 * A server in a process of its own, for tests that kill it: prints `ready`, then `waiting ID` for each polled ticket,
 * and decides when told to on stdin (`approve ID`). With `stall` it says `used` when the use of a grant is durable, and
 * never goes on from there. With `die:N:before|during|after` it kills itself at the Nth decision, before, while or after its row is
 * durable, and before anybody learns of it.
 */
const [, , home, mode] = process.argv;
const writeLine = (line: string) => void process.stdout.write(`${line}\n`);
const stalling = (journal: JournalStore): JournalStore => ({
	...journal,
	async append(draft, unless) {
		const row = await journal.append(draft, unless);
		if (draft.kind !== 'grant:use') return row;
		writeLine('used');
		return new Promise(() => undefined);
	},
});
const dying = (journal: JournalStore): JournalStore => {
	const [, nth = '1', moment] = mode?.split(':') ?? [];
	let decisions = 0;
	const kill = () => process.kill(process.pid, 'SIGKILL');
	return {
		...journal,
		async append(draft, unless) {
			if (draft.kind !== 'approval:resolve') return journal.append(draft, unless);
			decisions += 1;
			const isLast = decisions === Number(nth);
			if (isLast && moment === 'before') kill();
			const written = journal.append(draft, unless);
			if (isLast && moment === 'during') kill();
			const row = await written;
			if (isLast) kill();
			return row;
		},
	};
};
const rig = await startService({
	...(home !== undefined && { home }),
	forcedHoldSeconds: mode === 'stall' ? 0 : 60,
	...(mode === 'stall' && { wrapJournal: stalling }),
	...(mode?.startsWith('die:') && { wrapJournal: dying }),
});

process.stdin.setEncoding('utf8').on('data', (text: string) => {
	for (const line of text.trim().split('\n')) {
		const [word, id = ''] = line.split(' ');
		if (word === 'approve') void rig.service.decide(id, { decision: 'approve' }, { role: 'operator', via: 'token' });
	}
});
writeLine('ready');
for (;;) writeLine(`waiting ${await rig.next<string>('waiting')}`);
