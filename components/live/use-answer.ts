import { useCallback, useEffect, useState } from 'react';
import type { Answer } from './call-route.ts';

type Ask<Data> = () => Promise<Answer<Data>>;

interface Asked<Data> {
	/** Null until the first answer. */
	data: Data | null;
	error: string | null;
	/** Asks at once; an answer that is still on its way is not waited for. */
	reload: () => void;
}

/**
 * What the server answers, asked for again every `againMs` while the page is in view, once where that is not given, and
 * never with null. What was known stays when it cannot be asked; `error` says why. `ask` stays the same function for as
 * long as it asks for the same: with another one nothing is known yet, and a late answer to the one before is dropped.
 */
export function useAnswer<Data>(ask: Ask<Data> | null, againMs?: number): Asked<Data> {
	const [known, setKnown] = useState<{ by: Ask<Data> | null; data: Data | null; error: string | null }>(NOTHING);
	const [round, setRound] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each round asks anew.
	useEffect(() => {
		if (!ask) return;
		let current = true;
		let isBusy = false;
		const load = async () => {
			if (isBusy) return;
			isBusy = true;
			const answer = await ask();
			isBusy = false;
			if (!current) return;
			setKnown((before) => {
				if (answer.ok) return { by: ask, data: answer.data, error: null };
				return { by: ask, data: before.by === ask ? before.data : null, error: answer.message };
			});
		};
		void load();
		const timer = againMs && setInterval(() => document.visibilityState === 'visible' && void load(), againMs);
		return () => {
			current = false;
			clearInterval(timer);
		};
	}, [ask, againMs, round]);
	const reload = useCallback(() => setRound((before) => before + 1), []);
	const { data, error } = known.by === ask ? known : NOTHING;
	return { data, error, reload };
}

const NOTHING = { by: null, data: null, error: null };
