'use client';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import type { Selectable, Selection } from './selection.ts';

const OVER: Plain = 'One was over before its turn.';

/** What became of the cards that were decided together. */
export interface BulkResult {
	decision: 'approve' | 'deny';
	done: number;
	/** One sentence for each card that was not decided. */
	left: string[];
}

/** The chosen cards of a list, and deciding them one after the other. Each is told for itself: nothing is all or nothing. */
export function useSelection(): {
	selection: Selection;
	result: BulkResult | null;
	isBusy: boolean;
	decideAll: (decision: 'approve' | 'deny') => Promise<void>;
	clear: () => void;
} {
	const cards = useRef(new Map<string, () => Selectable>());
	const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
	const [result, setResult] = useState<BulkResult | null>(null);
	const [isBusy, setBusy] = useState(false);

	const toggle = useCallback((id: string) => {
		setResult(null);
		setChosen((before) =>
			before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
		);
	}, []);
	const register = useCallback((id: string, card: () => Selectable) => {
		cards.current.set(id, card);
		return () => {
			cards.current.delete(id);
			setChosen((before) => new Set([...before].filter((other) => other !== id)));
		};
	}, []);

	async function decideAll(decision: 'approve' | 'deny') {
		setBusy(true);
		const outcome: BulkResult = { decision, done: 0, left: [] };
		for (const id of chosen) {
			const card = cards.current.get(id)?.();
			if (!card) outcome.left.push(OVER);
			else if (decision === 'approve' && card.blocked !== null) outcome.left.push(card.blocked);
			else {
				const ended = await card.decide(decision);
				if (ended.step === 'done') outcome.done += 1;
				else outcome.left.push(ended.step === 'refused' ? ended.message : OVER);
			}
		}
		setResult(outcome);
		setBusy(false);
	}

	const selection = useMemo(() => ({ chosen, toggle, register }), [chosen, toggle, register]);
	return { selection, result, isBusy, decideAll, clear: () => setChosen(new Set()) };
}
