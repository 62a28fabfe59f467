'use client';
import { CSPProvider } from '@base-ui/react/csp-provider';
import type { Route } from 'next';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { locationWords } from '#lib/session/session-list.ts';
import { headlineOf, TimeLeft } from '../approvals/approval-line.tsx';
import { unsettleAt } from '../approvals/settled/use-settled.ts';
import { cardAddress, deadlineOf, useWaiting, useWaitingCount, type WaitingApproval } from '../approvals/waiting.ts';
import { IncidentNotice } from '../health/incident-notice.tsx';
import { useSay } from '../language/use-say.ts';
import { useHub } from '../live/hub.tsx';
import { startLive } from '../live/socket.ts';
import { liveStore, useConnected, useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { rowAddress } from '../row/addresses.ts';
import { cn } from '../ui/cn.ts';
import { isAt, isOfHub, type Shortcut, usePageLinks } from '../ui/keys/shortcuts.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { usePreload } from '../ui/use-preload.ts';
import { Attention } from './attention.tsx';
import { collectKeys, type TypeAhead } from './palette/type-ahead.ts';
import type { Theme } from './theme.ts';
import { TopBar, WaitingCount } from './top-bar.tsx';

const loadMeSheet = () => import('./me-sheet.tsx').then((module) => module.MeSheet);
const loadShortcutSheet = () => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet);
const loadPalette = () => import('./palette/palette.tsx').then((module) => module.Palette);
const sheets = [loadPalette, loadMeSheet, loadShortcutSheet];
const MeSheet = dynamic(loadMeSheet);
const AtMachine = dynamic(() => import('./at-machine.tsx').then((module) => module.AtMachine));
const Palette = dynamic(loadPalette);
const ShortcutSheet = dynamic(loadShortcutSheet);

type Sheet = 'find' | 'help' | 'me';

/** What is around every page; it holds the one connection of the tab. */
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
	// biome-ignore lint/correctness/useExhaustiveDependencies: a sheet belongs to the page that it was opened on.
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
				<BottomBar waiting={waiting} />
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

const AGAIN_MS = 1500;

/** One line on every page while the index is built: what is not read yet is missing everywhere. */
function BuildingNotice() {
	const say = useSay();
	const epoch = useLive(({ list }) => list?.epoch);
	const isLive = useConnected();
	const [isBuilding, setBuilding] = useState(false);
	const everyMs = isBuilding ? AGAIN_MS : undefined;
	// An index that is begun again has another epoch.
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

/** More words than these do not fit beside each other at their own size. */
const MOST_AT_ONCE = 6;

function BottomBar({ waiting }: { waiting: number }) {
	const say = useSay();
	const path = usePathname();
	const places = usePageLinks();
	return (
		<nav
			aria-label={say('Pages')}
			className="flex shrink-0 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
		>
			{places.map(({ href, label, icon }) => (
				<Link
					key={href}
					href={href}
					aria-current={isAt(href, path) ? 'page' : undefined}
					className={cn(
						'flex h-12 min-w-0 flex-1 flex-col-reverse items-center justify-center text-muted text-small',
						isAt(href, path) && 'text-accent',
					)}
				>
					<span className={places.length > MOST_AT_ONCE ? 'max-sm:text-[10px]' : 'max-[379px]:text-[10px]'}>
						{say(label)}
					</span>
					<span className="flex items-center gap-1">
						<svg aria-hidden="true" viewBox="0 0 24 24" className="size-5 fill-none stroke-2 stroke-current">
							<path d={icon} />
						</svg>
						{href === '/approvals' && waiting > 0 && <WaitingCount count={waiting} />}
					</span>
				</Link>
			))}
		</nav>
	);
}

/** No button: whoever presses a key twice must not decide something else with the second one. */
const FOCUSABLE = 'a[href], input, select, textarea, summary, [tabindex]:not(button)';

/** A focused thing with everything around it, the nearest first. */
type Path = readonly HTMLElement[];

const pathTo = (element: Element): Path => {
	const path: HTMLElement[] = [];
	for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
		if (at instanceof HTMLElement) path.push(at);
	}
	return path;
};

/** A long list takes its lines away as it is scrolled, and knows itself which of them had the focus. */
const isDrawnInPart = (element: HTMLElement) => element.hasAttribute('aria-posinset');

/**
 * Where the focus goes when what had it is gone: to the nearest thing around it that still stands, or the first one in
 * that which takes it.
 */
function nextFocus(path: Path): HTMLElement | null {
	for (const element of path) {
		if (!element.isConnected) continue;
		if (element.matches(FOCUSABLE)) return element;
		const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find((each) => each.checkVisibility());
		if (inside) return inside;
	}
	return null;
}

/**
 * Keeps the keyboard's place: when an action takes away what has the focus, a browser forgets where the person was, and
 * a screen reader begins again. Watches only the focused thing and what is around it. Gives back how to stop.
 */
function keepFocus(): () => void {
	let path: Path = [];
	/** The last one outside of dialogs: where a dialog goes back to may be gone, too. */
	let below: Path = [];
	const observer = new MutationObserver(() => {
		if (path[0]?.isConnected !== false || path.some(isDrawnInPart)) return;
		// A dialog that closes gives the focus back by itself, a little later.
		requestAnimationFrame(() => requestAnimationFrame(restore));
	});
	function restore(): void {
		const { activeElement } = document;
		if (path[0]?.isConnected !== false || (activeElement && activeElement !== document.body)) return;
		const heir = nextFocus(path) ?? nextFocus(below) ?? document.querySelector<HTMLElement>('main');
		if (!heir) return;
		heir.focus({ preventScroll: heir.localName === 'main' });
		unsettleAt(heir);
	}
	function onFocus({ target }: FocusEvent): void {
		if (!(target instanceof Element)) return;
		path = pathTo(target);
		if (!target.closest('[role=dialog]')) below = path;
		observer.disconnect();
		for (const element of path) if (element.parentNode) observer.observe(element.parentNode, { childList: true });
	}
	/** Who clicks beside everything wants no focus anywhere. */
	function onPointer(): void {
		path = [];
	}
	document.addEventListener('focusin', onFocus);
	document.addEventListener('pointerdown', onPointer, true);
	return () => {
		observer.disconnect();
		document.removeEventListener('focusin', onFocus);
		document.removeEventListener('pointerdown', onPointer, true);
	};
}

/**
 * Goes to another page; without a server it stays, since the browser would show its own error page and everything that is
 * on screen would be gone. The page's links go the same way. `isKept`: a step was refused and the server is still away.
 */
function useGo(): { go: (href: string) => void; isKept: boolean } {
	const router = useRouter();
	const isLive = useConnected();
	const [isKept, setKept] = useState(false);
	const go = (href: string) => {
		if (liveStore.getState().connection.state === 'live') return router.push(href as Route);
		void answers().then((does) => (does ? router.push(href as Route) : setKept(true)));
	};
	// biome-ignore lint/correctness/useExhaustiveDependencies: `go` reads what it needs when it is called.
	useEffect(() => {
		if (isLive) return setKept(false);
		const onClick = (event: MouseEvent) => {
			const href = plainClickOn(event)?.getAttribute('href');
			if (!href) return;
			event.preventDefault();
			event.stopPropagation();
			go(href);
		};
		document.addEventListener('click', onClick, true);
		return () => document.removeEventListener('click', onClick, true);
	}, [isLive]);
	return { go, isKept };
}

/** The link to a page of ours that is followed in this very tab. */
function plainClickOn({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): Element | null {
	if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return null;
	return target.closest('a[href^="/"]:not([target]):not([download])');
}

/** Any answer will do: the live connection alone may be what is missing. */
function answers(): Promise<boolean> {
	return fetch('/health', { cache: 'no-store' }).then(
		() => true,
		() => false,
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
	return (
		<aside
			aria-label={say('Waiting for you')}
			className="flex h-8 shrink-0 items-center gap-2 border-line border-b bg-raised px-4 text-muted print:hidden"
		>
			<span aria-hidden className="text-wait">
				◆
			</span>
			<span className="flex min-w-0 gap-2">
				<AgentText className="truncate text-text">{headlineOf(approval, say)}</AgentText>
				<AgentText className="hidden truncate sm:inline">
					{`· ${locationWords(session.project, session.branch, session.sessionId, session.machine)}`}
				</AgentText>
			</span>
			{Number.isFinite(deadlineOf(approval)) && (
				<span className="whitespace-nowrap text-wait">
					· <TimeLeft approval={approval} />
				</span>
			)}
			<TextLink href={cardAddress(approval.approvalId)} className="ml-auto whitespace-nowrap">
				{more > 0 ? say('Review ({more} more)', { more }) : say('Review')}
			</TextLink>
		</aside>
	);
}

/** The list and the inbox begin with all that waits; a session's page has a strip of its own. */
function isShownOn(path: string, { session }: WaitingApproval): boolean {
	return path === '/' || path === '/approvals' || path === rowAddress(session.sessionId);
}
