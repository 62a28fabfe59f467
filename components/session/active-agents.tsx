'use client';
import { isAgentOpen } from '#lib/session/fold-agent.ts';
import type { SessionView } from '#lib/session/view.ts';
import { stageOfAgent, stages } from '#lib/workflow/stages.ts';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useSessionParams } from '../row/search-params.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** Who works now; choosing one shows only its part of the story. */
export function ActiveAgents({ agents }: { agents: SessionView['agents'] }) {
	const say = useSay();
	const [{ agent }, setParams] = useSessionParams();
	const open = agents.filter(isAgentOpen);
	if (open.length === 0) return null;
	return (
		<ul aria-label={say('Active agents')} className="scroll-hint flex shrink-0 gap-1 overflow-x-auto">
			{open.map(({ agentId, name, stage, startedAt, background }) => (
				<li key={agentId}>
					<Button
						kind="quiet"
						size="small"
						aria-pressed={agent === agentId}
						onClick={() => void setParams({ agent: agent === agentId ? null : agentId, tab: 'story' })}
					>
						<span aria-hidden className="text-run">
							●
						</span>
						<AgentText className="max-w-60 truncate">{name}</AgentText>
						{stage && <AgentText className="text-muted">{stage}</AgentText>}
						{stage && modelOf(name) && <span className="text-muted">{modelOf(name)}</span>}
						{background && <span className="text-muted">{say('background')}</span>}
						<span className="text-muted">
							<LiveDuration from={startedAt} />
						</span>
					</Button>
				</li>
			))}
		</ul>
	);
}

/** The model that the workflow gives to an agent of its stages; without a workflow nobody knows which one works. */
function modelOf(name: string): string | undefined {
	const stage = stageOfAgent(name);
	return stage && stages[stage].model;
}
