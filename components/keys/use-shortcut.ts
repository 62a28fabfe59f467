import { useHotkeys } from 'react-hotkeys-hook';
import { isPressOf } from './key-press.ts';
import { type Shortcut, shortcuts } from './shortcuts.ts';

/** The last two keys, whatever has the focus. */
let last: KeyboardEvent | null = null;
let before: KeyboardEvent | null = null;

if (typeof window !== 'undefined') {
	const isAlone = ({ key }: KeyboardEvent) =>
		!['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'].includes(key);
	window.addEventListener(
		'keydown',
		(event) => {
			if (!isAlone(event)) return;
			before = last;
			last = event;
		},
		true,
	);
}

/**
 * Runs an action on a shortcut, on the whole page or, with the returned ref, while an element has the focus.
 * Never inside a text field, nor behind an open dialog, and not again while the key is held.
 */
export function useShortcut<T extends HTMLElement>(id: keyof typeof shortcuts, action: () => void, enabled = true) {
	return useHotkeys<T>(
		// Which key it is says `isPressOf`: the library goes by places on a keyboard, and asks nobody about sequences.
		'*',
		(event) => {
			event.preventDefault();
			action();
		},
		{
			enabled,
			enableOnFormTags: ['input'],
			ignoreEventWhen: (event) =>
				event.repeat ||
				event.defaultPrevented ||
				usesKeys(event.target, shortcuts[id].where) ||
				isBehindDialog(event.target) ||
				!isPressOf(shortcuts[id], event, before),
		},
	);
}

/** A box is no text field; nor is the slider of a recording, whose steps must work while it has the focus. */
function usesKeys(target: EventTarget | null, where: Shortcut['where']): boolean {
	if (!(target instanceof HTMLInputElement) || target.type === 'checkbox') return false;
	return target.type !== 'range' || where !== 'Archive';
}

/** A card in a sheet keeps its keys; everything else that listens lies under the dialog. */
function isBehindDialog(target: EventTarget | null): boolean {
	if (!document.querySelector('[role=dialog]')) return false;
	return !(target instanceof Element && target.closest('[role=dialog] [data-card]'));
}
