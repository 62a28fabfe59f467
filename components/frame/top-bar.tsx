import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { PageLink } from '#components/ui/text-link.tsx';
import type { Me } from '#lib/contract/routes/me.ts';
import type { Plain } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { useLive } from '../live/store.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { ConnectionWord } from '../ui/connection-word.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { ariaKeys, isAt, shortcuts, usePageLinks } from '../ui/keys/shortcuts.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { keepChoice, THEME_COOKIE, type Theme } from './theme.ts';

interface TopBarProps {
	theme: Theme;
	/** Null until the first list has loaded: unknown is not zero. */
	counts: { sessions: number; waiting: number } | null;
	onOpen: (sheet: 'find' | 'help' | 'me') => void;
}

export function TopBar({ theme, counts, onOpen }: TopBarProps) {
	const say = useSay();
	const path = usePathname();
	const places = usePageLinks();
	const me = useLive((state) => state.me);
	const who = me?.hub?.name ?? (me?.tier === 'T0' ? say('Watching only') : say('Access'));
	return (
		<header className="sticky top-0 z-30 flex h-11 shrink-0 items-center gap-2 border-line border-b bg-surface px-4 md:gap-4 print:hidden">
			<PageLink href="/" className="inline-flex h-full items-center font-semibold sm:max-[759px]:hidden">
				Signalbox
			</PageLink>
			<nav aria-label={say('Pages')} className="hidden h-full items-center sm:flex">
				{places.map(({ href, label }) => (
					<PageLink
						key={href}
						href={href}
						aria-current={isAt(href, path) ? 'page' : undefined}
						className={cn(
							'flex h-full items-center gap-1.5 border-transparent border-b-2 px-1.5 text-muted md:px-2.5 hover:text-text',
							isAt(href, path) && 'border-accent text-text',
						)}
					>
						{say(label)}
						{href === '/' && counts && <span className="text-muted">{counts.sessions}</span>}
						{href === '/approvals' && counts && <WaitingCount count={counts.waiting} />}
					</PageLink>
				))}
			</nav>
			<div className="-mr-2.5 ml-auto flex items-center gap-1 pointer-coarse:-mr-3.5">
				<Button
					kind="quiet"
					size="icon"
					className="lg:w-auto lg:px-2"
					onClick={() => onOpen('find')}
					aria-label={say('Find anything')}
					aria-keyshortcuts={ariaKeys(shortcuts.find)}
				>
					<svg aria-hidden="true" viewBox="0 0 24 24" className="size-4 fill-none stroke-2 stroke-current">
						<path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21" />
					</svg>
					<Kbd className="hidden lg:inline-flex">Ctrl K</Kbd>
				</Button>
				<ConnectionWord />
				<ThemeSwitch initial={theme} />
				{me && (
					<Button
						kind="quiet"
						className={cn(path === '/access' && 'h-10.75 rounded-none border-b-2 border-b-accent')}
						onClick={() => onOpen('me')}
						aria-label={visibleString(
							say('{who}: {signIn}, {role}', { who, signIn: say(signInWords(me.tier)), role: say(me.role) }),
						)}
					>
						<AgentText className="max-w-28 truncate sm:max-md:hidden">{who}</AgentText>
						<span aria-hidden className="hidden sm:max-md:inline">
							⋯
						</span>
					</Button>
				)}
				<Button
					kind="quiet"
					size="icon"
					className="hidden md:inline-flex"
					onClick={() => onOpen('help')}
					aria-label={say('Keyboard shortcuts')}
					aria-keyshortcuts={ariaKeys(shortcuts.help)}
				>
					?
				</Button>
			</div>
		</header>
	);
}

/** What protects decisions of this sign-in, in plain words. Its sheet explains the protection. */
function signInWords(tier: Me['tier']): Plain {
	if (tier === 'T0' || tier === 'H0') return 'watching only';
	return tier === 'T1' || tier === 'H1' ? 'signed in by a link' : 'signed in by a passkey';
}

export function WaitingCount({ count }: { count: number }) {
	return <span className={count > 0 ? 'font-semibold text-wait' : 'text-muted'}>{count}</span>;
}

const looks: Record<Theme, { label: Plain; glyph: string; next: Theme }> = {
	system: { label: 'Theme: as the system', glyph: '◐', next: 'light' },
	light: { label: 'Theme: light', glyph: '○', next: 'dark' },
	dark: { label: 'Theme: dark', glyph: '●', next: 'system' },
};

function ThemeSwitch({ initial }: { initial: Theme }) {
	const say = useSay();
	const [theme, setTheme] = useState(initial);
	const { label, glyph, next } = looks[theme];
	function change() {
		setTheme(next);
		document.documentElement.dataset.theme = next;
		keepChoice(THEME_COOKIE, next);
	}
	return (
		<Button kind="quiet" size="icon" aria-label={say(label)} title={say(label)} onClick={change}>
			<span aria-hidden>{glyph}</span>
		</Button>
	);
}
