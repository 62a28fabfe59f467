'use client';
import { createContext, useContext } from 'react';
import { canHub, type FeatureName } from '#lib/contract/routes/features.ts';
import { useLive } from './store.ts';

export const HubContext = createContext(false);

/** As the server has said with the page, so that it is known before anything is drawn. */
export const useHub = (): boolean => useContext(HubContext);

/** The same for what is no component: the root of the page says so. */
export function isHubPage(): boolean {
	return typeof document !== 'undefined' && document.documentElement.dataset.hub !== undefined;
}

/** Whether this server has a feature: each machine has all of them, a hub those that the table says. */
export const useCan = (feature: FeatureName): boolean => !useHub() || canHub(feature);

/**
 * Whether this sign-in may decide; true until it is known, since the server has the last word. One that came by a link
 * may decide its one approval, and nothing else.
 */
export function useMayDecide(approvalId?: string): boolean {
	return useLive(
		({ me }) => me === null || me.role === 'operator' || (approvalId !== undefined && me.approval === approvalId),
	);
}

/** Whether this sign-in may do something that this server has. */
export function useMayAct(feature: FeatureName): boolean {
	const mayDecide = useMayDecide();
	return useCan(feature) && mayDecide;
}
