import type { Route } from 'next';
import type { Plain } from '#lib/messages/say.ts';
import type { Shortcut } from './shortcut.ts';

interface Place {
	href: Route;
	label: Plain;
	icon: string;
	shortcut: Shortcut;
	/** A hub has it, too. */
	atHub?: true;
}

/** `go` is what its shortcut is called, `g` and then `key`. */
const place = (href: Route, label: Plain, go: Plain, key: string, icon: string): Place => ({
	href,
	label,
	icon,
	shortcut: { keys: [`g ${key}`], show: ['g', key], label: go, where: 'Everywhere' },
});

/** The pages that exist: the bars, the palette and the shortcuts read this. */
export const places: readonly Place[] = [
	{ ...place('/', 'Sessions', 'Go to sessions', 's', 'M3 5h18M3 12h18M3 19h12'), atHub: true },
	place('/approvals', 'Approvals', 'Go to approvals', 'a', 'M4 4h16v12H13l-4 4v-4H4z'),
	place('/features', 'Features', 'Go to features', 'f', 'M4 6h6l2 2h8v11H4z'),
	place('/rules', 'Rules', 'Go to rules', 'r', 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z'),
	{
		...place('/decisions' as Route, 'Decisions', 'Go to decisions', 'd', 'M4 5h10M4 12h10M4 19h6M16 16l2 2 4-5'),
		atHub: true,
	},
	place('/status', 'Health', 'Go to health', 'h', 'M3 12h4l3-8 4 16 3-8h4'),
];

/** Whether a path belongs to a place. */
export function isAt(href: string, path: string): boolean {
	return href === '/' ? path === '/' || path.startsWith('/sessions') : path.startsWith(href);
}

/** Those that are here: on a hub the others belong to each machine. */
export const placesAt = (isHub: boolean): readonly Place[] => (isHub ? places.filter(({ atHub }) => atHub) : places);
