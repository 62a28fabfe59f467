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

/** Estimated time of the server's clock in ms. */
export const serverNow = (): number => Date.now() + liveStore.getState().clockOffset;

const noListening = () => () => {};

/** The instant (ms) as of which the content is shown; null means now. */
export const InstantContext = createContext<number | null>(null);

/** The server's time in ms, updated once a second with one shared timer; 0 during server rendering. */
export const useNow = (): number => useClock((now) => now);

/** A value derived from the server's clock. Renders only when the value changes, so return a primitive. */
export function useClock<Value extends string | number | boolean>(read: (now: number) => Value): Value {
	const instant = useContext(InstantContext);
	return useSyncExternalStore(
		instant === null ? subscribe : noListening,
		() => read(instant ?? tick),
		() => read(instant ?? 0),
	);
}

/** Throttles a value to one update every `ms` milliseconds. The last value is always delivered. */
export function useAtMostEvery<T>(value: T, ms: number): T {
	const [shown, setShown] = useState(value);
	const isBehind = !Object.is(value, shown);
	const update = useEffectEvent(() => setShown(() => value));
	// biome-ignore lint/correctness/useExhaustiveDependencies: each update starts the next wait.
	useEffect(() => {
		if (!isBehind) return;
		const timer = setTimeout(update, ms);
		return () => clearTimeout(timer);
	}, [isBehind, shown, ms]);
	return shown;
}
