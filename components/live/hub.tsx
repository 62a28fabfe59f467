'use client';

import { createContext, useContext } from 'react';
import { hubRoutes } from '#lib/contract/routes/hub-rights.ts';
import type { RouteKey } from '#lib/contract/routes/route-table.ts';

/** Whether the pages are those of a hub, and not of a machine. */
export const HubContext = createContext(false);

/** As the server has said with the page, so that it is known before anything is drawn. */
export function useHub(): boolean {
	return useContext(HubContext);
}

/** The same for what is no component: the root of the page says so. */
export function isHubPage(): boolean {
	return typeof document !== 'undefined' && document.documentElement.dataset.hub !== undefined;
}

/** Whether this server has a route of machines: each machine has all of them, a hub those of its one table. */
export function useCan(key: RouteKey): boolean {
	return !useHub() || hubRoutes.has(key);
}
