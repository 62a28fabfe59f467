'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { requestSentence } from '#lib/session/row.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { headlineOf, TimeLeft } from '../approvals/approval-line.tsx';
import { cardAddress, deadlineOf, useWaiting, useWaitingCount, type WaitingApproval } from '../approvals/waiting.ts';
import { IncidentNotice } from '../health/incident-notice.tsx';
import { useSay } from '../language/use-say.ts';
import { useHub } from '../live/hub.tsx';
import { startLive } from '../live/socket.ts';
import { useConnected, useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { rowAddress } from '../row/addresses.ts';
import { isAt, isOfHub, type Shortcut, usePageLinks } from '../ui/keys/shortcuts.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { PageLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { usePreload } from '../ui/use-preload.ts';
import { Attention } from './attention.tsx';
import { keepFocus } from './keep-focus.ts';
import { collectKeys, type TypeAhead } from './palette/collect-keys.ts';
import type { Theme } from './theme.ts';
import { TopBar, WaitingCount } from './top-bar.tsx';
import { useGo } from './use-go.ts';

const loadMeSheet = () => import('./me-sheet.tsx').then((module) => module.MeSheet);
const loadShortcutSheet = () => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet);
const loadPalette = () => import('./palette/palette.tsx').then((module) => module.Palette);
const sheets = [loadPalette, loadMeSheet, loadShortcutSheet];
const MeSheet = dynamic(loadMeSheet);
const AtMachine = dynamic(() => import('./at-machine.tsx').then((module) => module.AtMachine));
const Palette = dynamic(loadPalette);
const ShortcutSheet = dynamic(loadShortcutSheet);

type Sheet = 'find' | 'help' | 'me';

/** Layout around every page. Holds the tab's only connection to the server. */
export function AppFrame({ theme, children }: { theme: Theme; children: ReactNode }) {
	const say = useSay();
	const [sheet, setSheet] = useState<Sheet | null>(null);
	const typedAhead = useRef<(() => TypeAhead) | null>(null);
	function open(next: Sheet | null) {
		typedAhead.current?.();
		typedAhead.current = next === 'find' ? collectKeys(close) : null;
		setSheet(next);
	}
	const close = () => open(null);
	const me = useLive((state) => state.me);
	const { go, isKept } = useGo();
	const waiting = useWaitingCount();
	const sessions = useLive(({ list }) => list?.counts.all ?? null);
	const path = usePathname();
	const isHub = useHub();
	const isHere = !isHub || isOfHub(path);
	const places = usePageLinks();
	usePreload(sheets);
	useEffect(startLive, []);
	useEffect(keepFocus, []);
	// biome-ignore lint/correctness/useExhaustiveDependencies: close the sheet when the page changes.
	useEffect(close, [path]);
	useShortcut('find', () => open('find'));
	useShortcut('help', () => open('help'));
	return (
		<CSPProvider disableStyleElements>
			<div className="flex h-dvh flex-col print:h-auto">
				<a
					href="#page"
					className="sr-only z-50 rounded border border-accent bg-surface px-3 py-2 focus:not-sr-only focus:fixed focus:top-1 focus:left-1"
				>
					{say('Skip to the page')}
				</a>
				<TopBar theme={theme} counts={sessions === null ? null : { sessions, waiting }} onOpen={open} />
				{isKept && (
					<p role="alert" className="shrink-0 border-line border-b bg-raised px-4 py-1.5 text-warn">
						<Advice>{say('The server does not answer, so this page stays. `signalbox start` runs it.')}</Advice>
					</p>
				)}
				<IncidentNotice />
				<BuildingNotice />
				<WaitingNotice />
				<main id="page" tabIndex={-1} className="relative min-h-0 flex-1 overflow-auto print:overflow-visible">
					{isHere ? children : <AtMachine />}
				</main>
				<BottomBar waiting={waiting} onMore={() => open('find')} />
			</div>
			<Attention />
			{places.map(({ href, shortcut }) => (
				<PlaceKey key={href} shortcut={shortcut} onPress={() => go(href)} />
			))}
			{sheet === 'find' && <Palette typedAhead={typedAhead} onClose={close} onOpen={open} />}
			{sheet === 'help' && <ShortcutSheet onClose={close} />}
			{sheet === 'me' && me && <MeSheet me={me} onClose={close} />}
		</CSPProvider>
	);
}

function PlaceKey({ shortcut, onPress }: { shortcut: Shortcut; onPress: () => void }) {
	useShortcut(shortcut, onPress);
	return null;
}

const REFRESH_MS = 1500;

/** Shown on every page while the index is being built, because all pages are incomplete until then. */
function BuildingNotice() {
	const say = useSay();
	const epoch = useLive(({ list }) => list?.epoch);
	const isLive = useConnected();
	const [isBuilding, setBuilding] = useState(false);
	const everyMs = isBuilding ? REFRESH_MS : undefined;
	// A rebuilt index has a new epoch.
	const { data } = useRoute('GET /api/status', isLive ? {} : null, { everyMs, version: epoch });
	const building = data?.building ?? null;
	useEffect(() => setBuilding(building !== null), [building]);
	if (!building) return null;
	const { read, total } = building;
	return (
		<p role="status" className="flex min-h-8 shrink-0 items-center gap-2 border-line border-b bg-raised px-4 py-1">
			<Toned tone="warn">
				{say('The index is being built from the timelines: lists and counts are not complete yet.')}
			</Toned>
			<progress aria-label={say('Bytes read')} value={read} max={total || 1} className="h-1.5 w-24" />
			<span className="tabular-nums">{say('{share} %', { share: Math.floor((100 * read) / (total || 1)) })}</span>
		</p>
	);
}

/** As many labels fit; with more pages the last place is a button to the palette, which lists all. */
const MAX_PLACES = 6;
const BOTTOM_ITEM =
	'flex h-12 min-w-0 flex-1 flex-col-reverse items-center justify-center text-muted text-small aria-current:text-accent';

function BottomBar({ waiting, onMore }: { waiting: number; onMore: () => void }) {
	const say = useSay();
	const path = usePathname();
	const places = usePageLinks();
	const hasMore = places.length > MAX_PLACES;
	return (
		<nav
			aria-label={say('Pages')}
			className="flex shrink-0 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
		>
			{places.slice(0, hasMore ? MAX_PLACES - 1 : MAX_PLACES).map(({ href, label, icon }) => (
				<PageLink key={href} href={href} aria-current={isAt(href, path) ? 'page' : undefined} className={BOTTOM_ITEM}>
					<span className="max-[339px]:sr-only">{say(label)}</span>
					<span className="flex items-center gap-1">
						<svg aria-hidden="true" viewBox="0 0 24 24" className="size-5 fill-none stroke-2 stroke-current">
							<path d={icon} />
						</svg>
						{href === '/approvals' && waiting > 0 && <WaitingCount count={waiting} />}
					</span>
				</PageLink>
			))}
			{hasMore && (
				<button type="button" className={BOTTOM_ITEM} onClick={onMore}>
					<span className="max-[339px]:sr-only">{say('More')}</span>
					<span aria-hidden>⋯</span>
				</button>
			)}
		</nav>
	);
}

function WaitingNotice() {
	const say = useSay();
	const path = usePathname();
	const waiting = useWaiting();
	const [first] = waiting;
	if (!first || isShownOn(path, first)) return null;
	const { approval, session } = first;
	const more = waiting.length - 1;
	const location = locationWords(session.project, session.branch, session.sessionId, session.machine);
	const isRequest = approval.denials.length > 0 && !approval.review;
	return (
		<aside
			aria-label={say('Waiting for you')}
			className="flex min-h-9 shrink-0 items-center gap-2 border-line border-b bg-raised px-4 print:hidden"
		>
			<span aria-hidden className="text-wait">
				◆
			</span>
			<AgentText className="min-w-0 font-medium max-md:line-clamp-2 md:truncate">
				{`${location}: ${isRequest ? requestSentence(approval, approval.actor ?? say('main'), say) : headlineOf(approval, say)}`}
			</AgentText>
			{Number.isFinite(deadlineOf(approval)) && <TimeLeft approval={approval} />}
			<PageLink
				href={cardAddress(approval.approvalId)}
				className="my-1 ml-auto inline-flex h-6 shrink-0 items-center rounded bg-accent px-2 text-on-accent hover:opacity-90 pointer-coarse:h-10"
			>
				{more > 0 ? say('Review ({more} more)', { more }) : say('Review')}
			</PageLink>
		</aside>
	);
}

/** These pages show the waiting approvals themselves. */
function isShownOn(path: string, { session }: WaitingApproval): boolean {
	return path === '/' || path === '/approvals' || path === rowAddress(session.sessionId);
}
