'use client';
import Link from 'next/link';
import type { Incident } from '#lib/contract/health/incidents.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useNow } from '../../live/now.ts';
import { useSummary } from '../../live/use-summary.ts';
import { MakeFilter } from '../../row/agent/make-filter.tsx';
import { MakeMark } from '../../row/agent/make-mark.tsx';
import { useOfMake } from '../../row/agent/use-of-make.ts';
import { rowAddress } from '../../row/row-address.ts';
import { Advice } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

/** What the server has seen go wrong, in earlier runs too, and whether it still is. */
export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
	const say = useSay();
	const now = useNow();
	const shown = useOfMake(incidents);
	if (incidents.length === 0) return <p className="text-muted">{say('None since the server started.')}</p>;
	return (
		<>
			<MakeFilter className="mb-1" />
			<ul className="flex flex-col gap-1">
				{shown.map(({ code, about, message, sessionId, fix, at, until }) => (
					<li key={`${code} ${about} ${at}`} className="[overflow-wrap:anywhere]">
						<time dateTime={at} className="text-muted tabular-nums">
							{clockOrDate(at, now, say.language)}
						</time>{' '}
						<span className={until === null ? 'text-err' : 'text-warn'}>
							<span aria-hidden>{until === null ? '✕ ' : '▲ '}</span>
							{until === null ? say('stands') : until === at ? say('noted') : say('over')}
						</span>{' '}
						<AgentText>{say.told(message, 'incident')}</AgentText>{' '}
						{sessionId !== undefined && <SessionMake sessionId={sessionId} />}{' '}
						{code === 'access/minted' && (
							<Link href="/access" className="text-accent underline">
								{say('Access')}
							</Link>
						)}
						{sessionId !== undefined && (
							<Link href={rowAddress(sessionId)} className="text-accent underline">
								{say('Session')}
							</Link>
						)}
						{fix !== undefined && until === null && (
							<span className="block pl-4 text-muted">
								<Phrase of="What to do: {advice}" with={{ advice: <Advice>{fix}</Advice> }} />
							</span>
						)}
					</li>
				))}
			</ul>
		</>
	);
}

function SessionMake({ sessionId }: { sessionId: string }) {
	return <MakeMark make={useSummary(sessionId)?.agent} />;
}
