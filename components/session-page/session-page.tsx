'use client';
import { useEffect } from 'react';
import { useSession } from '../live/session-source.ts';
import { watchSession } from '../live/socket.ts';
import { Announcer } from '../session/announcer.tsx';
import { SessionNotesProvider } from '../session/notes/session-notes.tsx';
import { SessionHeader } from '../session/session-header.tsx';
import { WaitingBand } from '../session/waiting-band.tsx';
import { NoSession } from './no-session.tsx';
import { SessionNotYet } from './session-not-yet.tsx';
import { SessionReadings } from './session-readings.tsx';

/** One session: header, tabs on the left, the selected row on the right. */
export function SessionPage({ sessionId }: { sessionId: string }) {
	useEffect(() => watchSession(sessionId), [sessionId]);
	const status = useSession(sessionId, (session) => session.status) ?? 'loading';
	const isKnown = useSession(sessionId, ({ view }) => view !== null);
	if (status === 'not-found') return <NoSession sessionId={sessionId} />;
	if (!isKnown) return <SessionNotYet key={sessionId} sessionId={sessionId} />;
	return (
		<div className="flex h-full flex-col short:h-auto print:h-auto">
			<SessionHeader sessionId={sessionId} />
			<WaitingBand sessionId={sessionId} />
			<SessionNotesProvider sessionId={sessionId}>
				<SessionReadings sessionId={sessionId} />
			</SessionNotesProvider>
			<Announcer sessionId={sessionId} />
		</div>
	);
}
