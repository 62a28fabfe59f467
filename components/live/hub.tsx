'use client';
import { createContext, useContext } from 'react';
import { canHub, type FeatureName } from '#lib/contract/routes/features.ts';
import { useLive } from './store.ts';

export const HubContext = createContext(false);

/** Whether this server is a hub. Sent with the page, so it is known at the first render. */
export const useHub = (): boolean => useContext(HubContext);

/** `useHub` for code outside components; reads an attribute of the root element. */
export function isHubPage(): boolean {
	return typeof document !== 'undefined' && document.documentElement.dataset.hub !== undefined;
}

/** Whether this server has a feature. Machines have all; hubs have those in the feature table. */
export const useCan = (feature: FeatureName): boolean => !useHub() || canHub(feature);

/**
 * Whether this sign-in may decide; true until known, since the server checks anyway. One by an approval link may decide only
 * that.
 */
export function useMayDecide(approvalId?: string): boolean {
	return useLive(
		({ me }) => me === null || me.role === 'operator' || (approvalId !== undefined && me.approval === approvalId),
	);
}

/** Whether this sign-in may use a feature that this server has. */
export function useMayAct(feature: FeatureName): boolean {
	const mayDecide = useMayDecide();
	return useCan(feature) && mayDecide;
}
