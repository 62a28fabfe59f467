import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { toolShares } from '#lib/overview/overview.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../../language/use-say.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { OverviewSection } from './overview-section.tsx';

/** Which tools did how much of the work. */
export function ToolBars({ view }: { view: SessionView }) {
	const say = useSay();
	const tools = toolShares(view);
	if (tools.length === 0) return null;
	const tried = tools.reduce((sum, { calls }) => sum + calls, 0);
	const made = Math.max(tried, view.counters.calls);
	return (
		<OverviewSection
			title={say('Tools')}
			note={
				tried === made
					? say('{count} {count:call|calls}', { count: made })
					: say('{tried} of {count} {count:call|calls} ran', { tried, count: made })
			}
		>
			<ul>
				{tools.map(({ name, calls, ms, share }) => (
					<li key={name} className="flex min-w-0 items-center gap-3">
						<AgentText className="w-28 shrink-0 truncate">{name || say('others')}</AgentText>
						<span aria-hidden className="h-2 min-w-0 flex-1">
							<span className="block h-2 rounded-sm bg-run" style={{ width: `${Math.max(1, share * 100)}%` }} />
						</span>
						<span className="w-10 text-right">{calls}</span>
						<span className="w-16 text-right text-muted">{spanDuration(ms)}</span>
					</li>
				))}
			</ul>
		</OverviewSection>
	);
}
