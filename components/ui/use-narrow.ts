import { useSyncExternalStore } from 'react';

const query = '(max-width: 899px)';

let asked: MediaQueryList | undefined;

/** One for all: asking the window anew costs more than what most components draw. */
function narrow(): MediaQueryList {
	asked ??= window.matchMedia(query);
	return asked;
}

function subscribe(listener: () => void): () => void {
	const list = narrow();
	list.addEventListener('change', listener);
	return () => list.removeEventListener('change', listener);
}

/** Whether the window is too narrow for two panes. */
export function useNarrow(): boolean {
	return useSyncExternalStore(
		subscribe,
		() => narrow().matches,
		() => false,
	);
}
