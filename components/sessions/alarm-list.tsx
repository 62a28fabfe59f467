'use client';
import Link from 'next/link';
import { useState } from 'react';
import type { SessionSummary } from '#lib/session/summary.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { placeOf } from './place-of.ts';
import { SessionSection } from './session-section.tsx';

/** What runs must stay in sight below the alarms of weeks. */
const AT_FIRST = 8;

/** A session and what is wrong with it, in words. */
export interface AlarmedSession {
	session: SessionSummary;
	alarms: readonly string[];
}

/** What went wrong beyond a session's status; the first ones, and the others on demand. */
export function AlarmList({ alarmed }: { alarmed: readonly AlarmedSession[] }) {
	const [isOpen, setOpen] = useState(false);
	if (alarmed.length === 0) return null;
	const hidden = isOpen ? 0 : Math.max(0, alarmed.length - AT_FIRST);
	return (
		<SessionSection title="Alarms" {...(alarmed.length > AT_FIRST && { count: alarmed.length })}>
			{alarmed.slice(0, alarmed.length - hidden).map(({ session, alarms }) => (
				<li
					key={session.sessionId}
					className="flex min-h-8 flex-wrap items-center gap-x-3 border-line border-b px-4 py-1"
				>
					<span aria-hidden className="w-3 text-center text-err">
						▲
					</span>
					<Link
						href={`/sessions/${encodeURIComponent(session.sessionId)}`}
						prefetch={false}
						className="flex min-h-6 min-w-0 flex-1 basis-48 items-center gap-x-3 hover:underline md:flex-none"
					>
						<AgentText className="min-w-0 max-w-full shrink-0 truncate font-medium">
							{placeOf(session.project, session.branch, session.sessionId)}
						</AgentText>
						{session.title && (
							<AgentText className="min-w-0 flex-1 truncate text-muted">{`“${session.title}”`}</AgentText>
						)}
					</Link>
					<span className="text-err">{alarms.join(' · ')}</span>
				</li>
			))}
			{hidden > 0 && (
				<li className="px-4 py-1">
					<Button kind="quiet" size="small" onClick={() => setOpen(true)}>
						Show all {alarmed.length} alarms
					</Button>
				</li>
			)}
		</SessionSection>
	);
}
