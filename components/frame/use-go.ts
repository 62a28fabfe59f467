import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { liveStore, useConnected } from '../live/store.ts';

/**
 * Navigates, unless there is no server: the browser's error page would replace what is on screen. Links do the same. `isKept`:
 * refused, and the server is still away.
 */
export function useGo(): { go: (href: string) => void; isKept: boolean } {
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

/** The internal link that a plain click opens in this tab, else null. */
function plainClickOn({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): Element | null {
	if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return null;
	return target.closest('a[href^="/"]:not([target]):not([download])');
}

/** Any response counts: only the live connection may be down. */
function answers(): Promise<boolean> {
	return fetch('/health', { cache: 'no-store' }).then(
		() => true,
		() => false,
	);
}
