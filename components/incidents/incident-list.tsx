'use client';
import Link from 'next/link';
import type { Incident } from '#lib/contract/incidents.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { Advice } from '../text/advice.tsx';
import { AgentText } from '../text/agent-text.tsx';

/** What the server has seen go wrong since it started, and whether it still is. */
export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
	const now = useNow();
	if (incidents.length === 0) return <p className="text-muted">None since the server started.</p>;
	return (
		<ul className="flex flex-col gap-1">
			{incidents.map(({ code, about, message, sessionId, fix, at, until }) => (
				<li key={`${code} ${about} ${at}`} className="[overflow-wrap:anywhere]">
					<time dateTime={at} className="text-muted tabular-nums">
						{clockOrDate(at, now)}
					</time>{' '}
					<span className={until === null ? 'text-err' : 'text-warn'}>
						<span aria-hidden>{until === null ? '✕ ' : '▲ '}</span>
						{until === null ? 'stands' : until === at ? 'noted' : 'over'}
					</span>{' '}
					<AgentText>{message}</AgentText>{' '}
					{code === 'access/minted' && (
						<Link href="/access" className="text-accent underline">
							Access
						</Link>
					)}
					{sessionId !== undefined && (
						<Link href={`/sessions/${sessionId}`} className="text-accent underline">
							Session
						</Link>
					)}
					{fix !== undefined && until === null && (
						<span className="block pl-4 text-muted">
							What to do: <Advice>{fix}</Advice>
						</span>
					)}
				</li>
			))}
		</ul>
	);
}
