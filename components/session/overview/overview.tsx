'use client';
import { memo, useContext } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { useSay } from '../../language/use-say.ts';
import { InstantContext, useClock } from '../../live/now.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { useAtMostEvery } from '../../live/use-at-most-every.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { SessionFacts } from '../session-facts.tsx';
import { FileTable } from './file-table.tsx';
import { StageTable } from './stage-table.tsx';
import { ToolBars } from './tool-bars.tsx';
import { UsageBars } from './usage-bars.tsx';
import { WaitList } from './wait-list.tsx';

/** Sums that nobody reads twice a second. */
const AGAIN_MS = 500;
const SECOND_MS = 1000;

/** What a session came to so far, at a glance: time, cost, tools, files, waits. */
export function Overview({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const isNarrow = useNarrow();
	const view = useAtMostEvery(
		useSession(sessionId, (session) => session.view),
		AGAIN_MS,
	);
	return (
		<section
			aria-label={say('Overview')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
			tabIndex={0}
			className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4"
		>
			{view && <Sections view={view} />}
			{/* Where there is no pane beside it. */}
			{isNarrow && <SessionFacts sessionId={sessionId} />}
		</section>
	);
}

const Sections = memo(function Sections({ view }: { view: SessionView }) {
	const say = useSay();
	const now = useInstant(view);
	return (
		<div className="grid grid-cols-1 gap-x-8 gap-y-5 xl:grid-cols-2">
			<h2 className="sr-only">{say('Overview')}</h2>
			<StageTable view={view} now={now} />
			<UsageBars view={view} />
			<ToolBars view={view} />
			<FileTable view={view} />
			<WaitList view={view} />
		</div>
	);
});

/** Until when something that goes on has lasted, in ms: in a recording until the instant that is shown. */
function useInstant({ stageRuns = [], lastAt }: SessionView): number {
	const { isLive } = useSessionSource();
	const hasClock = useContext(InstantContext) !== null || isLive;
	const goesOn = hasClock && stageRuns.some(({ to }) => to === null);
	const now = useClock((at) => (goesOn ? Math.floor(at / SECOND_MS) * SECOND_MS : 0));
	return goesOn ? now : Date.parse(lastAt ?? '') || 0;
}
