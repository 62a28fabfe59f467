import type { Route } from 'next';
import type { HubAction, HubRole } from '#lib/contract/hub/hub-roles.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import type { Plain } from '#lib/messages/say.ts';
import type { Shortcut } from './shortcut.ts';

/** A page of the bars. */
export interface PageLink {
	href: Route;
	label: Plain;
	icon: string;
	shortcut: Shortcut;
	/** A hub has it, too; or only a hub has it, for those who may do this somewhere. */
	atHub?: true | HubAction;
}

/** `go` is what its shortcut is called, `g` and then `key`. */
const place = (href: Route, label: Plain, go: Plain, key: string, icon: string): PageLink => ({
	href,
	label,
	icon,
	shortcut: { keys: [`g ${key}`], show: ['g', key], label: go, where: 'Everywhere' },
});

/** The pages that exist: the bars, the palette and the shortcuts read this. */
export const places: readonly PageLink[] = [
	{ ...place('/', 'Sessions', 'Go to sessions', 's', 'M3 5h18M3 12h18M3 19h12'), atHub: true },
	{ ...place('/approvals', 'Approvals', 'Go to approvals', 'a', 'M4 4h16v12H13l-4 4v-4H4z'), atHub: true },
	{ ...place('/features', 'Features', 'Go to features', 'f', 'M4 6h6l2 2h8v11H4z'), atHub: true },
	{ ...place('/rules', 'Rules', 'Go to rules', 'r', 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z'), atHub: true },
	{
		...place('/decisions' as Route, 'Decisions', 'Go to decisions', 'd', 'M4 5h10M4 12h10M4 19h6M16 16l2 2 4-5'),
		atHub: true,
	},
	place('/status', 'Health', 'Go to health', 'h', 'M3 12h4l3-8 4 16 3-8h4'),
	{ ...place('/machines', 'Machines', 'Go to machines', 'm', 'M3 4h18v12H3zM8 20h8M12 16v4'), atHub: 'edges' },
	{
		...place(
			'/people',
			'People',
			'Go to people',
			'p',
			'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a7 7 0 0 1 14 0M16 3a4 4 0 0 1 0 8M18 15a6 6 0 0 1 4 6',
		),
		atHub: 'people',
	},
];

/** Whether a path belongs to a place. */
export function isAt(href: string, path: string): boolean {
	return href === '/' ? path === '/' || path.startsWith('/sessions') : path.startsWith(href);
}

/** Those that are here for somebody with these roles; of a machine nobody has any. */
export function placesAt(isHub: boolean, roles: readonly HubRole[]): readonly PageLink[] {
	return places.filter(({ atHub }) => {
		if (typeof atHub === 'string') return isHub && mayAnywhere(roles, atHub);
		return !isHub || atHub;
	});
}

/** Whether a hub has the page of this path; the others belong to each machine. */
export const isOfHub = (path: string) => places.some(({ href, atHub }) => atHub && isAt(href, path));
