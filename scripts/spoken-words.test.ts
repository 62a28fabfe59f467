import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { componentFiles, untranslatedWords } from './spoken-words.ts';

/** What is the same in every language: names, keys, and what is typed. */
const SAME =
	/^\d+ (?:Signalbox|Ctrl K|CSV|XXXX-XXXX|OVERTONE_HOME|commands\.exclude|rm sudo git:|type|user-login|… init --project DIR|… feature new NAME)$/;

test('R1533 what a page says comes from the catalogue', () => {
	const found = componentFiles().flatMap((file) =>
		untranslatedWords(file)
			.filter((words) => !SAME.test(words))
			.map((words) => `${file}:${words}`),
	);
	expect(found).toEqual([]);
});

test('R1533 words in the text of an element and in what names it are found, classes and addresses are not', () => {
	const source = `const A = () => (
		<a href="/sign out" className="two words" aria-label={isOn ? 'Turn off' : say('Turn on')} title={\`\${n} calls\`}>
			Sign out {isOn && 'now'} {say('Access')} ({count})
		</a>
	);`;
	const expected = ['2 Turn off', '2 … calls', '3 Sign out', '3 now'];
	expect(untranslatedWords('a.tsx', source).sort()).toEqual(expected);
});

test('R1534 nothing but the layout reads the dictionary, so that a reader of English loads none of it', () => {
	const lines = execFileSync(
		'git',
		[
			'grep',
			'-hnE',
			"from '.*(messages|\\.)/chinese(/[a-z-]+)?\\.ts'",
			'--',
			'app',
			'components',
			'lib',
			':!*.test.ts',
		],
		{ encoding: 'utf8' },
	);
	const values = lines.split('\n').filter((line) => line !== '' && !/import type/.test(line));
	expect(values.filter((line) => !/from '\.\/chinese\//.test(line))).toEqual([
		expect.stringContaining("import { chinese } from '#lib/messages/chinese.ts'"),
	]);
});
