'use client';
import { type AgentNow, agentsNow } from '#lib/overview/overview.ts';
import type { SessionView } from '#lib/session/view.ts';
import { costOfAll, usageTokens } from '#lib/usage/usage-words.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { OverviewSection } from './overview-section.tsx';

/** Who works, on what call, for how long and for how much. Choosing one shows only its part of the story. */
export function AgentTable({ view }: { view: SessionView }) {
	const say = useSay();
	return (
		<OverviewSection title={say('Agents')}>
			<ul>
				{agentsNow(view).map((agent) => (
					<AgentLine key={agent.agentId} agent={agent} />
				))}
			</ul>
		</OverviewSection>
	);
}

function AgentLine({ agent }: { agent: AgentNow }) {
	const say = useSay();
	const { agentId, name, stage, isOpen, from, to, doing, calls, usage } = agent;
	const [, setParams] = useSessionParams();
	return (
		<li className="flex min-w-0 flex-wrap items-center gap-x-2">
			<span aria-hidden className={isOpen ? 'text-run' : 'text-muted'}>
				{isOpen ? '●' : '○'}
			</span>
			<Button
				kind="quiet"
				size="small"
				className="min-w-0 px-1"
				onClick={() => void setParams({ agent: agentId === '' ? 'main' : agentId, tab: 'story' })}
			>
				<AgentText className="max-w-40 truncate font-medium">{agentId === '' ? say('main') : name}</AgentText>
			</Button>
			{stage && <AgentText className="max-w-24 truncate text-muted">{stage}</AgentText>}
			<span className="sr-only">{isOpen ? say('at work') : say('at rest')}</span>
			{doing && (
				<button
					type="button"
					className="min-w-0 flex-1 basis-32 truncate text-left font-mono text-mono hover:underline"
					onClick={() => void setParams({ row: doing.row })}
				>
					<AgentText>{doing.text}</AgentText>
				</button>
			)}
			<span className="ml-auto flex gap-3 whitespace-nowrap text-muted">
				{calls !== undefined && <span>{say('{count} {count:call|calls}', { count: calls })}</span>}
				{usage && <span>{costOfAll(usage) ?? say.told(usageTokens(usage))}</span>}
				{(doing || from) && <LiveDuration from={doing?.since ?? from} to={to} />}
			</span>
		</li>
	);
}
