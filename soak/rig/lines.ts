import { attackLines } from '#lib/commands/attacks/attack-lines.ts';
import { runsLine } from './evader.ts';
import type { Attack } from './soak-fixture.ts';

/** Lines whose judgement once grew with the square of their length; each ends with the excluded command. */
const LONG: Readonly<Record<string, string>> = {
	'assignments that may not happen': Array.from({ length: 8000 }, (_, at) => `X${at}=a && `).join(''),
	'quotes in substitutions': `echo ${'"$('.repeat(15_000)}ls${')"'.repeat(15_000)}; `,
	'open parentheses': `${'('.repeat(60_000)}ls${')'.repeat(60_000)}; `,
	'here-documents': `cat ${'<<E '.repeat(20_000)}\n`,
	'a pipeline': 'cat | '.repeat(20_000),
};

/** So many lines of the corpus are tried, evenly chosen, and so many at a time. */
const CORPUS_LINES = 1000;
const AT_ONCE = 8;

/** The corpus of attacks: each line runs `zap`, which is excluded here. */
async function runsCorpus(fixture: Parameters<Attack['run']>[0]): ReturnType<Attack['run']> {
	const all = attackLines().flatMap(({ lines }) => lines);
	const step = all.length / CORPUS_LINES;
	const chosen = Array.from({ length: CORPUS_LINES }, (_, at) => all[Math.floor(at * step)] ?? '');
	while (chosen.length > 0) {
		const some = chosen.splice(0, AT_ONCE);
		const results = await Promise.all(some.map((line) => runsLine(fixture, line)));
		const ran = results.findIndex((each) => each !== undefined);
		if (ran >= 0) console.error(`runs unasked: ${some[ran]}`);
		if (ran >= 0) return results[ran];
	}
	return undefined;
}

/** Lines that run an excluded command behind an entry that fails closed. */
export const LINES: readonly Attack[] = [
	{
		what: 'hide an excluded command at the end of a line of 1 MiB',
		run: (fixture) => runsLine(fixture, `${'echo x; '.repeat(130_000)}rm -rf x`),
		worksAt: [],
	},
	{ what: `run an excluded command by ${CORPUS_LINES} lines of the corpus of attacks`, run: runsCorpus, worksAt: [] },
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
