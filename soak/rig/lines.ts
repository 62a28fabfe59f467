import { seededRandom } from '#e2e/rig/storm-random.ts';
import { attackLines } from '#lib/commands/attacks/attack-lines.ts';
import { wrappings } from '#lib/commands/testing/wrappings.ts';
import { type LineAnswer, runsLine, sendLine } from './evader.ts';
import type { Attack, SoakFixture } from './soak-fixture.ts';

/** Lines whose judgement once grew with the square of their length; each ends with the excluded command. */
const LONG: Readonly<Record<string, string>> = {
	'assignments that may not happen': Array.from({ length: 8000 }, (_, at) => `X${at}=a && `).join(''),
	'quotes in substitutions': `echo ${'"$('.repeat(15_000)}ls${')"'.repeat(15_000)}; `,
	'open parentheses': `${'('.repeat(60_000)}ls${')'.repeat(60_000)}; `,
	'here-documents': `cat ${'<<E '.repeat(20_000)}\n`,
	'a pipeline': 'cat | '.repeat(20_000),
};

/** As `--seed` says. */
const seed = Number(process.env.SIGNALBOX_SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** So many lines are under way at a time. */
const AT_ONCE = 8;
/** With no more than this an entry waits for no person: it says at once what the policy says. */
const NO_WAIT_SECONDS = 10;
/** A machine may be too busy to judge a line in time: it is sent again. */
const TRIES = 3;

/**
 * Sends every line of the corpus, each as it is and once more within something that runs it, drawn by the seed. Each runs
 * `zap`, which is excluded here. No line itself is run.
 */
async function sendCorpus(fixture: SoakFixture): ReturnType<Attack['run']> {
	const random = seededRandom(seed);
	const plain = attackLines().flatMap(({ lines }) => lines);
	const waiting = [...plain, ...plain.map((line) => random.pick(wrappings)(line))];
	const counts = { sent: 0, named: 0, asked: 0, unjudged: 0, runs: 0 };
	const work = async (): Promise<void> => {
		for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
			let answer: LineAnswer = 'unjudged';
			for (let tries = 0; tries < TRIES && answer === 'unjudged'; tries += 1) {
				answer = await sendLine(fixture, line, NO_WAIT_SECONDS);
			}
			counts.sent += 1;
			counts[answer] += 1;
			if (answer === 'runs' || answer === 'unjudged') console.error(`  ${answer}: ${line}`);
			if (counts.sent % 500 === 0) console.error(`  ${counts.sent} lines sent, ${waiting.length} left`);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	const words = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
	console.error(`  corpus of ${plain.length} lines, seed ${seed}: ${words.join(', ')}`);
	if (counts.runs > 0) return 'runs';
	if (counts.unjudged > 0) throw new Error(`${counts.unjudged} lines could not be judged`);
	return undefined;
}

/** Lines that run an excluded command behind an entry that fails closed. */
export const LINES: readonly Attack[] = [
	{
		what: 'hide an excluded command at the end of a line of 1 MiB',
		run: (fixture) => runsLine(fixture, `${'echo x; '.repeat(130_000)}rm -rf x`),
		worksAt: [],
	},
	{ what: 'run an excluded command by a line of the corpus of attacks', run: sendCorpus, worksAt: [] },
	...Object.entries(LONG).map(
		([shape, text]): Attack => ({
			what: `hide it, and another beside it, behind 120 KiB of ${shape}`,
			async run(fixture) {
				const both = await Promise.all([runsLine(fixture, `${text}rm -rf x`), runsLine(fixture, 'rm -rf x')]);
				return both.find((each) => each !== undefined);
			},
			worksAt: [],
		}),
	),
	{
		what: 'rename a command by a computed name',
		run: async (fixture) =>
			(await runsLine(fixture, 'declare -n h=BASH_$(echo CMDS); h[ls]=/bin/rm; ls x')) ??
			runsLine(fixture, 'BASH_ALIASES[ls]=rm; ls x'),
		worksAt: [],
	},
	{
		what: 'have a shell read its input by another name, or by a name that `export` hides',
		run: async (fixture) =>
			(await runsLine(fixture, "ln -s /dev/stdin q; echo 'rm x' | bash q")) ??
			runsLine(fixture, "export $(printf 'BASH_%s=/dev/stdin' ENV); bash -c : <<< 'rm x'"),
		worksAt: [],
	},
	{
		what: 'run an excluded command through `signalbox sh` with a home of its own',
		run: (fixture) => runsLine(fixture, "OVERTONE_HOME=/tmp/x CLAUDE_PROJECT_DIR=/tmp signalbox sh 'rm x'"),
		worksAt: [],
	},
];
