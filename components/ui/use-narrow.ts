import { useSyncExternalStore } from 'react';

const query = '(max-width: 899px)';

function subscribe(listener: () => void): () => void {
	const list = window.matchMedia(query);
	list.addEventListener('change', listener);
	return () => list.removeEventListener('change', listener);
}

/** Whether the window is too narrow for two panes. */
export function useNarrow(): boolean {
	return useSyncExternalStore(
		subscribe,
		() => window.matchMedia(query).matches,
		() => false,
	);
}
