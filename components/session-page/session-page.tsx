'use client';
import Link from 'next/link';
import { useEffect } from 'react';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { watchSession } from '../live/socket.ts';
import { Announcer } from '../session/announcer.tsx';
import { SessionHeader } from '../session/session-header.tsx';
import { WaitingBand } from '../session/waiting-band.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { SessionReadings } from './session-readings.tsx';

/** One session: header, tabs on the left, the selected row on the right. */
export function SessionPage({ sessionId }: { sessionId: string }) {
	const say = useSay();
	useEffect(() => watchSession(sessionId), [sessionId]);
	const status = useSession(sessionId, (session) => session.status) ?? 'loading';
	const isKnown = useSession(sessionId, ({ view }) => view !== null);
	if (status === 'not-found') return <NoSession sessionId={sessionId} />;
	if (!isKnown) return <Skeleton label={say('The session is loading')} />;
	return (
		<div className="flex h-full flex-col short:h-auto print:h-auto">
			<SessionHeader sessionId={sessionId} />
			<WaitingBand sessionId={sessionId} />
			<SessionReadings sessionId={sessionId} />
			<Announcer sessionId={sessionId} />
		</div>
	);
}

function NoSession({ sessionId }: { sessionId: string }) {
	const say = useSay();
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">{say('There is no such session')}</h1>
			<p className="mt-2 text-muted [overflow-wrap:anywhere]">
				<Phrase
					of="No timeline is recorded under {id}. It may have been recorded on another machine or under another OVERTONE_HOME."
					with={{ id: <AgentText className="font-mono text-mono">{sessionId}</AgentText> }}
				/>
			</p>
			<Link href="/" className="mt-4 inline-block text-accent underline">
				{say('All sessions')}
			</Link>
		</div>
	);
}
