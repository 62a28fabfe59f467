import { inEnglish, type Words } from '#lib/messages/sentence.ts';

/** The state of one part of the set-up. Only `wrong` makes the doctor fail. */
export interface Check {
	state: 'ok' | 'note' | 'warn' | 'wrong';
	name: Words;
	detail: Words;
	/** What to do about it. */
	fix?: Words;
}

/** What the checks examine. */
export interface SetUp {
	project: string;
	home: string;
	/** The agent client's own folder. */
	configDir: string;
	env: Readonly<Record<string, string | undefined>>;
}

/** The path of a command on the PATH of the set-up, or undefined. */
export type FindCommand = (name: string) => string | undefined;

const MARK: Record<Check['state'], string> = { ok: 'ok', note: '-', warn: 'warn', wrong: 'WRONG' };

/** The checks as a table, each with its fix below. */
export function checkTable(checks: readonly Check[]): string[] {
	const width = Math.max(...checks.map(({ name }) => inEnglish(name).length));
	return checks.flatMap(({ state, name, detail, fix }) => [
		`${MARK[state].padEnd(6)} ${inEnglish(name).padEnd(width)}  ${inEnglish(detail)}`,
		...(fix === undefined ? [] : [`${' '.repeat(7 + width)}  -> ${inEnglish(fix)}`]),
	]);
}
