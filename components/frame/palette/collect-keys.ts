export interface TypeAhead {
	typed: string;
	/** Whether Enter was the last key; later keys are ignored. */
	isEntered: boolean;
}

/**
 * Collects keys until the palette has opened, so that none are lost or trigger shortcuts. Returns what stops it and returns the
 * text.
 */
export function collectKeys(onEscape: () => void): () => TypeAhead {
	const ahead: TypeAhead = { typed: '', isEntered: false };
	function onKeyDown(event: KeyboardEvent) {
		const { key } = event;
		const isText = key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
		if (!isText && !['Backspace', 'Enter', 'Escape'].includes(key)) return;
		event.preventDefault();
		event.stopPropagation();
		if (ahead.isEntered) return;
		if (isText) ahead.typed += key;
		if (key === 'Backspace') ahead.typed = ahead.typed.slice(0, -1);
		if (key === 'Enter') ahead.isEntered = true;
		if (key === 'Escape') {
			end();
			onEscape();
		}
	}
	const end = () => {
		window.removeEventListener('keydown', onKeyDown, true);
		return ahead;
	};
	window.addEventListener('keydown', onKeyDown, true);
	return end;
}
