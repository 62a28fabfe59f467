import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, EXIT } from '../process/command.ts';
import { writableHomeOf } from '../process/home.ts';
import { howToStop } from '../process/server-holder.ts';

export const reindex = defineCommand({
	usage: 'reindex',
	about: [
		'Deletes the index; the next start rebuilds it from the timelines. Nothing is lost: decisions, sign-ins and tokens are',
		'in other files.',
	].join('\n'),
	options: {},
	examples: ['signalbox reindex && signalbox start'],
	exits: { 0: 'done', 1: 'the server runs; stop it first' },
	async run(_values, _words, terminal) {
		const { takeInstanceLock } = await import('../door/instance-lock.ts');
		const home = writableHomeOf(terminal);
		const instance = takeInstanceLock(join(home, 'server.lock'));
		if (!instance.taken) {
			const stop = howToStop(instance.holder?.pid);
			throw new Error(`The server of ${home} runs. ${stop} Then run \`signalbox reindex\` again.`);
		}
		try {
			for (const suffix of ['', '-wal', '-shm']) rmSync(join(home, `index.db${suffix}`), { force: true });
		} finally {
			instance.lock.release();
		}
		terminal.print('Deleted the index. The next start rebuilds it.');
		return EXIT.done;
	},
});
