import { useEffect, useState } from 'react';
import type { RejudgeAnswer } from '#lib/contract/rules/rejudge.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useSummary } from '../../live/session-pages.ts';
import { rowAddress } from '../../row/addresses.ts';
import { ColumnHeads } from '../../ui/column-heads.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { When } from '../../ui/when.tsx';

const LINE =
	'grid grid-cols-[4rem_8rem_minmax(0,1fr)] items-center gap-x-3 border-line border-t py-0.5 @min-[640px]:grid-cols-[4rem_minmax(0,11rem)_9rem_minmax(0,1fr)_7rem]';
const HEADS = ['When', 'Session', 'It would be', 'Call', 'Back then'] as const;
const WHERE_WIDE = 'min-w-0 truncate @max-[640px]:hidden';

export function ChangedVerdicts({ answer }: { answer: RejudgeAnswer }) {
	const say = useSay();
	const { sessions, judged, notJudged, added, spared, changed, next } = answer;
	const all = added + spared;
	const newestFirst = changed.toSorted((one, other) => (one.at < other.at ? 1 : -1));
	return (
		<section aria-label={say('What would change')} className="flex flex-col gap-2">
			<p role="status">
				<strong>{say('{added} more denied, {spared} no longer denied.', { added, spared })}</strong>{' '}
				<span className="text-muted">
					{say(
						'{judged} verdicts of {sessions} {sessions:session|sessions} judged again; {notJudged} could not be judged.',
						{
							...{ judged, sessions, notJudged },
						},
					)}{' '}
					{next !== null && say('Still asking…')}
				</span>
			</p>
			<div className="@container">
				<ColumnHeads names={HEADS} className={`${LINE} border-t-0 @max-[640px]:hidden`} />
				<ul>
					{newestFirst.map(({ sessionId, toolUseId, at, after, rule, title, ran }, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: several rules may have matched one call.
						<li key={index} title={visibleString(rule)} className={LINE}>
							<When at={at} />
							<span className={WHERE_WIDE}>
								<SessionLink sessionId={sessionId} />
							</span>
							<Toned tone={after === 'deny' ? 'err' : 'warn'} className="truncate">
								{say(after === 'deny' ? 'denied' : 'no longer denied')}
							</Toned>
							<TextLink href={rowAddress(sessionId, toolUseId === '' ? undefined : `call:${toolUseId}`)}>
								<AgentText className="[overflow-wrap:anywhere]">{title === '' ? sessionId : title}</AgentText>
							</TextLink>
							<span className="whitespace-nowrap text-muted @max-[640px]:col-start-2">
								{ran ? say('it ran') : say('it did not run')}
							</span>
						</li>
					))}
				</ul>
			</div>
			{changed.length < all && (
				<p className="text-muted">{say('The first {count} are shown.', { count: changed.length })}</p>
			)}
		</section>
	);
}

function SessionLink({ sessionId }: { sessionId: string }) {
	const session = useSummary(sessionId);
	return <AgentText className="text-muted">{locationWords(session?.project, session?.branch, sessionId)}</AgentText>;
}

const MOST_SHOWN = 500;

type Rejudging = { answer: RejudgeAnswer | null; error: string | null };

interface RejudgeWish {
	set: string;
	session?: string;
	project?: string;
}

/** Rejudges part by part and adds up the results. Another request starts again. */
export function useRejudge(wish: RejudgeWish | null): Rejudging {
	const key = JSON.stringify(wish);
	const [found, setFound] = useState<Rejudging & { key: string }>({ key, answer: null, error: null });
	useEffect(() => {
		let current = true;
		void askAll(JSON.parse(key) as RejudgeWish | null, (next) => {
			if (current) setFound({ key, ...next });
			return current;
		});
		return () => {
			current = false;
		};
	}, [key]);
	return found.key === key ? found : { answer: null, error: null };
}

async function askAll(wish: RejudgeWish | null, show: (found: Rejudging) => boolean): Promise<void> {
	if (!wish) return;
	let sum: RejudgeAnswer | null = null;
	for (let before: string | undefined; ; ) {
		const answer = await callRoute('GET /api/rejudge', { query: { ...wish, ...(before !== undefined && { before }) } });
		if (!answer.ok) return void show({ answer: sum, error: answer.message });
		sum = added(sum, answer.data);
		if (!show({ answer: sum, error: null }) || answer.data.next === null) return;
		before = answer.data.next;
	}
}

function added(one: RejudgeAnswer | null, other: RejudgeAnswer): RejudgeAnswer {
	if (!one) return other;
	return {
		sessions: one.sessions + other.sessions,
		judged: one.judged + other.judged,
		notJudged: one.notJudged + other.notJudged,
		added: one.added + other.added,
		spared: one.spared + other.spared,
		changed: [...one.changed, ...other.changed].slice(0, MOST_SHOWN),
		next: other.next,
	};
}
