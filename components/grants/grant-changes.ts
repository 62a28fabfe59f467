import { useSyncExternalStore } from 'react';

let version = 0;
const listeners = new Set<() => void>();

/** This page has made or revoked a grant. */
export function grantsChanged(): void {
	version += 1;
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** A number that rises whenever this page has made or revoked a grant. */
export function useGrantChanges(): number {
	return useSyncExternalStore(
		subscribe,
		() => version,
		() => 0,
	);
}
