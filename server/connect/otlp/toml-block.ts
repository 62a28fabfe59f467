import { parse, TomlError } from 'smol-toml';
import { SettingsRefused } from '../../setup/merge-settings.ts';

const BEGIN = '# >>> telemetry for signalbox; `signalbox init --remove` takes it out';
const END = '# <<< telemetry for signalbox';
const OURS = new RegExp(`(?:\\r?\\n)?${BEGIN}\\r?\\n[\\s\\S]*?\\r?\\n${END}(?:\\r?\\n|$)`);

/** Whether our lines stand in a TOML file. */
export const hasBlock = (text: string): boolean => OURS.test(text);

/**
 * The text with our lines at its end, in the line ends of the file, behind exactly one that is ours: so that all of it comes
 * out again. Throws SettingsRefused for a file that is no TOML, which the client would not take either.
 */
export function withBlock(found: string | undefined, path: string, block: string): string {
	const text = found ?? '';
	readToml(withoutBlock(text), path);
	const end = /\r?\n/.exec(text)?.[0] ?? '\n';
	const isAtStart = found === undefined || text.startsWith(BEGIN);
	const ours = [...(isAtStart ? [] : ['']), BEGIN, ...block.split('\n'), END, ''].join(end);
	const whole = hasBlock(text) ? text.replace(OURS, () => ours) : `${text}${ours}`;
	readToml(whole, path);
	return whole;
}

/** The text without our lines. */
export const withoutBlock = (text: string): string => text.replace(OURS, '');

/** Whether a file with our lines alone is of our making: a person's own empty one has a line end before them. */
export const isBlockAlone = (text: string): boolean => text.startsWith(BEGIN) && withoutBlock(text) === '';

/** Whether a TOML file says anything under this key, but for our lines. Throws SettingsRefused as `withBlock`. */
export function saysOf(text: string, path: string, key: string): boolean {
	return Object.hasOwn(readToml(withoutBlock(text), path), key);
}

function readToml(text: string, path: string) {
	try {
		return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
	} catch (error) {
		const where = error instanceof TomlError ? `line ${error.line} is no TOML` : 'it is no TOML';
		throw new SettingsRefused(`${path} was left alone: ${where}. Correct it and run the command again.`);
	}
}
