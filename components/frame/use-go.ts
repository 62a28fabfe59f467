'use client';
import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { liveStore, useLive } from '../live/store.ts';

/**
 * Goes to another page; without a server it stays, since the browser would show its own error page and everything that is
 * on screen would be gone. The page's links go the same way. `isKept`: a step was refused and the server is still away.
 */
export function useGo(): { go: (href: string) => void; isKept: boolean } {
	const router = useRouter();
	const isLive = useLive(({ connection }) => connection.state === 'live');
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
