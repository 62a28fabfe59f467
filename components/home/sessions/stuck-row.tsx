'use client';
import Link from 'next/link';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { rowAddress } from '../../row/row-address.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph } from '../../ui/tone.ts';
import { NEED_GRID, NeedLead, WHY_CELL } from './row-cells.tsx';

interface StuckRowProps {
	session: SessionSummary;
	/** The row's part in the list's one tab stop. */
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
}

/** A session that goes on when a person says how: a stage that did not pass, or a question in its terminal. */
export function StuckRow({ session, rowProps }: StuckRowProps) {
	const say = useSay();
	const { stuck, lastAt } = session;
	return (
		<li>
			<Link
				{...rowProps}
				href={rowAddress(session.sessionId)}
				prefetch={false}
				className={`${NEED_GRID} hover:bg-hover`}
			>
				<NeedLead
					glyph={stuck ? toneGlyph.err : toneGlyph.wait}
					tone={stuck ? 'text-err' : 'text-wait'}
					time={<LiveDuration from={stuck?.at ?? lastAt} />}
					session={session}
				/>
				<span className={`${WHY_CELL} line-clamp-2 [overflow-wrap:anywhere] @min-[900px]:col-span-2`}>
					{stuck ? (
						<>
							<AgentText className="text-err">{stuck.stages.join(', ') || say('The workflow')}</AgentText>{' '}
							<AgentText>{say('waits for you: {why}', { why: say.told(stuck.why) })}</AgentText>
						</>
					) : (
						say('asks in its own terminal')
					)}
				</span>
			</Link>
		</li>
	);
}
