import type { Route } from 'next';
import type { Plain } from '#lib/messages/say.ts';

interface Place {
	href: Route;
	label: Plain;
	icon: string;
	/** Only where there is room; elsewhere other pages lead to it. */
	isWide?: true;
}

/** The pages that exist, for the bars. */
export const places: readonly Place[] = [
	{ href: '/', label: 'Sessions', icon: 'M3 5h18M3 12h18M3 19h12' },
	{ href: '/approvals', label: 'Approvals', icon: 'M4 4h16v12H13l-4 4v-4H4z' },
	{ href: '/features', label: 'Features', icon: 'M4 6h6l2 2h8v11H4z' },
	{ href: '/rules', label: 'Rules', icon: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z' },
	{ href: '/decisions' as Route, label: 'Decisions', icon: 'M4 5h10M4 12h10M4 19h6M16 16l2 2 4-5', isWide: true },
	{ href: '/status', label: 'Health', icon: 'M3 12h4l3-8 4 16 3-8h4' },
];

/** Whether a path belongs to a place. */
export function isAt(href: string, path: string): boolean {
	return href === '/' ? path === '/' || path.startsWith('/sessions') : path.startsWith(href);
}
