'use client';
import { useEffect, useState } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { callRoute } from '../live/call-route.ts';
import { useSession } from '../live/session-source.ts';

/** What led to a question: what the main agent said last, and the calls before it, the newest last. */
interface Background {
	said: string | null;
	calls: string[];
}

const SHOWN_CALLS = 3;
const nothing: Background = { said: null, calls: [] };

/** Reads it from the session on screen, else asks for the session once. */
export function useBackground(sessionId: string, toolUseId: string | undefined): Background {
	// As text, so that a card is drawn again only when what it shows has changed.
	const live = useSession(sessionId, ({ view }) => view && JSON.stringify(backgroundOf(view, toolUseId)));
	const isOnScreen = Boolean(live);
	const [asked, setAsked] = useState<Background>(nothing);
	useEffect(() => {
		if (isOnScreen) return;
		let current = true;
		void callRoute('GET /api/sessions/:id', { params: { id: sessionId } }).then((answer) => {
			if (current && answer.ok) setAsked(backgroundOf(answer.data.session, toolUseId));
		});
		return () => {
			current = false;
		};
	}, [sessionId, toolUseId, isOnScreen]);
	return live ? (JSON.parse(live) as Background) : asked;
}

function backgroundOf({ lastMessage, calls }: SessionView, toolUseId: string | undefined): Background {
	const ordered = [...calls].sort((a, b) => a.seq - b.seq);
	const own = ordered.findIndex((call) => call.toolUseId === toolUseId);
	const before = (own === -1 ? ordered : ordered.slice(0, own)).slice(-SHOWN_CALLS);
	return {
		said: lastMessage ?? null,
		calls: before.map(({ tool, title }) => [tool, title].filter(Boolean).join(' ').slice(0, 200)).filter(Boolean),
	};
}
