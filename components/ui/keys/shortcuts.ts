import type { Route } from 'next';
import { useMemo } from 'react';
import type { HubAction, HubRole } from '#lib/contract/hub/hub-roles.ts';
import { hubPages } from '#lib/contract/routes/features.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useHub } from '../../live/hub.tsx';
import { useLive } from '../../live/store.ts';

/** All shortcuts except those of the pages; used for hints and `aria-keyshortcuts`. */
export const shortcuts = {
	help: { keys: ['?'], show: ['?'], label: 'Show shortcuts', where: 'Everywhere' },
	find: { keys: ['mod+k', '/'], show: ['Ctrl K', '/'], label: 'Find anything', where: 'Everywhere' },
	next: { keys: ['j', 'arrowdown'], show: ['j', '↓'], label: 'Next row', where: 'Lists' },
	previous: { keys: ['k', 'arrowup'], show: ['k', '↑'], label: 'Previous row', where: 'Lists' },
	open: { keys: ['enter'], show: ['Enter'], label: 'Open the row', where: 'Lists' },
	close: { keys: ['escape'], show: ['Esc'], label: 'Close the detail', where: 'Session' },
	note: { keys: ['m'], show: ['m'], label: 'Note on the row', where: 'Session' },
	follow: { keys: ['end'], show: ['End'], label: 'Follow the newest row', where: 'Session' },
	zoomIn: { keys: ['+', '='], show: ['+'], label: 'Nearer', where: 'Lanes' },
	zoomOut: { keys: ['-'], show: ['−'], label: 'Farther', where: 'Lanes' },
	pan: { keys: ['arrowleft', 'arrowright'], show: ['←', '→'], label: 'Earlier, later', where: 'Lanes' },
	laneStart: { keys: ['home'], show: ['Home'], label: 'To the beginning', where: 'Lanes' },
	whole: { keys: ['0'], show: ['0'], label: 'The whole session', where: 'Lanes' },
	approve: { keys: ['a'], show: ['A'], label: 'Approve once', where: 'Approvals' },
	deny: { keys: ['d'], show: ['D'], label: 'Deny', where: 'Approvals' },
	remember: { keys: ['g'], show: ['G'], label: 'Approve and remember', where: 'Approvals' },
	editInput: { keys: ['e'], show: ['E'], label: 'Edit the input', where: 'Approvals' },
	play: { keys: ['space'], show: ['Space'], label: 'Play or pause', where: 'Archive' },
	slower: { keys: ['<'], show: ['<'], label: 'Play slower', where: 'Archive' },
	faster: { keys: ['>'], show: ['>'], label: 'Play faster', where: 'Archive' },
	eventBack: { keys: ['['], show: ['['], label: 'One event back', where: 'Archive' },
	eventOn: { keys: [']'], show: [']'], label: 'One event on', where: 'Archive' },
	chapterBack: { keys: [','], show: [','], label: 'Chapter before', where: 'Archive' },
	chapterOn: { keys: ['.'], show: ['.'], label: 'Next chapter', where: 'Archive' },
	nextDenial: { keys: ['n d'], show: ['n', 'd'], label: 'Next denial', where: 'Archive' },
	nextMismatch: { keys: ['n m'], show: ['n', 'm'], label: 'Next mismatch', where: 'Archive' },
	nextDecision: { keys: ['n p'], show: ['n', 'p'], label: 'Next decision', where: 'Archive' },
} as const satisfies Record<string, Shortcut>;

/** All shortcuts with those of the available pages, as the help sheet lists them. */
export const allShortcuts = (here: readonly PageLink[] = places): readonly Shortcut[] => [
	...Object.values(shortcuts),
	...here.map(({ shortcut }) => shortcut),
];

/** `keys`: alternatives, as KeyboardEvent.key in lower case, `g s` in sequence, `mod+k` with Ctrl or Cmd. `show`: for people. */
export interface Shortcut {
	keys: readonly string[];
	show: readonly string[];
	label: Plain;
	where: 'Everywhere' | 'Lists' | 'Session' | 'Lanes' | 'Approvals' | 'Archive';
}

/** For `aria-keyshortcuts`, which has names of its own for keys. */
export function ariaKeys({ show }: Shortcut): string {
	return show
		.join(' ')
		.replace('↓', 'ArrowDown')
		.replace('↑', 'ArrowUp')
		.replace('Esc', 'Escape')
		.replace('Ctrl K', 'Control+K Meta+K');
}

export interface PageLink {
	href: Route;
	label: Plain;
	icon: string;
	shortcut: Shortcut;
	/** True: hubs have this page too. An action: only hubs have it, for users who may do this in some team. */
	atHub?: true | HubAction;
}

/** `go` is the label of its shortcut, `g` and then `key`. */
const pageLink = (href: Route, label: Plain, go: Plain, key: string, icon: string): PageLink => ({
	href,
	label,
	icon,
	shortcut: { keys: [`g ${key}`], show: ['g', key], label: go, where: 'Everywhere' },
});

/** All pages, for the bars, the palette and the shortcuts. */
export const places: readonly PageLink[] = [
	{ ...pageLink('/', 'Sessions', 'Go to sessions', 's', 'M3 5h18M3 12h18M3 19h12'), atHub: true },
	{ ...pageLink('/approvals', 'Approvals', 'Go to approvals', 'a', 'M4 4h16v12H13l-4 4v-4H4z'), atHub: true },
	{ ...pageLink('/features', 'Features', 'Go to features', 'f', 'M4 6h6l2 2h8v11H4z'), atHub: true },
	{ ...pageLink('/rules', 'Rules', 'Go to rules', 'r', 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z'), atHub: true },
	{
		...pageLink('/decisions' as Route, 'Decisions', 'Go to decisions', 'd', 'M4 5h10M4 12h10M4 19h6M16 16l2 2 4-5'),
		atHub: true,
	},
	pageLink('/status', 'Health', 'Go to health', 'h', 'M3 12h4l3-8 4 16 3-8h4'),
	{ ...pageLink('/machines', 'Machines', 'Go to machines', 'm', 'M3 4h18v12H3zM8 20h8M12 16v4'), atHub: 'edges' },
	{
		...pageLink(
			'/people',
			'People',
			'Go to people',
			'p',
			'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a7 7 0 0 1 14 0M16 3a4 4 0 0 1 0 8M18 15a6 6 0 0 1 4 6',
		),
		atHub: 'people',
	},
];

/** Pages below another one, whose address does not say so. */
const PARENTS: Readonly<Record<string, string>> = { '/rejudge': '/rules', '/compare': '/features' };

/** Whether a page lies on a path or above it; the session list is above every session. */
export function isAt(href: string, path: string): boolean {
	if (href === '/') return path === '/' || path.startsWith('/sessions');
	return (Object.hasOwn(PARENTS, path) ? PARENTS[path] : path)?.startsWith(href) === true;
}

/** Pages for a user with these roles. Roles exist only at hubs. */
export function placesAt(isHub: boolean, roles: readonly HubRole[]): readonly PageLink[] {
	return places.filter(({ atHub }) => {
		if (typeof atHub === 'string') return isHub && mayAnywhere(roles, atHub);
		return !isHub || atHub;
	});
}

/** Whether a hub has the page at this path. */
export const isOfHub = (path: string) =>
	hubPages.includes(path) || places.some(({ href, atHub }) => atHub && isAt(href, path));

const NOBODY: never[] = [];

/** Pages that this server has and this sign-in may see. */
export function usePageLinks(): readonly PageLink[] {
	const isHub = useHub();
	const roles = useLive(({ me }) => me?.hub?.roles) ?? NOBODY;
	return useMemo(() => placesAt(isHub, roles), [isHub, roles]);
}
