'use client';
import { createContext, useContext } from 'react';
import { hubRoutes } from '#lib/contract/routes/hub-rights.ts';
import type { RouteKey } from '#lib/contract/routes/route-table.ts';
import { useLive } from './store.ts';

export const HubContext = createContext(false);

/** As the server has said with the page, so that it is known before anything is drawn. */
export const useHub = (): boolean => useContext(HubContext);

/** The same for what is no component: the root of the page says so. */
export function isHubPage(): boolean {
	return typeof document !== 'undefined' && document.documentElement.dataset.hub !== undefined;
}

/** Whether this server has a route of machines: each machine has all of them, a hub those of its one table. */
export const useCan = (key: RouteKey): boolean => !useHub() || hubRoutes.has(key);

/**
 * Whether this sign-in may decide; true until it is known, since the server has the last word. One that came by a link
 * may decide its one approval, and nothing else.
 */
export function useMayDecide(approvalId?: string): boolean {
	return useLive(
		({ me }) => me === null || me.role === 'operator' || (approvalId !== undefined && me.approval === approvalId),
	);
}

/** Whether this sign-in may do what is done at the machine itself; at its hub nobody may, where only calls are decided. */
export function useMayAct(): boolean {
	const mayDecide = useMayDecide();
	return !useHub() && mayDecide;
}
