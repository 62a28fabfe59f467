'use client';
import { CSPProvider } from '@base-ui/react/csp-provider';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useWaitingCount } from '../approvals/use-waiting.ts';
import { IncidentNotice } from '../health/incidents/incident-notice.tsx';
import { useSay } from '../language/use-say.ts';
import { useHub } from '../live/hub.tsx';
import { startLive } from '../live/socket.ts';
import { useLive } from '../live/store.ts';
import { isOfHub } from '../ui/keys/page-links.ts';
import type { Shortcut } from '../ui/keys/shortcut.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Advice } from '../ui/text/advice.tsx';
import { usePreload } from '../ui/use-preload.ts';
import { Attention } from './attention.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { BuildingNotice } from './building-notice.tsx';
import { keepFocus } from './focus-keeper.ts';
import { collectKeys, type TypeAhead } from './palette/type-ahead.ts';
import type { Theme } from './theme.ts';
import { TopBar } from './top-bar.tsx';
import { useGo } from './use-go.ts';
import { usePageLinks } from './use-page-links.ts';
import { WaitingNotice } from './waiting-notice.tsx';

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
			{sheet === 'help' && <ShortcutSheet open onOpenChange={close} />}
			{sheet === 'me' && me && <MeSheet me={me} open onOpenChange={close} />}
		</CSPProvider>
	);
}

function PlaceKey({ shortcut, onPress }: { shortcut: Shortcut; onPress: () => void }) {
	useShortcut(shortcut, onPress);
	return null;
}
