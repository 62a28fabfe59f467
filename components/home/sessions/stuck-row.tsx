'use client';
import Link from 'next/link';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { placeOf } from '#lib/session/place-of.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { MakeMark } from '../../row/agent/make-mark.tsx';
import { rowAddress } from '../../row/row-address.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph } from '../../ui/tone.ts';

interface StuckRowProps {
	session: SessionSummary;
	/** The row's part in the list's one tab stop. */
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
}

/** A session that goes on when a person says how: a stage that did not pass, or a question in its terminal. */
export function StuckRow({ session, rowProps }: StuckRowProps) {
	const say = useSay();
	const { sessionId, project, branch, title, stuck, lastAt } = session;
	return (
		<li>
			<Link
				{...rowProps}
				href={rowAddress(sessionId)}
				prefetch={false}
				className="grid min-h-9 grid-cols-[0.75rem_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b px-4 py-1 hover:bg-hover md:grid-cols-[5.5rem_11rem_minmax(0,1fr)_auto] xl:grid-cols-[5.5rem_15rem_minmax(0,1fr)_auto]"
			>
				<span className="inline-flex items-center gap-1.5 text-wait">
					<span aria-hidden className="w-3 text-center">
						{stuck ? toneGlyph.err : toneGlyph.wait}
					</span>
					<span className="max-md:sr-only">{stuck ? say('Stopped') : say('Asks')}</span>
				</span>
				<span className="flex min-w-0 flex-col">
					<span className="flex min-w-0 items-center gap-2">
						<AgentText className="truncate font-medium">
							{placeOf(project, branch, sessionId, session.machine)}
						</AgentText>
						<MakeMark make={session.agent} />
					</span>
					{title && <AgentText className="truncate text-muted text-small">{`“${title}”`}</AgentText>}
				</span>
				<span className="col-span-2 col-start-2 row-start-2 line-clamp-2 min-w-0 [overflow-wrap:anywhere] md:col-span-1 md:col-start-3 md:row-start-1">
					{stuck ? (
						<>
							<AgentText className="text-err">{stuck.stages.join(', ') || say('The workflow')}</AgentText>{' '}
							<AgentText>{say('waits for you: {why}', { why: say.told(stuck.why) })}</AgentText>
						</>
					) : (
						say('asks in its own terminal')
					)}
				</span>
				<span className="whitespace-nowrap text-wait tabular-nums md:col-start-4 md:row-start-1">
					<Phrase of="for {time}" with={{ time: <LiveDuration from={stuck?.at ?? lastAt} /> }} />
				</span>
			</Link>
		</li>
	);
}
