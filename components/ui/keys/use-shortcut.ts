import { type RefCallback, useLayoutEffect, useRef, useState } from 'react';
import { allShortcuts, type Shortcut, shortcuts } from './shortcuts.ts';

/** The last two keys pressed, wherever the focus was. */
let last: KeyboardEvent | null = null;
let before: KeyboardEvent | null = null;

if (typeof window !== 'undefined') {
	const isAlone = ({ key }: KeyboardEvent) =>
		!['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'].includes(key);
	window.addEventListener(
		'keydown',
		(event) => {
			if (!isKey(event) || !isAlone(event)) return;
			before = last;
			last = event;
		},
		true,
	);
}

/**
 * Runs an action on a shortcut: page-wide or, with the returned ref, within an element. Not in text fields (except with Ctrl or
 * Cmd), behind a dialog, or on key repeat.
 */
export function useShortcut<T extends HTMLElement>(
	nameOrShortcut: keyof typeof shortcuts | Shortcut,
	action: () => void,
	enabled = true,
): RefCallback<T> {
	const shortcut: Shortcut = typeof nameOrShortcut === 'string' ? shortcuts[nameOrShortcut] : nameOrShortcut;
	const [element, setElement] = useState<T | null>(null);
	const latest = useRef(action);
	latest.current = action;
	useLayoutEffect(() => {
		if (!enabled) return;
		const target: HTMLElement | Document = element ?? document;
		const onPress = (event: Event) => {
			if (!isKey(event) || event.repeat || event.defaultPrevented) return;
			// Keys with Ctrl or Cmd do not type text.
			if (chordOf(event) === null && takesKeys(event.target, shortcut.where)) return;
			if (event.key === ' ' && isPressedBySpace(event.target)) return;
			if (isBehindDialog(event.target) || !isPressOf(shortcut, event, before)) return;
			event.preventDefault();
			latest.current();
		};
		target.addEventListener('keydown', onPress);
		return () => target.removeEventListener('keydown', onPress);
	}, [shortcut, element, enabled]);
	return setElement;
}

/** Autofill dispatches `keydown` events without a key. */
const isKey = (event: Event): event is KeyboardEvent => event instanceof KeyboardEvent;

const TAKES_KEYS = 'textarea, select, [role^=menuitem], [role=option], [role=radio], [role=slider], [role=textbox]';

/** Checkboxes take no text; neither does the slider of a recording, whose shortcuts must work while it has the focus. */
function takesKeys(target: EventTarget | null, where: Shortcut['where']): boolean {
	if (!(target instanceof HTMLElement)) return false;
	if (!(target instanceof HTMLInputElement)) return target.isContentEditable || target.matches(TAKES_KEYS);
	return target.type !== 'checkbox' && (target.type !== 'range' || where !== 'Archive');
}

const PRESSED_BY_SPACE =
	'button, summary, [role=button], [role=tab], [role=checkbox], [role=switch], input[type=checkbox]';

const isPressedBySpace = (target: EventTarget | null) => target instanceof Element && target.matches(PRESSED_BY_SPACE);

/** Approval cards inside a dialog keep their shortcuts; everything else is behind the dialog. */
function isBehindDialog(target: EventTarget | null): boolean {
	if (!document.querySelector('[role=dialog]')) return false;
	return !(target instanceof Element && target.closest('[role=dialog] [data-card]'));
}

/** Time (ms) after the first key in which a sequence can be completed. */
const SEQUENCE_MS = 1000;

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

/** The printed key in lower case, null if no shortcut can use it. On other layouts, the key at that place of a Latin one. */
export function keyOf(press: KeyPress): string | null {
	const { key, code, shiftKey, ctrlKey, altKey, metaKey } = press;
	const isAltGr = press.getModifierState?.('AltGraph') ?? false;
	if (metaKey || ((ctrlKey || altKey) && !isAltGr)) return null;
	const isForeign = key.length === 1 && key > '~';
	const printed = isForeign ? (byKeyCode.get(code) ?? code.replace(/^Key/, '')) : key;
	// A space separates the keys of a sequence, so the space bar needs a name.
	if (printed === ' ') return 'space';
	const isLetter = /^[a-z]$/i.test(printed);
	return isLetter && shiftKey ? null : printed.toLowerCase();
}

const sequences: ReadonlySet<string> = new Set(
	allShortcuts().flatMap(({ keys }) => keys.filter((each) => each.includes(' '))),
);

/** A letter with only Ctrl or Cmd, written as in shortcuts: `mod+k`. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
	return ctrlKey !== metaKey && !altKey && !shiftKey && /^[a-z]$/i.test(key) ? `mod+${key.toLowerCase()}` : null;
}

/** Whether a key press triggers this shortcut. The last key of a sequence triggers no other shortcut. */
export function isPressOf({ keys }: Pick<Shortcut, 'keys'>, press: KeyPress, before: KeyPress | null): boolean {
	const now = keyOf(press);
	if (now === null) return keys.includes(chordOf(press) ?? '');
	const isSoon = before !== null && press.timeStamp - before.timeStamp <= SEQUENCE_MS;
	const both = isSoon ? `${keyOf(before)} ${now}` : '';
	return keys.includes(sequences.has(both) ? both : now);
}
