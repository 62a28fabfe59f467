import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { liveStore } from './store.ts';

let timer: ReturnType<typeof setInterval> | undefined;
let tick = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	tick = serverNow();
	timer ??= setInterval(() => {
		tick = serverNow();
		for (const each of listeners) each();
	}, 1000);
	return () => {
		listeners.delete(listener);
		if (listeners.size > 0) return;
		clearInterval(timer);
		timer = undefined;
	};
}

/** The server's clock in ms, as well as this browser knows it. */
export const serverNow = (): number => Date.now() + liveStore.getState().clockOffset;

const noListening = () => () => {};

/** The instant (ms) that everything inside is shown as of; null means now. */
export const InstantContext = createContext<number | null>(null);

/** The server's clock in ms, once a second for all leaves together; 0 while rendered on the server. */
export const useNow = (): number => useClock((now) => now);

/** What the server's clock says about something: renders when that changes, not each second. Give a plain value. */
export function useClock<Value extends string | number | boolean>(read: (now: number) => Value): Value {
	const instant = useContext(InstantContext);
	return useSyncExternalStore(
		instant === null ? subscribe : noListening,
		() => read(instant ?? tick),
		() => read(instant ?? 0),
	);
}

/** A value that changes often, taken over at most every `ms` milliseconds; the last one always comes through. */
export function useAtMostEvery<T>(value: T, ms: number): T {
	const [shown, setShown] = useState(value);
	const isBehind = !Object.is(value, shown);
	const update = useEffectEvent(() => setShown(() => value));
	// biome-ignore lint/correctness/useExhaustiveDependencies: what was taken starts the next wait.
	useEffect(() => {
		if (!isBehind) return;
		const timer = setTimeout(update, ms);
		return () => clearTimeout(timer);
	}, [isBehind, shown, ms]);
	return shown;
}
