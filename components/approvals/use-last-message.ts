'use client';
import { useEffect, useState } from 'react';
import { getSession } from '../live/api.ts';
import { useSession } from '../live/session-source.ts';

/** What the session's main agent said last; asked for once where the session is not on screen. */
export function useLastMessage(sessionId: string): string | null {
	const live = useSession(sessionId, ({ view }) => view?.lastMessage ?? null);
	const isOnScreen = useSession(sessionId, ({ view }) => view !== null) === true;
	const [asked, setAsked] = useState<string | null>(null);
	useEffect(() => {
		if (isOnScreen) return;
		let current = true;
		void getSession(sessionId).then((answer) => {
			if (current && answer.ok) setAsked(answer.data.session.lastMessage ?? null);
		});
		return () => {
			current = false;
		};
	}, [sessionId, isOnScreen]);
	return live ?? asked;
}
