import type { AgentView } from '#lib/contract/sessions/read-model/session-view.ts';
import { resultTone } from '#lib/session/row.ts';
import { clockTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneText } from '../../ui/tone.ts';

/** An agent that really started: when, how it ended, how long it took. */
export function StartedAgent({ agent }: { agent: AgentView }) {
	const { name, startedAt, endedAt, closed } = agent;
	const say = useSay();
	const { word, tone } = endOf(agent);
	return (
		<div className="flex flex-wrap gap-x-2">
			<AgentText className="font-medium">{name}</AgentText>
			<span className="text-muted">{startedAt ? clockTime(startedAt) : ''}</span>
			<AgentText className={tone}>{say.known(word)}</AgentText>
			<span className="text-muted">
				<LiveDuration from={startedAt} to={endedAt ?? closed?.at} />
			</span>
		</div>
	);
}

function endOf({ error, result, endedAt, closed, starts, ends }: AgentView): { word: string; tone: string } {
	if (error) return { word: 'failed', tone: 'text-err' };
	if (endedAt && ends >= starts) return { word: result ?? 'done', tone: toneText[resultTone(result, 'ok')] };
	return closed ? { word: 'no end seen', tone: 'text-warn' } : { word: 'running', tone: 'text-run' };
}
