import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { canHub, type FeatureName } from '#lib/contract/routes/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { english, type Plain, type Say } from '#lib/messages/say.ts';
import { findSessions, locationWords } from '#lib/session/session-list.ts';
import { featureAddress, rowAddress } from '../../row/addresses.ts';
import { type PageLink, shortcuts } from '../../ui/keys/shortcuts.ts';

/** An entry of the palette. `label` and `hint` may be text from an agent. */
export interface PaletteItem {
	id: string;
	label: string;
	hint?: string;
	keys?: readonly string[];
	href: string | null;
}

export interface PalettePart {
	title: Plain;
	items: readonly PaletteItem[];
}

/** An entry with a translated label. Search matches the translation. */
type Named = PaletteItem & { label: Plain };

/** Pages without a link in the bars. */
const unlisted: readonly (Named & { feature: FeatureName })[] = [
	{ feature: 'compare', id: 'page:/compare', label: 'Compare two runs', href: '/compare' },
	{ feature: 'search', id: 'page:/search', label: 'Search in all sessions', href: '/search' },
	{ feature: 'access', id: 'page:/access', label: 'Passkeys, sign-ins and tokens', href: '/access' },
];

const pageOf = ({ href, label, shortcut }: PageLink): Named => ({
	...{ id: `page:${href}`, label, href, keys: shortcut.show },
});

const actions: readonly Named[] = [
	{ id: 'action:copy', label: 'Copy a link to this page', href: null },
	{ id: 'action:me', label: 'This sign-in', href: null },
	{ id: 'action:help', label: 'Show keyboard shortcuts', keys: shortcuts.help.show, href: null },
];

const MAX_ITEMS = { sessions: 8, features: 6, recent: 5 } as const;
/** Most entries of a group if words are typed. */
const MAX_FOUND = 3;

interface Known {
	sessions: readonly SessionSummary[];
	features: readonly FeatureRecord[];
	/** Ids, most recently used first. */
	recent: readonly string[];
	places: readonly PageLink[];
	isHub: boolean;
}

type SessionNames = Pick<SessionSummary, 'sessionId' | 'project' | 'branch' | 'title' | 'machine'>;

/** Entries that match the typed text, in groups. Without text, the most recently used come first. */
export function paletteParts(
	typed: string,
	{ sessions, features, recent, places, isHub }: Known,
	say: Say = english,
): PalettePart[] {
	const pages = [...places.map(pageOf), ...unlisted.filter(({ feature }) => !isHub || canHub(feature))];
	const called = (item: Named) => ({ ...item, label: say(item.label) });
	const words = typed.toLowerCase().split(/\s+/u).filter(Boolean);
	const fits = ({ label, hint = '' }: PaletteItem) => {
		const text = `${label} ${hint}`.toLowerCase();
		return words.every((word) => text.includes(word));
	};
	const listed = sessions.filter(({ reviewer }) => !reviewer);
	const newest = [...findSessions(listed, typed)].sort((a, b) => (b.lastAt ?? '').localeCompare(a.lastAt ?? ''));
	const named = features.map((feature) => featureItem(feature, say));
	const parts: PalettePart[] = [
		{ title: 'Pages', items: pages.map(called).filter(fits) },
		{ title: 'Actions', items: actions.map(called).filter(fits) },
		{ title: 'Sessions', items: newest.slice(0, MAX_ITEMS.sessions).map(sessionItem) },
		{ title: 'Features', items: named.filter(fits).slice(0, MAX_ITEMS.features) },
	];
	if (words.length > 0) {
		return parts.flatMap(({ title, items }) => (items.length > 0 ? [{ title, items: items.slice(0, MAX_FOUND) }] : []));
	}
	const all = [...[...pages, ...actions].map(called), ...listed.map(sessionItem), ...named];
	const last = recent.flatMap((id) => all.find((item) => item.id === id) ?? []).slice(0, MAX_ITEMS.recent);
	const others = parts.map(({ title, items }) => ({
		title,
		items: items.filter(({ id }) => last.every((item) => item.id !== id)),
	}));
	return [{ title: 'Recent' as const, items: last }, ...others].filter(({ items }) => items.length > 0);
}

export function sessionItem({ sessionId, project, branch, title, machine }: SessionNames): PaletteItem {
	const label = locationWords(project, branch, sessionId, machine);
	return { id: `session:${sessionId}`, label, ...(title && { hint: title }), href: rowAddress(sessionId) };
}

function featureItem({ id, name, project, state }: FeatureRecord, say: Say): PaletteItem {
	const hint = [project, state === 'archived' && say('archived')].filter(Boolean).join(' · ');
	return { id: `feature:${id}`, label: name, hint, href: featureAddress(id) };
}
