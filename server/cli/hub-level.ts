import { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { type Command, EXIT, UsageError } from '../process/command.ts';
import { writableHomeOf } from '../process/home.ts';
import { levelWords, recordJoin } from './join.ts';

export const hubLevel: Command = {
	usage: 'hub-level [watch|hub|passkey]',
	about: [
		'Shows or sets what people may decide from the hub that this machine has joined, and for `passkey` who may. Takes',
		'effect at once, also for a running server.',
		'  watch    nothing: calls that wait here are decided here',
		'  hub      operators of the hub decide; this machine trusts the hub',
		'  passkey  operators decide with a passkey, which this machine checks itself',
	].join('\n'),
	options: {},
	words: 1,
	examples: ['signalbox hub-level', 'signalbox hub-level hub'],
	exits: { 0: 'done', 1: 'this home has joined no hub, or must join again for that level' },
	async run(_values, [word], terminal) {
		const home = writableHomeOf(terminal);
		const { changeLevel, readLevel, readMembership } = await import('../edge/membership.ts');
		const membership = readMembership(home);
		if (membership === undefined) throw new Error('This home has joined no hub.');
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
		if (!level.success) throw new UsageError('Give a level: watch, hub or passkey.');
		const why = changeLevel(home, membership, level.data);
		if (why !== null) throw new Error(why);
		await recordJoin(home, 'hub:level', membership.url, { level: level.data });
		terminal.print(levelWords[level.data]);
		return EXIT.done;
	},
};
