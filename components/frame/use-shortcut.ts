import { useHotkeys } from 'react-hotkeys-hook';
import { shortcuts } from './shortcuts.ts';

/**
 * Runs an action on a shortcut, on the whole page or, with the returned ref, while an element has the focus.
 * Never inside a text field, and not again while the key is held.
 */
export function useShortcut<T extends HTMLElement>(id: keyof typeof shortcuts, action: () => void, enabled = true) {
	return useHotkeys<T>(
		shortcuts[id].keys,
		(event) => {
			event.preventDefault();
			action();
		},
		{
			enabled,
			// A question mark sits on another key in each layout, mostly with shift.
			useKey: id === 'help',
			ignoreModifiers: id === 'help',
			sequenceTimeoutMs: 1000,
			// The slider of a recording is no text field, and its steps must work while it has the focus.
			enableOnFormTags: shortcuts[id].where === 'Archive' ? ['input'] : false,
			ignoreEventWhen: (event) => event.repeat || event.defaultPrevented || isTyping(event.target),
		},
	);
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type !== 'range';
