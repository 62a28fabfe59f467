'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useEffect } from 'react';
import { useSession } from '../live/session-source.ts';
import { watchSession } from '../live/socket.ts';
import { Story } from '../story/story.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Announcer } from './announcer.tsx';
import { DetailPane } from './detail-pane.tsx';
import { type Tab, tabs, useSessionParams } from './search-params.ts';
import { SessionHeader } from './session-header.tsx';
import { WaitingBand } from './waiting-band.tsx';

const PlanTab = dynamic(() => import('../plan/plan-tab.tsx').then((module) => module.PlanTab));
const VerdictsTab = dynamic(() => import('../verdicts/verdicts-tab.tsx').then((module) => module.VerdictsTab));
const RawTab = dynamic(() => import('../raw/raw-tab.tsx').then((module) => module.RawTab));

const labels: Record<Tab, string> = { story: 'Story', plan: 'Plan', verdicts: 'Verdicts', raw: 'Raw' };

/** One session: header, tabs on the left, the selected row on the right. */
export function SessionPage({ sessionId }: { sessionId: string }) {
	useEffect(() => watchSession(sessionId), [sessionId]);
	const status = useSession(sessionId, (session) => session.status) ?? 'loading';
	const view = useSession(sessionId, (session) => session.view);
	const [{ tab }, setParams] = useSessionParams();
	if (status === 'not-found') return <NoSession sessionId={sessionId} />;
	if (!view) return <Skeleton label="The session is loading" />;
	return (
		<div className="flex h-full flex-col">
			<SessionHeader view={view} />
			<WaitingBand sessionId={sessionId} />
			<div className="flex min-h-0 flex-1">
				<div className="flex min-w-0 flex-1 flex-col">
					<Tabs
						label="Readings of the session"
						value={tab}
						onChoose={(next) => void setParams({ tab: next })}
						tabs={tabs.map((value) => ({ value, label: labels[value] }))}
					>
						{tab === 'story' && <Story key={sessionId} sessionId={sessionId} />}
						{tab === 'plan' && <PlanTab view={view} />}
						{tab === 'verdicts' && <VerdictsTab view={view} />}
						{tab === 'raw' && <RawTab key={sessionId} sessionId={sessionId} />}
					</Tabs>
				</div>
				<DetailPane sessionId={sessionId} />
			</div>
			<Announcer sessionId={sessionId} />
		</div>
	);
}

function NoSession({ sessionId }: { sessionId: string }) {
	return (
		<div className="p-8">
			<h1 className="font-semibold text-title">There is no such session</h1>
			<p className="mt-2 text-muted">
				No timeline is recorded under <span className="font-mono text-mono">{sessionId}</span>. It may have been
				recorded on another machine or under another OVERTONE_HOME.
			</p>
			<Link href="/" className="mt-4 inline-block text-accent underline">
				All sessions
			</Link>
		</div>
	);
}
