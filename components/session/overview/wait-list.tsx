'use client';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../../language/use-say.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { OverviewSection } from './overview-section.tsx';

/** The longest times for which calls waited for a person. */
export function WaitList({ view }: { view: SessionView }) {
	const say = useSay();
	const [, setParams] = useSessionParams();
	const waits = view.work?.waits ?? [];
	if (waits.length === 0) return null;
	return (
		<OverviewSection title={say('Longest waits for a person')}>
			<ul>
				{waits.map(({ row, title, at, ms }) => (
					<li key={row} className="flex min-w-0 items-center gap-3">
						<span className="font-mono text-mono text-muted">{clockTime(at)}</span>
						<button
							type="button"
							className="min-h-6 min-w-0 flex-1 truncate text-left hover:underline"
							onClick={() => void setParams({ row })}
						>
							<AgentText>{title}</AgentText>
						</button>
						<span className="whitespace-nowrap">{spanDuration(ms)}</span>
					</li>
				))}
			</ul>
		</OverviewSection>
	);
}
