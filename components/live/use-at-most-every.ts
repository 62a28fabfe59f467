'use client';
import { useEffect, useEffectEvent, useState } from 'react';

/** A value that changes often, taken over at most every `ms` milliseconds; the last one always comes through. */
export function useAtMostEvery<T>(value: T, ms: number): T {
	const [taken, setTaken] = useState(value);
	const isBehind = !Object.is(value, taken);
	const take = useEffectEvent(() => setTaken(() => value));
	// biome-ignore lint/correctness/useExhaustiveDependencies: what was taken starts the next wait.
	useEffect(() => {
		if (!isBehind) return;
		const timer = setTimeout(take, ms);
		return () => clearTimeout(timer);
	}, [isBehind, taken, ms]);
	return taken;
}
