'use client';
import { isAgentOpen } from '#lib/session/fold-agent.ts';
import type { SessionView } from '#lib/session/view.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { useSessionParams } from './search-params.ts';

/** Who works now; choosing one shows only its part of the story. */
export function ActiveAgents({ agents }: { agents: SessionView['agents'] }) {
	const [{ agent }, setParams] = useSessionParams();
	const open = agents.filter(isAgentOpen);
	if (open.length === 0) return null;
	return (
		<ul aria-label="Active agents" className="flex gap-1 overflow-x-auto">
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
						<AgentText>{name}</AgentText>
						{stage && <AgentText className="text-muted">{stage}</AgentText>}
						{background && <span className="text-muted">background</span>}
						<span className="text-muted">
							<LiveDuration from={startedAt} />
						</span>
					</Button>
				</li>
			))}
		</ul>
	);
}
