import { isJson } from '../json/json.ts';

const CODE_LINE = /^Exit code (\d{1,3})\b/;

/** What a command printed on both streams; undefined if it is stored elsewhere. */
export function printedBy(response: unknown): string | undefined {
	if (typeof response === 'string') return response;
	if (!isJson(response)) return undefined;
	const streams = [response.stdout, response.stderr, response.output].filter((one) => one !== undefined);
	if (streams.length === 0 || !streams.every((one) => typeof one === 'string')) return undefined;
	return streams.filter((one) => one !== '').join('\n');
}

/** Undefined if the client reports none. */
export function exitCodeOf(response: unknown): number | undefined {
	if (typeof response === 'string') {
		const code = CODE_LINE.exec(response)?.[1];
		return code === undefined ? undefined : Number(code);
	}
	const code = isJson(response) ? (response.exitCode ?? response.exit_code) : undefined;
	return typeof code === 'number' ? code : undefined;
}

const RUNNERS = /\b(?:test|tests|vitest|jest|mocha|pytest|unittest|rspec|phpunit|ctest|nextest|playwright)\b/;

/** Whether a command line runs tests: then its last line has their result. */
export const isTestRun = (line: string): boolean => RUNNERS.test(line);

/** Whether a command ran tests, and the last line it printed counts failures. */
export const isFailedTest = ({ title, lastLine = '' }: { title: string; lastLine?: string | undefined }): boolean =>
	isTestRun(title) && /\b[1-9]\d* fail(?:ed|ing|ures?)?\b/i.test(lastLine);
