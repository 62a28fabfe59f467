import type { JournalStore } from '../store/journal-store.ts';
import { startDesk } from './desk-rig.ts';

/*
 * A server in a process of its own, for tests that kill it: prints `ready`, then `waiting ID` for each polled ticket,
 * and decides when told to on stdin (`approve ID`). With `stall` it says `used` when the use of a grant is durable, and
 * never goes on from there.
 */
const [, , home, mode] = process.argv;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const stalling = (journal: JournalStore): JournalStore => ({
	...journal,
	async append(draft, unless) {
		const row = await journal.append(draft, unless);
		if (draft.kind !== 'grant:use') return row;
		say('used');
		return new Promise(() => undefined);
	},
});
const rig = await startDesk({
	...(home !== undefined && { home }),
	forcedHoldSeconds: mode === 'stall' ? 0 : 60,
	...(mode === 'stall' && { wrapJournal: stalling }),
});

process.stdin.setEncoding('utf8').on('data', (text: string) => {
	const [word, id = ''] = text.trim().split(' ');
	if (word === 'approve') void rig.desk.decide(id, { decision: 'approve' }, { role: 'operator', via: 'token' });
});
say('ready');
for (;;) say(`waiting ${await rig.next<string>('waiting')}`);
