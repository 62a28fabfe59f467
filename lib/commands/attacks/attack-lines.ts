import { programRows } from '../programs/find-program.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import { type Wrapper, wrapperRows } from '../wrapper-table.ts';
import evasions from './evasions.json' with { type: 'json' };

/** The program that every line of the corpus runs; it must be excluded to judge them. */
export const ATTACKED = 'zap';

/** Lines that would run `zap` in bash if the programs exist, grouped by their technique. */
export interface AttackClass {
	name: string;
	lines: readonly string[];
}

/** Spellings of the program at a place for a command. */
const SPELLINGS = ['zap', "'zap x'", '/opt/x/zap', 'z""ap', '"$(printf zap)"'] as const;
const MADE_FILES = ['<(echo zap)', '/dev/fd/3 3<<< zap'];
const PLATFORMS = [
	(name: string) => name,
	(name: string) => `/usr/bin/${name}`,
	(name: string) => `${name}-9.1`,
] as const;

/** Every way of every row of the table, with every spelling; also lines that people and trials have found. */
export function attackLines(): AttackClass[] {
	const found = Object.entries(evasions).map(([name, lines]): AttackClass => ({ name, lines }));
	const known = new Set(found.flatMap(({ lines }) => lines));
	const made = {
		runs: 'options that name a command',
		rest: 'commands behind an option',
		file: 'files that the line makes',
	};
	const generated = (Object.keys(made) as (keyof typeof made)[]).map((way) => ({
		name: `every program of the table: ${made[way]}`,
		lines: [...new Set(programRows.flatMap((row) => linesOf(row, way)))].filter((line) => !known.has(line)),
	}));
	const wrapped = {
		name: 'every command that runs the one in its words',
		lines: wrapperRows.flatMap(wrappedLines).filter((line) => !known.has(line)),
	};
	return [...found, ...generated, wrapped];
}

function wrappedLines({ names, after, words }: Wrapper & { names: string }): string[] {
	const [word] = after?.split(' ') ?? [];
	const before = [...(word === undefined ? [] : [word]), ...Array.from({ length: Number(words ?? 0) }, () => 'x')];
	const line = (given: string, name: string) => [name, ...before, given].join(' ');
	return names
		.split(' ')
		.flatMap((name) => ['zap x', '/opt/x/zap', 'z""ap x', '"$(printf zap)" x'].map((given) => line(given, name)));
}

function linesOf(row: ProgramRow, way: 'runs' | 'rest' | 'file'): string[] {
	const options = (row[way] ?? '').split(' ').filter((option) => option !== '' && option !== '+');
	const values =
		way === 'file' ? MADE_FILES : way === 'rest' ? SPELLINGS.filter((each) => !/ x/.test(each)) : SPELLINGS;
	const [name = ''] = row.names.split(' ');
	return options.flatMap((option, index) => {
		const program = PLATFORMS[index % PLATFORMS.length]?.(name) ?? name;
		return values.flatMap((value) => formsOf(option, value, way).map((given) => `${program} ${given}`));
	});
}

/** The forms in which an option can get its value. */
function formsOf(option: string, value: string, way: 'runs' | 'rest' | 'file'): string[] {
	const apart = `${option} ${value}`;
	if (way === 'rest' || value.startsWith('<(')) return [apart];
	return option.startsWith('--')
		? [apart, `${option}=${value}`]
		: option.length === 2
			? [apart, option + value]
			: [apart];
}
