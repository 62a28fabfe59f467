import {
	deltaWords,
	differenceName,
	endWords,
	groupWords,
	resultWords,
	valueWords,
} from '#lib/compare/difference-words.ts';
import type {
	ComparedRun,
	Comparison,
	Difference,
	DifferenceGroup,
	StagePair,
	StagePass,
} from '#lib/contract/archives/compare.ts';
import { english } from '#lib/messages/say.ts';
import { printable } from '#lib/text/printable.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';
import { withArchives } from './feature-ports.ts';

export const compare = defineCommand({
	usage: 'compare A B [--json]',
	about: [
		'Compares two runs: the first difference and its cause, then all numbers and the stages of both. Changes nothing and',
		'needs no server. A and B are archives (by id or folder), features (their latest archive) or sessions. `previous` is',
		'the run before the other one: of the same feature, or of the same project and workflow.',
	].join('\n'),
	options: { json: { type: 'boolean', about: 'print the comparison as JSON (docs/guide/compare.md)' } },
	words: 2,
	examples: ['signalbox compare previous cart', 'signalbox compare 2026-02-23_cart 2026-03-02_cart --json'],
	exits: { 0: 'done, whether they differ or not', 1: 'a run was not found or is damaged; the reason is on stderr' },
	async run(values, [a, b], terminal) {
		if (a === undefined || b === undefined) throw new UsageError('Give two runs: compare A B.');
		const { createCompareService } = await import('../archives/compare/compare-service.ts');
		const found = await withArchives(homeOf(terminal), (ports) =>
			createCompareService({ ...ports, now: Date.now }).compare(a, b),
		);
		if (values.json) terminal.print(JSON.stringify(found));
		else printComparison(found, terminal);
		return EXIT.done;
	},
});

const WIDTH = 80;
/** How many named rows are printed, largest differences first; JSON has all. */
const MAX_ROWS = 8;
const MAX_DIVERGENCES = 10;

/** Prints a comparison for a person, in 80 columns. */
export function printComparison(found: Comparison, { print }: Pick<Terminal, 'print'>): void {
	const { a, b, divergence, divergences, differences, stages, isSame } = found;
	for (const line of [...headOf('First run', a), ...headOf('Second run', b), '']) print(line);
	if (divergence) for (const line of folded('First divergence: ', divergence.explanation)) print(line);
	else print(isSame ? 'No difference.' : 'Both went the same way.');
	for (const { explanation } of divergences.slice(1, MAX_DIVERGENCES))
		for (const line of folded('  then: ', explanation)) print(line);
	if (divergences.length > MAX_DIVERGENCES)
		print(`  and ${divergences.length - MAX_DIVERGENCES} more places; --json has them.`);
	for (const line of [...stageLines(stages), ...tableLines(differences)]) print(line);
}

function headOf(name: string, run: ComparedRun): string[] {
	const { kind, id, title, workflow, from, workMs, events, isCut } = run;
	const about = [
		kind === 'archive' ? title : printable(title, 40),
		workflow,
		endWords(run, english),
		`${spanDuration(workMs)} of work`,
	];
	const cut = isCut ? ['It is too long: only its first part is compared.'] : [];
	return [
		`${name.padEnd(11)} ${printable(id, WIDTH - 12)}`,
		...folded(
			' '.repeat(12),
			[...about, from?.slice(0, 16).replace('T', ' '), `${events} events`].filter(Boolean).join(', '),
		),
		...cut,
	];
}

/** Wraps text to the terminal's width, further lines indented like the first. */
function folded(lead: string, text: string): string[] {
	const lines: string[] = [];
	let line = lead;
	for (const word of printable(text, 600).split(' ')) {
		const isEmpty = line.trim() === '' || line === lead;
		if (!isEmpty && line.length + word.length >= WIDTH) {
			lines.push(line);
			line = ' '.repeat(Math.min(lead.length, 8));
		}
		line += line.endsWith(' ') ? word : ` ${word}`;
	}
	return [...lines, line];
}

function stageLines(stages: readonly StagePair[]): string[] {
	const namedStages = stages.filter(({ stage }) => stage !== '');
	if (namedStages.length === 0) return [];
	const rows = namedStages.map(({ stage, nth, a, b, divergences }) =>
		row([nth === 1 ? stage : `${stage} (run ${nth})`, passWords(a), passWords(b), divergences > 0 ? '≠' : '']),
	);
	return ['', row(['Stage', 'first', 'second', '']), ...rows];
}

const passWords = (pass: StagePass | null) =>
	pass ? `${resultWords(pass, english)} ${spanDuration(pass.toMs - pass.fromMs)}` : '–';

function tableLines(differences: readonly Difference[]): string[] {
	const apart = differences.filter(({ size }) => size > 0);
	const equal = differences.length - apart.length;
	const groups = [...new Set(apart.map(({ group }) => group))];
	return [
		...groups.flatMap((group) => groupLines(group, apart)),
		...(equal > 0 ? ['', `${equal} numbers are equal in both.`] : []),
	];
}

function groupLines(group: DifferenceGroup, differences: readonly Difference[]): string[] {
	const own = differences.filter((each) => each.group === group);
	const shown = group === 'run' ? own : own.toSorted((one, other) => other.size - one.size).slice(0, MAX_ROWS);
	const more = own.length > shown.length ? [`  and ${own.length - shown.length} more; --json has them.`] : [];
	const rows = shown.map((each) =>
		row([
			differenceName(each, english),
			valueWords(each.a, each.unit),
			valueWords(each.b, each.unit),
			deltaWords(each),
		]),
	);
	return ['', row([groupWords[group], 'first', 'second', 'difference']), ...rows, ...more];
}

/** Widths: name, two values, difference. */
const COLUMNS = [38, 15, 15, 12] as const;

function row(cells: readonly string[]): string {
	const [name = '', ...values] = cells;
	const [first, ...widths] = COLUMNS;
	const padded = values.map((value, index) => printable(value, widths[index]).padStart(widths[index] ?? 0));
	return `${printable(name, first - 1).padEnd(first)}${padded.join('')}`.trimEnd();
}
