import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { type Tab, tabs, useSessionParams } from '../row/search-params.ts';
import { Story } from '../session/story/story.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { usePreload } from '../ui/use-preload.ts';
import { DetailPane } from './detail-pane.tsx';
import { loadRowNotes } from './row-detail.tsx';

const loadOverviewTab = () => import('../session/overview/overview.tsx').then((module) => module.Overview);
const loadLanesTab = () => import('../lanes/lanes-tab.tsx').then((module) => module.LanesTab);
const loadPlanTab = () => import('../session/plan/plan-tab.tsx').then((module) => module.PlanTab);
const loadVerdictsTab = () => import('../session/verdicts/verdicts-tab.tsx').then((module) => module.VerdictsTab);
const loadRawTab = () => import('../session/raw/raw-tab.tsx').then((module) => module.RawTab);
/** Everything that a step on this page opens, in the pane beside it, too. */
export const openedLater: readonly (() => Promise<unknown>)[] = [
	...[loadOverviewTab, loadLanesTab, loadPlanTab, loadVerdictsTab, loadRawTab],
	// By the very functions that open them: another import of the same module may be built as another file.
	loadRowNotes,
	() => import('../ui/dialog/dialog.tsx').then((module) => module.Dialog),
	() => import('../approvals/approval-card.tsx').then((module) => module.ApprovalCard),
	() => import('../approvals/grants/allow-next-try.tsx').then((module) => module.AllowNextTry),
];
const OverviewTab = dynamic(loadOverviewTab);
const LanesTab = dynamic(loadLanesTab);
const PlanTab = dynamic(loadPlanTab);
const VerdictsTab = dynamic(loadVerdictsTab);
const RawTab = dynamic(loadRawTab);

const labels: Record<Tab, Plain> = {
	overview: 'Overview',
	story: 'Story',
	lanes: 'Lanes',
	plan: 'Plan',
	verdicts: 'Verdicts',
	raw: 'Raw',
};

/** The readings of a session, live or recorded, as tabs on the left; the selected row on the right. */
export function SessionReadings({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [{ tab }, setParams] = useSessionParams();
	usePreload(openedLater);
	return (
		<div className="flex min-h-0 flex-1 short:h-[max(13rem,100dvh-6rem)] short:flex-none print:h-auto">
			<div className="flex min-w-0 flex-1 flex-col">
				<Tabs
					label={say('Readings of the session')}
					value={tab}
					onChoose={(next) => void setParams({ tab: next })}
					tabs={tabs.map((value) => ({ value, label: say(labels[value]) }))}
				>
					{tab === 'overview' && <OverviewTab sessionId={sessionId} />}
					{tab === 'story' && <Story key={sessionId} sessionId={sessionId} />}
					{tab === 'lanes' && <OfView key={sessionId} sessionId={sessionId} Reading={LanesTab} />}
					{tab === 'plan' && <OfView sessionId={sessionId} Reading={PlanTab} />}
					{tab === 'verdicts' && <OfView sessionId={sessionId} Reading={VerdictsTab} />}
					{tab === 'raw' && <RawTab key={sessionId} sessionId={sessionId} />}
				</Tabs>
			</div>
			<DetailPane sessionId={sessionId} />
		</div>
	);
}

/** A reading of the whole view, which is another one after each event: the tabs around it are not drawn again for that. */
function OfView({ sessionId, Reading }: { sessionId: string; Reading: ComponentType<{ view: SessionView }> }) {
	const view = useSession(sessionId, (session) => session.view);
	return view && <Reading view={view} />;
}
