'use client';
import { createContext, useContext } from 'react';

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
