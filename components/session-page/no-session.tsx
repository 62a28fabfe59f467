'use client';
import Link from 'next/link';
import { useCallback } from 'react';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useHub } from '../live/hub.tsx';
import { useAnswer } from '../live/use-answer.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** What a session's page says where the home has no timeline of it: which archive keeps it, if one does. */
export function NoSession({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const isHub = useHub();
	const ask = useCallback(
		() => callRoute('GET /api/sessions/:id/archives', { params: { id: sessionId } }),
		[sessionId],
	);
	const { data } = useAnswer(ask);
	const archives = data?.archives ?? [];
	const id = <AgentText className="font-mono text-mono">{sessionId}</AgentText>;
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">
				{archives.length > 0 ? say('This session is in an archive') : say('There is no such session')}
			</h1>
			<p className="mt-2 text-muted [overflow-wrap:anywhere]">
				{archives.length > 0 ? (
					<Phrase of="Its own files are no longer in this home; the archive has the whole of {id}." with={{ id }} />
				) : (
					<Phrase
						of={
							isHub
								? 'No machine of this hub has sent a session {id} that your roles reach.'
								: 'No timeline is recorded under {id}. It may have been recorded on another machine or under another OVERTONE_HOME.'
						}
						with={{ id }}
					/>
				)}
			</p>
			{data?.removedAt && (
				<p className="mt-2 text-muted">
					{say('The retention removed them on {day}.', { day: data.removedAt.slice(0, 10) })}
				</p>
			)}
			{archives.map((archive) => (
				<Link
					key={archive.id}
					href={`/features/${encodeURIComponent(archive.id)}?session=${encodeURIComponent(sessionId)}`}
					className="mt-4 block text-accent underline [overflow-wrap:anywhere]"
				>
					{say('Open it in the archive {archive}', { archive: archive.id })}
				</Link>
			))}
			<Link href="/" className="mt-4 inline-block text-accent underline">
				{say('All sessions')}
			</Link>
		</div>
	);
}
