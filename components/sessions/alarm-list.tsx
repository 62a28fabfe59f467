'use client';
import Link from 'next/link';
import { useState } from 'react';
import { placeOf } from '#lib/session/place-of.ts';
import type { SessionSummary } from '#lib/session/summary.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { SessionSection } from './session-section.tsx';

/** What runs must stay in sight below the alarms of weeks. */
const AT_FIRST = 8;

/** A session and what is wrong with it, in words. */
export interface AlarmedSession {
	session: SessionSummary;
	alarms: readonly string[];
}

interface AlarmListProps {
	/** Those that are known, the newest first. */
	alarmed: readonly AlarmedSession[];
	/** How many there are. */
	count: number;
	/** The others are to be fetched. */
	onAll: () => void;
}

/** What went wrong beyond a session's status; the first ones, and the others on demand. */
export function AlarmList({ alarmed, count, onAll }: AlarmListProps) {
	const [isOpen, setOpen] = useState(false);
	if (count === 0) return null;
	return (
		<SessionSection title="Alarms" {...(count > AT_FIRST && { count })}>
			{(isOpen ? alarmed : alarmed.slice(0, AT_FIRST)).map(({ session, alarms }) => (
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
			{!isOpen && count > AT_FIRST && (
				<li className="px-4 py-1">
					<Button
						kind="quiet"
						size="small"
						onClick={() => {
							setOpen(true);
							if (count > alarmed.length) onAll();
						}}
					>
						Show all {count} alarms
					</Button>
				</li>
			)}
		</SessionSection>
	);
}
