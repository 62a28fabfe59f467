import { type KeyboardEvent, type RefCallback, useCallback } from 'react';

interface OpenedForm {
	ref: RefCallback<HTMLElement>;
	onKeyDown: (event: KeyboardEvent) => void;
}

/** For the element around a form that a person has just opened: the focus goes to its first field, and Escape closes the form alone. */
export function useOpenedForm(onClose: () => void): OpenedForm {
	const ref = useCallback((element: HTMLElement | null) => {
		element?.querySelector<HTMLElement>('input, textarea, select')?.focus();
	}, []);
	return {
		ref,
		onKeyDown({ key, nativeEvent }) {
			if (key !== 'Escape') return;
			// What is around the form has its own Escape.
			nativeEvent.preventDefault();
			nativeEvent.stopImmediatePropagation();
			onClose();
		},
	};
}
