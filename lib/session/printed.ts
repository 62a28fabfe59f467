import { isJson } from '../json/json.ts';

const CODE_LINE = /^Exit code (\d{1,3})\b/;

/** What a command printed, of its response or error: what it said on both streams. Undefined where that lies elsewhere. */
export function printedBy(told: unknown): string | undefined {
	if (typeof told === 'string') return told;
	if (!isJson(told)) return undefined;
	const streams = [told.stdout, told.stderr, told.output].filter((one) => one !== undefined);
	if (streams.length === 0 || !streams.every((one) => typeof one === 'string')) return undefined;
	return streams.filter((one) => one !== '').join('\n');
}

/** The exit code that a response or an error tells; undefined where it tells none. */
export function exitCodeOf(told: unknown): number | undefined {
	if (typeof told === 'string') {
		const code = CODE_LINE.exec(told)?.[1];
		return code === undefined ? undefined : Number(code);
	}
	const code = isJson(told) ? (told.exitCode ?? told.exit_code) : undefined;
	return typeof code === 'number' ? code : undefined;
}
