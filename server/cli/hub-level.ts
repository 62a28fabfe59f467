import { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { type Command, EXIT, UsageError } from '../process/command.ts';
import { writableHomeOf } from '../process/home.ts';
import { levelWords, tellJournal } from './join.ts';

export const hubLevel: Command = {
	usage: 'hub-level [watch|hub|passkey]',
	about: [
		'Says what people may decide from the hub that this machine has joined, or shows it, and by passkey who may. It counts',
		'at once, also for a server that runs.',
		'  watch    nothing: calls that wait here are decided here',
		'  hub      what operators of the hub say; this machine believes the hub',
		'  passkey  what operators say with a passkey, which this machine checks itself',
	].join('\n'),
	options: {},
	words: 1,
	examples: ['signalbox hub-level', 'signalbox hub-level hub'],
	exits: {
		0: 'done',
		1: 'this home has joined no hub, or cannot do that as it joined',
		2: 'the command line does not fit',
	},
	async run(_values, [word], terminal) {
		const home = writableHomeOf(terminal);
		const { changeLevel, readLevel, readMembership } = await import('../edge/membership.ts');
		const membership = readMembership(home);
		if (membership === undefined) {
			terminal.say('This home has joined no hub.');
			return EXIT.failed;
		}
		if (word === undefined) {
			const level = readLevel(home);
			terminal.print(levelWords[level]);
			const { readRoster } = await import('../edge/roster-cache.ts');
			const { entries = [] } = level === 'passkey' ? (readRoster(home) ?? {}) : {};
			for (const { entry } of entries)
				terminal.print(`  ${entry.person.name}\t${entry.person.iss}\t${entry.person.sub}`);
			return EXIT.done;
		}
		const level = EdgeLevel.safeParse(word);
		if (!level.success) throw new UsageError('Say watch, hub or passkey.');
		const why = changeLevel(home, membership, level.data);
		if (why !== null) {
			terminal.say(why);
			return EXIT.failed;
		}
		await tellJournal(home, 'hub:level', membership.url, { level: level.data });
		terminal.print(levelWords[level.data]);
		return EXIT.done;
	},
};
