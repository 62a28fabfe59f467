import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { isJson } from '../json/json.ts';

const places: ReadonlySet<string> = new Set(['id', 'ts', 'type', 'seq', 'sessionId', 'requestId']);
const lastly: ReadonlySet<string> = new Set(['category', 'label', 'agentId', 'toolUseId', 'causedBy']);

const envelope: ReadonlySet<string> = new Set([
	...['id', 'ts', 'type', 'category', 'label', 'sessionId', 'agentId', 'toolUseId', 'causedBy', 'requestId'],
	...['seq', 'unverified', 'unknown', 'output', 'durationMs', 'tool'],
]);

export function eventFields(event: IndexedEvent): Record<string, unknown> {
	return Object.fromEntries(Object.entries(event).filter(([name]) => !envelope.has(name)));
}

/** The fields of an event without its position and ids; its own come first. */
export function rawFields(event: IndexedEvent): Record<string, unknown> {
	const entries = Object.entries(event).filter(([name]) => !places.has(name));
	const own = entries.filter(([name]) => !lastly.has(name));
	return Object.fromEntries([...own, ...entries.filter(([name]) => lastly.has(name))]);
}

const CODE_LINE = /^Exit code (\d{1,3})\b/;

/** What a command printed on both streams; undefined if it is stored elsewhere. */
export function printedBy(response: unknown): string | undefined {
	if (typeof response === 'string') return response;
	if (!isJson(response)) return undefined;
	const streams = [response.stdout, response.stderr, response.output].filter((one) => one !== undefined);
	if (streams.length === 0 || !streams.every((one) => typeof one === 'string')) return undefined;
	return streams.filter((one) => one !== '').join('\n');
}

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

/** Whether the last line of a test run counts failures. */
export const hasFailedTests = (lastLine: string): boolean => /\b[1-9]\d* fail(?:ed|ing|ures?)?\b/i.test(lastLine);

/** The address at which VS Code opens a file; undefined for one that may lead out of the folder, since agents name files. */
export function editorAddress(path: string, folder: string): string | undefined {
	const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
	const file = (isAbsolute ? path : `${folder}/${path}`).replaceAll('\\', '/');
	const parts = file.split('/');
	const isBelow = file.startsWith(`${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`);
	if (!isBelow || parts.includes('..') || parts.includes('.') || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(file)) return undefined;
	return `vscode://file${file.startsWith('/') ? '' : '/'}${parts.map(encodeURIComponent).join('/')}`;
}
