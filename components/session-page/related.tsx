'use client';
import { find } from '#lib/session/roster.ts';
import type { Row } from '#lib/session/row.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { useSessionParams } from '../row/search-params.ts';
import { useActorName } from '../row/use-actor-name.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** Ways from a row to what belongs to it: who called the actor, and what the call started. */
export function Related({ sessionId, row }: { sessionId: string; row: Row }) {
	const say = useSay();
	const [, setParams] = useSessionParams();
	const nameOf = useActorName(sessionId);
	const caller = useSession(sessionId, ({ view }) =>
		view ? (find(view.agents, 'agentId', row.agentId)?.toolUseId ?? null) : null,
	);
	const started = row.call?.startedAgentId;
	return (
		<div className="flex flex-wrap gap-2 border-line border-t pt-2">
			{caller && (
				<Button size="small" onClick={() => void setParams({ row: `call:${caller}`, tab: 'story' })}>
					<Phrase of="The call that started {agent}" with={{ agent: <AgentText>{nameOf(row.agentId)}</AgentText> }} />
				</Button>
			)}
			{started && (
				<Button size="small" onClick={() => void setParams({ agent: started, tab: 'story' })}>
					<Phrase of="Everything {agent} did" with={{ agent: <AgentText>{nameOf(started)}</AgentText> }} />
				</Button>
			)}
			<CopyButton label={say('Copy link')} text={() => window.location.href} />
		</div>
	);
}
