import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import dynamic from 'next/dynamic';
import { type ComponentType, Suspense } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useKeepDecided, useWaiting } from '../approvals/waiting.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { type Tab, tabs, useSessionParams } from '../row/search-params.ts';
import { SessionFacts } from '../session/session-facts.tsx';
import { Story } from '../session/story/story.tsx';
import { Button } from '../ui/button.tsx';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { usePreload } from '../ui/use-preload.ts';
import { useNarrow } from '../ui/use-size.ts';
import { loadRowNotes, RowDetail } from './row-detail.tsx';

const loadOverviewTab = () => import('../session/overview/overview.tsx').then((module) => module.Overview);
const loadLanesTab = () => import('../lanes/lanes-tab.tsx').then((module) => module.LanesTab);
const loadPlanTab = () => import('../session/plan/plan-tab.tsx').then((module) => module.PlanTab);
const loadVerdictsTab = () => import('../session/verdicts/verdicts-tab.tsx').then((module) => module.VerdictsTab);
const loadRawTab = () => import('../session/raw/raw-tab.tsx').then((module) => module.RawTab);
/** Everything that can be opened from this page, including the detail pane. */
export const openedLater: readonly (() => Promise<unknown>)[] = [
	...[loadOverviewTab, loadLanesTab, loadPlanTab, loadVerdictsTab, loadRawTab],
	// Use the same functions that open them: a second import of a module may be bundled as another file.
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

/** The tabs of a session with the detail pane, for live sessions and recordings alike. */
export function SessionReadings({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const [{ tab }, setParams] = useSessionParams();
	usePreload(openedLater);
	return (
		<div className="flex min-h-0 flex-1 short:h-[max(13rem,100dvh-6rem)] short:flex-none print:h-auto">
			<div className="flex min-w-0 flex-1 flex-col">
				<BaseTabs.Root
					value={tab}
					onValueChange={(next: Tab) => void setParams({ tab: next })}
					className="flex min-h-0 flex-1 flex-col"
				>
					<BaseTabs.List
						aria-label={say('Readings of the session')}
						className="flex box-content h-9 shrink-0 border-line border-b px-4 pointer-coarse:h-10"
					>
						{tabs.map((value) => (
							<BaseTabs.Tab
								key={value}
								value={value}
								className="border-transparent border-b-2 px-2.5 text-muted hover:text-text pointer-coarse:min-w-10 data-active:border-accent data-active:text-text"
							>
								{say(labels[value])}
							</BaseTabs.Tab>
						))}
					</BaseTabs.List>
					<BaseTabs.Panel value={tab} tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
						{tab === 'overview' && <OverviewTab sessionId={sessionId} />}
						{tab === 'story' && <Story key={sessionId} sessionId={sessionId} />}
						{tab === 'lanes' && <OfView key={sessionId} sessionId={sessionId} Reading={LanesTab} />}
						{tab === 'plan' && <OfView sessionId={sessionId} Reading={PlanTab} />}
						{tab === 'verdicts' && <OfView sessionId={sessionId} Reading={VerdictsTab} />}
						{tab === 'raw' && <RawTab key={sessionId} sessionId={sessionId} />}
					</BaseTabs.Panel>
				</BaseTabs.Root>
			</div>
			<DetailPane sessionId={sessionId} />
		</div>
	);
}

/** Passes the whole view to a tab. It changes with every event, and the surrounding tabs need not render for that. */
function OfView({ sessionId, Reading }: { sessionId: string; Reading: ComponentType<{ view: SessionView }> }) {
	const view = useSession(sessionId, (session) => session.view);
	return view && <Reading view={view} />;
}

const Dialog = dynamic(() => import('../ui/dialog/dialog.tsx').then((module) => module.Dialog));

function DetailPane({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const [{ row, tab }, setParams] = useSessionParams();
	const narrow = useNarrow();
	const questions = useSessionApprovals(sessionId);
	const cards = isLive ? questions : [];

	function close() {
		if (row === null) return;
		void setParams({ row: null });
		document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`)?.focus();
	}
	useShortcut('close', close, row !== null && !narrow);

	// Without a row or a question, only the overview has something beside it: the facts.
	if (row === null && (narrow || (tab !== 'overview' && cards.length === 0))) return null;
	if (narrow && row !== null) {
		return (
			<Dialog title={say('Detail')} side="bottom" onClose={close}>
				<RowDetail sessionId={sessionId} rowKey={row} />
			</Dialog>
		);
	}
	return (
		<section
			aria-label={say('Detail')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
			tabIndex={0}
			className="relative w-[26rem] shrink-0 overflow-y-auto border-line border-l xl:w-[30rem]"
		>
			{row !== null ? (
				// Parts that load when the first row is opened must not hide the page.
				<Suspense>
					<Button kind="quiet" size="icon" aria-label={say('Close')} className="absolute top-3 right-3" onClick={close}>
						✕
					</Button>
					<RowDetail sessionId={sessionId} rowKey={row} />
				</Suspense>
			) : (
				<div className="flex flex-col gap-6 p-4">
					{cards.map((approval) => (
						<ApprovalCard key={approval.approvalId} isInSession sessionId={sessionId} approval={approval} />
					))}
					{tab === 'overview' && <SessionFacts sessionId={sessionId} />}
				</div>
			)}
		</section>
	);
}

const ApprovalCard = dynamic(() => import('../approvals/approval-card.tsx').then((module) => module.ApprovalCard));

const NO_APPROVALS: readonly ApprovalView[] = [];

/** Approvals of this session. Decided ones stay until the reader leaves, so that the result is seen. */
function useSessionApprovals(sessionId: string): ApprovalView[] {
	const approvals = useSession(sessionId, ({ view }) => view?.approvals) ?? NO_APPROVALS;
	const seen = new Set(
		useKeepDecided(useWaiting({ withReviews: true }), Number.POSITIVE_INFINITY).map(
			({ approval }) => approval.approvalId,
		),
	);
	return approvals.filter(({ approvalId }) => seen.has(approvalId));
}
