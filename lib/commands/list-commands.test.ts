import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listCommands } from './command-policy.ts';

test.each([
	['git push --force origin main', [['git', 'push', '--force', 'origin', 'main']]],
	[
		'cd a && git "push" -f | tee log',
		[
			['cd', 'a'],
			['git', 'push', '-f'],
			['tee', 'log'],
		],
	],
	['B=main; git push origin $B', [['git', 'push', 'origin', 'main']]],
	[
		'sudo -u me git push',
		[
			['sudo', '-u', 'me', 'git', 'push'],
			['git', 'push'],
		],
	],
	[
		"sh -c 'git push'",
		[
			['sh', '-c', 'git push'],
			['git', 'push'],
		],
	],
	['', []],
])('the commands of a line are listed with their words: %j', (line, commands) => {
	expect(listCommands(line)).toEqual({ commands, isWhole: true });
});

test('a word that is known only when it runs is null, and a line that may run more says so', () => {
	expect(listCommands('git push origin $(next)')).toEqual({
		commands: [['git', 'push', 'origin', null], ['next']],
		isWhole: true,
	});
	expect(listCommands('$RUN push')).toEqual({ commands: [[null, 'push']], isWhole: false });
	expect(listCommands('git push "').isWhole).toBe(false);
	expect(listCommands('git '.repeat(50_000)).isWhole).toBe(false);
});

test('listing never throws, whatever the line', () => {
	fc.assert(fc.property(fc.string(), (line) => void listCommands(line)));
});
