'use client';
import dynamic from 'next/dynamic';
import type { SessionView } from '#lib/session/view.ts';
import { Story } from '../story/story.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DetailPane } from './detail-pane.tsx';
import { type Tab, tabs, useSessionParams } from './search-params.ts';

const LanesTab = dynamic(() => import('../lanes/lanes-tab.tsx').then((module) => module.LanesTab));
const PlanTab = dynamic(() => import('../plan/plan-tab.tsx').then((module) => module.PlanTab));
const VerdictsTab = dynamic(() => import('../verdicts/verdicts-tab.tsx').then((module) => module.VerdictsTab));
const RawTab = dynamic(() => import('../raw/raw-tab.tsx').then((module) => module.RawTab));

const labels: Record<Tab, string> = { story: 'Story', lanes: 'Lanes', plan: 'Plan', verdicts: 'Verdicts', raw: 'Raw' };

/** The readings of a session, live or recorded, as tabs on the left; the selected row on the right. */
export function SessionReadings({ view }: { view: SessionView }) {
	const { sessionId } = view;
	const [{ tab }, setParams] = useSessionParams();
	return (
		<div className="flex min-h-0 flex-1">
			<div className="flex min-w-0 flex-1 flex-col">
				<Tabs
					label="Readings of the session"
					value={tab}
					onChoose={(next) => void setParams({ tab: next })}
					tabs={tabs.map((value) => ({ value, label: labels[value] }))}
				>
					{tab === 'story' && <Story key={sessionId} sessionId={sessionId} />}
					{tab === 'lanes' && <LanesTab key={sessionId} view={view} />}
					{tab === 'plan' && <PlanTab view={view} />}
					{tab === 'verdicts' && <VerdictsTab view={view} />}
					{tab === 'raw' && <RawTab key={sessionId} sessionId={sessionId} />}
				</Tabs>
			</div>
			<DetailPane sessionId={sessionId} />
		</div>
	);
}
