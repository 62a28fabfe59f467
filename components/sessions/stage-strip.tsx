import type { SessionSummary } from '#lib/contract/read-model/session-summary.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';

const looks: Record<SessionSummary['stages'][number]['state'], string> = {
	pending: 'text-muted',
	active: 'border-run text-run font-semibold',
	done: 'text-ok',
	failed: 'text-err',
};
const words = { pending: '', active: ', current', done: ', done', failed: ', failed' } as const;

/** A workflow's stages in one line, the current one framed; where there is little room it begins with that one. */
export function StageStrip({ stages }: { stages: SessionSummary['stages'] }) {
	if (stages.length === 0) return null;
	const now = Math.max(
		0,
		stages.findIndex(({ state }) => state !== 'done'),
	);
	return (
		<ol aria-label="Stages" className="fade-end relative flex min-w-0 gap-0.5 overflow-hidden pr-3 text-small">
			{now > 0 && (
				<li aria-hidden className="text-muted xl:hidden">
					…
				</li>
			)}
			{stages.map(({ key, state }, at) => (
				<li
					key={key}
					className={cn(
						'whitespace-nowrap rounded border border-transparent px-0.5',
						looks[state],
						at < now && 'hidden xl:block',
					)}
				>
					<AgentText>{key}</AgentText>
					<span className="sr-only">{words[state]}</span>
				</li>
			))}
		</ol>
	);
}
