'use client';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { DecisionState } from './use-decision.ts';

/** A card that can be decided together with others. */
export interface Selectable {
	/** Why it may not be approved yet; null when it may. */
	blocked: string | null;
	decide: (decision: 'approve' | 'deny') => Promise<DecisionState>;
}

/** Which cards of a list are chosen, and how to decide them. */
export interface Selection {
	chosen: ReadonlySet<string>;
	toggle: (approvalId: string) => void;
	/** Tells the list of a card; gives back how to take it out. */
	register: (approvalId: string, card: () => Selectable) => () => void;
}

/** Null where cards are not in a list. */
export const SelectionContext = createContext<Selection | null>(null);

/** This card's part in a list that is decided together; null where there is none, or the card is over. */
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
