import type { Shortcut } from './shortcut.ts';
import { allShortcuts } from './shortcuts.ts';

/** How long after its first key a sequence may be completed, in ms. */
const SEQUENCE_MS = 1000;

/** What of a keyboard event tells which key it was. */
export type KeyPress = Pick<
	KeyboardEvent,
	'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'timeStamp'
> & {
	getModifierState?: (name: string) => boolean;
};

const byKeyCode: ReadonlyMap<string, string> = new Map([
	['BracketLeft', '['],
	['BracketRight', ']'],
	['Comma', ','],
	['Period', '.'],
]);

/**
 * The key as it is printed, in lower case; null for what is no key of a shortcut. In a script without Latin letters the
 * key in the same place of a Latin keyboard is meant.
 */
export function keyOf(press: KeyPress): string | null {
	const { key, code, shiftKey, ctrlKey, altKey, metaKey } = press;
	const isAltGr = press.getModifierState?.('AltGraph') ?? false;
	if (metaKey || ((ctrlKey || altKey) && !isAltGr)) return null;
	const isForeign = key.length === 1 && key > '~';
	const printed = isForeign ? (byKeyCode.get(code) ?? code.replace(/^Key/, '')) : key;
	// A blank stands between the keys of a sequence.
	if (printed === ' ') return 'space';
	const isLetter = /^[a-z]$/i.test(printed);
	return isLetter && shiftKey ? null : printed.toLowerCase();
}

const sequences: ReadonlySet<string> = new Set(
	allShortcuts().flatMap(({ keys }) => keys.filter((each) => each.includes(' '))),
);

/** A letter with Ctrl or Cmd alone, as shortcuts name it: `mod+k`. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
	return ctrlKey !== metaKey && !altKey && !shiftKey && /^[a-z]$/i.test(key) ? `mod+${key.toLowerCase()}` : null;
}

/** Whether a press is this shortcut's. The last key of a sequence is that of no other shortcut. */
export function isPressOf({ keys }: Pick<Shortcut, 'keys'>, press: KeyPress, before: KeyPress | null): boolean {
	const now = keyOf(press);
	if (now === null) return keys.includes(chordOf(press) ?? '');
	const isSoon = before !== null && press.timeStamp - before.timeStamp <= SEQUENCE_MS;
	const both = isSoon ? `${keyOf(before)} ${now}` : '';
	return keys.includes(sequences.has(both) ? both : now);
}
