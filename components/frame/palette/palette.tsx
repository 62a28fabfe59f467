import type { Route } from 'next';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { PageLink } from '#components/ui/text-link.tsx';
import { labelOf } from '#lib/contract/events/event-labels.ts';
import type { SearchResult } from '#lib/contract/sessions/session-queries.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import { locationWords, statusNow } from '#lib/session/session-list.ts';
import { addressPart } from '#lib/text/printable.ts';
import { useSay } from '../../language/use-say.ts';
import { readStoredList, writeStored } from '../../live/browser-storage.ts';
import { useHub } from '../../live/hub.tsx';
import { useClock } from '../../live/now.ts';
import { useSummary } from '../../live/session-pages.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';
import { rowAddress } from '../../row/addresses.ts';
import { groupBySession, MarkedText, useSearch } from '../../search/search-results.tsx';
import { StatusWord } from '../../session/status-words.tsx';
import { cn } from '../../ui/cn.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { usePageLinks } from '../../ui/keys/shortcuts.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { When } from '../../ui/when.tsx';
import type { TypeAhead } from './collect-keys.ts';
import { type PaletteItem, paletteParts, sessionItem } from './palette-items.ts';

interface PaletteProps {
	/** Stops collecting the keys typed since the palette was requested, and returns them. */
	typedAhead: RefObject<(() => TypeAhead) | null>;
	onClose: () => void;
	onOpen: (sheet: 'help' | 'me') => void;
}

const MAX_ROWS = 40;
const PART_HEAD = 'px-2 pt-3 pb-1 text-muted text-small';

export function Palette({ typedAhead, onClose, onOpen }: PaletteProps) {
	const say = useSay();
	const [typed, setTyped] = useState('');
	const [isEntered, setEntered] = useState(false);
	const [active, setActive] = useState<string | null>(null);
	const [recent] = useState(readRecent);
	const input = useRef<HTMLInputElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const listId = useId();
	const sessions = useLive((state) => state.sessions);
	const { data } = useRoute('GET /api/features', {});
	const search = useSearch(typed, MAX_ROWS);
	const isHub = useHub();
	const places = usePageLinks();
	const parts = useMemo(() => {
		const features = data?.features ?? [];
		return paletteParts(typed, { sessions: Object.values(sessions ?? {}), features, recent, places, isHub }, say);
	}, [typed, sessions, data, recent, places, isHub, say]);
	const first = parts[0]?.items[0]?.id ?? null;

	function choose({ id }: Pick<PaletteItem, 'id'>) {
		keepRecent(id);
		onClose();
		if (id === 'action:help') onOpen('help');
		if (id === 'action:me') onOpen('me');
		if (id === 'action:copy') void navigator.clipboard?.writeText(location.href);
	}

	const options = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
	const current = () => options().find((option) => option.dataset.id === (active ?? first)) ?? options()[0];

	function onKeyDown(event: KeyboardEvent) {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by !== undefined) {
			event.preventDefault();
			const all = options();
			const at = current();
			const target = all[((at ? all.indexOf(at) : 0) + by + all.length) % all.length];
			setActive(target?.dataset.id ?? null);
			target?.scrollIntoView({ block: 'nearest' });
		}
		if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
			event.preventDefault();
			current()?.click();
		}
	}

	/** Only the field's focus ends the collecting: a key between the first drawing and the focus would be lost. */
	function onFocus() {
		const ahead = typedAhead.current?.();
		typedAhead.current = null;
		if (!ahead) return;
		setTyped(ahead.typed);
		setEntered(ahead.isEntered);
	}
	const chooseFirst = useEffectEvent(() => void options()[0]?.click());
	useEffect(() => {
		if (isEntered) chooseFirst();
	}, [isEntered]);

	const shown = active ?? first ?? search.results.map(({ sessionId, rowKey }) => `${sessionId} ${rowKey}`)[0] ?? null;
	const mentioned = mentionsIn(search.results);
	const listed = new Set(parts.flatMap(({ items }) => items.map(({ id }) => id)));
	const others = mentioned.map(([one]) => sessionItem(one)).filter(({ id }) => !listed.has(id));
	const groups = others.length === 0 ? parts : [...parts, { title: 'Mentioned in sessions' as const, items: others }];
	const isEmpty = parts.length === 0 && search.results.length === 0 && !search.isLooking;
	return (
		<Dialog title={say('Find anything')} side="wide" initialFocus={input} onClose={onClose}>
			<div className="sticky top-0 z-10 border-line border-b bg-surface has-focus-visible:border-accent">
				<input
					ref={input}
					role="combobox"
					aria-label={say('Find anything')}
					aria-expanded="true"
					aria-controls={listId}
					aria-autocomplete="list"
					aria-activedescendant={shown === null ? undefined : optionId(listId, shown)}
					placeholder={say('page, session, feature, or words that were said…')}
					value={typed}
					maxLength={200}
					autoComplete="off"
					onChange={(event) => {
						setTyped(event.target.value);
						setActive(null);
					}}
					onFocus={onFocus}
					onKeyDown={onKeyDown}
					className="h-11 w-full bg-surface px-4 placeholder:text-muted focus-visible:outline-0"
				/>
			</div>
			<div ref={list} id={listId} role="listbox" aria-label={say('Found')} className="p-2">
				{groups.map(({ title, items }) => (
					// biome-ignore lint/a11y/useSemanticElements: a list of options may hold groups, but no field sets.
					<div key={title} role="group" aria-label={say(title)}>
						<p aria-hidden className={PART_HEAD}>
							{say(title)}
						</p>
						{items.flatMap((item) => [
							<PaletteOption
								key={item.id}
								listId={listId}
								item={item}
								isActive={item.id === shown}
								onChoose={choose}
							/>,
							...mentioned
								.filter(([one]) => item.id === SESSION + one.sessionId)
								.map((mentions) => (
									<Mentions key={`in ${item.id}`} {...{ listId, mentions, active: shown, onChoose: onClose }} />
								)),
						])}
					</div>
				))}
				{search.results.length > 0 && (
					<PageLink
						href={`/search?q=${encodeURIComponent(typed)}` as Route}
						{...optionProps(listId, ALL, shown === ALL, onClose)}
					>
						<span className="text-accent">{say('All results')}</span>
					</PageLink>
				)}
			</div>
			<p role="status" className={isEmpty || search.error || search.isLooking ? 'px-3 pb-3 text-muted' : 'sr-only'}>
				{(search.error && say.known(search.error)) ??
					(search.isLooking
						? say('Looking through all sessions…')
						: isEmpty
							? say('Nothing is called or says that.')
							: say('{count} {count:result|results} found', { count: search.results.length }))}
			</p>
		</Dialog>
	);
}

const KEY = 'signalbox-recent';
const MAX_RECENT = 12;

/** Ids chosen last in this browser, newest first. Only ids are stored; names are always read again. */
const readRecent = () => readStoredList(KEY).filter((id) => typeof id === 'string');

const keepRecent = (id: string) =>
	writeStored(KEY, JSON.stringify([id, ...readRecent().filter((other) => other !== id)].slice(0, MAX_RECENT)));

const ALL = 'search:all';
const SESSION = 'session:';
const LEAD = 16;
/** Most sessions with mentions, and most mentions of each. */
const MAX_PER_GROUP = 3;

/** What was found in sessions, by session. Titles are found as sessions, and a report of a sub-agent is no prompt of a person. */
function mentionsIn(results: readonly SearchResult[]) {
	const rows = results.filter(
		({ type, text, title }) =>
			type !== 'prompt:submit' || (plainLine(text) !== plainLine(title ?? '') && !/task-notification/i.test(text)),
	);
	return groupBySession(rows).slice(0, MAX_PER_GROUP);
}

interface MentionsProps {
	listId: string;
	mentions: ReturnType<typeof mentionsIn>[number];
	active: string | null;
	onChoose: () => void;
}

function Mentions({ listId, mentions, active, onChoose }: MentionsProps) {
	const say = useSay();
	const [{ sessionId, project, branch }] = mentions;
	const location = locationWords(project, branch, sessionId);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a list of options may hold groups, but no field sets.
		<div role="group" aria-label={say('Found in {place}', { place: location })}>
			{mentions.slice(0, MAX_PER_GROUP).map((row) => {
				const id = `${sessionId} ${row.rowKey}`;
				const { className, ...option } = optionProps(listId, id, id === active, onChoose);
				return (
					<PageLink
						key={id}
						href={rowAddress(sessionId, row.rowKey)}
						{...option}
						className={cn(className, 'pl-6 max-md:flex-col max-md:items-start max-md:justify-center max-md:gap-0')}
					>
						<span className="w-24 shrink-0 truncate text-muted text-small">{say.known(labelOf(row.type).en)}</span>
						<span className="line-clamp-1 min-w-0 md:flex-1">
							<MarkedText row={row} lead={LEAD} />
						</span>
					</PageLink>
				);
			})}
		</div>
	);
}

function SessionHint({ sessionId }: { sessionId: string }) {
	const session = useSummary(sessionId);
	const status = useClock((now) => (session ? statusNow(session, now) : ''));
	if (!session || !status) return null;
	const at = session.endedAt ?? session.lastAt;
	return (
		<span className="ml-auto flex shrink-0 items-baseline gap-2 text-muted text-small">
			<StatusWord status={status} />
			{at && <When at={at} />}
		</span>
	);
}

interface PaletteOptionProps {
	listId: string;
	item: PaletteItem;
	isActive: boolean;
	onChoose: (item: PaletteItem) => void;
}

/** Element id of an option. Agents name sessions and rows, and an element id must not contain spaces. */
const optionId = (listId: string, id: string) => `${listId}-${addressPart(id)}`;

/** Options take no focus, because it stays in the text field. */
const optionProps = (listId: string, id: string, isActive: boolean, onClick: () => void) => ({
	...{ id: optionId(listId, id), 'data-id': id, role: 'option', 'aria-selected': isActive, tabIndex: -1, onClick },
	className: cn(
		'flex min-h-8 w-full items-center gap-2 rounded px-2 text-left hover:bg-hover pointer-coarse:min-h-11',
		isActive && 'bg-selected',
	),
});

function PaletteOption({ listId, item, isActive, onChoose }: PaletteOptionProps) {
	const { id, label, hint, keys = [], href } = item;
	const option = optionProps(listId, id, isActive, () => onChoose(item));
	const isSession = id.startsWith(SESSION);
	const words = (
		<>
			<AgentText className="min-w-0 truncate">{isSession && hint ? plainLine(hint) : label}</AgentText>
			{hint && (
				<AgentText className={cn('truncate text-muted', isSession ? 'max-w-1/3 shrink-0' : 'min-w-0 flex-1')}>
					{isSession ? label : hint}
				</AgentText>
			)}
			{isSession && <SessionHint sessionId={id.slice(SESSION.length)} />}
			<span aria-hidden className="ml-auto flex gap-1">
				{keys.map((key) => (
					<Kbd key={key}>{key}</Kbd>
				))}
			</span>
		</>
	);
	if (href === null)
		return (
			<button type="button" {...option}>
				{words}
			</button>
		);
	return (
		<PageLink href={href as Route} {...option}>
			{words}
		</PageLink>
	);
}
