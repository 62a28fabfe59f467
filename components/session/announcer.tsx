'use client';
import { useEffect, useRef, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { liveStore } from '../live/store.ts';

/** The count is said at most this often (ms), so that a burst is one sentence. */
const PAUSE_MS = 2_000;

const arrivedIn = (sessionId: string) => {
	const { session } = liveStore.getState();
	return session?.sessionId === sessionId ? session.arrived : 0;
};

/** Tells a screen reader politely how many rows arrived: "3 new events". */
export function Announcer({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [words, setWords] = useState('');
	const announcedCount = useRef(0);
	useEffect(() => {
		announcedCount.current = arrivedIn(sessionId);
		const timer = setInterval(() => {
			const arrived = arrivedIn(sessionId);
			const fresh = arrived - announcedCount.current;
			announcedCount.current = arrived;
			setWords(fresh > 0 ? say('{count} new {count:event|events}', { count: fresh }) : '');
		}, PAUSE_MS);
		return () => clearInterval(timer);
	}, [sessionId, say]);
	return (
		<div role="status" className="sr-only">
			{words}
		</div>
	);
}
