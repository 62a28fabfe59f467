import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import type { DecisionState } from './use-decision.ts';

const OVER: Plain = 'One was over before its turn.';

export interface BulkResult {
	decision: 'approve' | 'deny';
	done: number;
	left: string[];
}

/** Selected cards of a list, decided one after the other. Each has its own result; some may fail. */
export function useSelection() {
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

interface Selectable {
	/** Why it cannot be approved yet, or null if it can. */
	blocked: string | null;
	decide: (decision: 'approve' | 'deny') => Promise<DecisionState>;
}

interface Selection {
	chosen: ReadonlySet<string>;
	toggle: (approvalId: string) => void;
	register: (approvalId: string, card: () => Selectable) => () => void;
}

/** Null for cards outside a list. */
export const SelectionContext = createContext<Selection | null>(null);

export function useSelectable(
	approvalId: string,
	card: Selectable | null,
): { isChosen: boolean; toggle: () => void } | null {
	const selection = useContext(SelectionContext);
	const latest = useRef(card);
	latest.current = card;
	const isOpen = card !== null;
	const register = selection?.register;
	useEffect(() => {
		if (!register || !isOpen) return;
		return register(
			approvalId,
			() => latest.current ?? { blocked: 'It is over.', decide: async () => ({ step: 'open' }) },
		);
	}, [register, isOpen, approvalId]);
	if (!selection || !isOpen) return null;
	return { isChosen: selection.chosen.has(approvalId), toggle: () => selection.toggle(approvalId) };
}
