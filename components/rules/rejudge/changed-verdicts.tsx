import Link from 'next/link';
import type { RejudgeAnswer } from '#lib/contract/rules/rejudge.ts';
import { placeOf } from '#lib/session/session-list.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useSummary } from '../../live/use-summaries.ts';
import { rowAddress } from '../../row/addresses.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

/** What history said: how many verdicts would change, and each of them with its call and what came of that. */
export function ChangedVerdicts({ answer }: { answer: RejudgeAnswer }) {
	const say = useSay();
	const { sessions, judged, notJudged, added, spared, changed, next } = answer;
	const all = added + spared;
	return (
		<section aria-label={say('What would change')} className="flex flex-col gap-2">
			<p role="status">
				<strong>{say('{added} more denied, {spared} spared.', { added, spared })}</strong>{' '}
				<span className="text-muted">
					{say('{judged} verdicts of {sessions} {sessions:session|sessions} judged again; {notJudged} cannot be.', {
						...{ judged, sessions, notJudged },
					})}{' '}
					{next !== null && say('Still asking…')}
				</span>
			</p>
			<ul>
				{changed.map(({ sessionId, toolUseId, at, before, after, rule, title, ran }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: what was found stays in its order.
					<li key={index} className="border-line border-t py-1">
						<time dateTime={at} className="text-muted tabular-nums">
							{dayAndTime(at)}
						</time>{' '}
						<SessionLink sessionId={sessionId} />{' '}
						<span className={cn(after === 'deny' ? 'text-err' : 'text-ok')}>
							{before} → {after}
						</span>{' '}
						<AgentText className="font-mono text-mono text-muted">{rule}</AgentText>{' '}
						<Link
							href={rowAddress(sessionId, toolUseId === '' ? undefined : `call:${toolUseId}`)}
							prefetch={false}
							className="text-accent hover:underline [overflow-wrap:anywhere]"
						>
							<AgentText>{title === '' ? sessionId : title}</AgentText>
						</Link>{' '}
						<span className="text-muted">{ran ? say('it ran') : say('it did not run')}</span>
					</li>
				))}
			</ul>
			{changed.length < all && (
				<p className="text-muted">{say('The first {count} are shown.', { count: changed.length })}</p>
			)}
		</section>
	);
}

/** Where it happened, as the list of sessions names it. */
function SessionLink({ sessionId }: { sessionId: string }) {
	const session = useSummary(sessionId);
	return <AgentText className="text-muted">{placeOf(session?.project, session?.branch, sessionId)}</AgentText>;
}
