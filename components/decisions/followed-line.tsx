import type { Followed } from '#lib/contract/archives/decisions.ts';
import { outcomeWords } from '#lib/ledger/ledger-words.ts';
import { resultTone } from '#lib/session/row.ts';
import { clockTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';

/** What happened after a decision: the agent's next calls, whether the rule spoke again, how the stage ended. */
export function FollowedLine({ followed: { calls, again, stage } }: { followed: Followed }) {
	const say = useSay();
	const tone = stage && resultTone(stage.result ?? undefined, stage.result === null ? 'run' : 'ok');
	return (
		<span className="flex flex-col gap-0.5 text-small md:col-span-4 md:col-start-2">
			<span className="[overflow-wrap:anywhere]">
				<span className="text-muted">{say('Then')} </span>
				{calls.length === 0 && <span className="text-muted">{say('its agent called nothing more')}</span>}
				{calls.map(({ rowKey, tool, title, outcome }, at) => (
					<span key={rowKey}>
						{at > 0 && <span className="text-muted"> → </span>}
						<AgentText>{tool}</AgentText> <AgentText className="font-mono text-mono">{title.slice(0, 80)}</AgentText>{' '}
						<span className={outcome === 'failed' ? 'text-err' : 'text-muted'}>{say(outcomeWords[outcome])}</span>
					</span>
				))}
			</span>
			{(again || stage) && (
				<span className="flex flex-wrap gap-x-4 [overflow-wrap:anywhere]">
					{again && (
						<span className="text-err">
							<span aria-hidden>{toneGlyph.err} </span>
							{say('stopped again at {time}:', { time: clockTime(Date.parse(again.at)) })}{' '}
							<AgentText className="font-mono text-mono">{again.title.slice(0, 80)}</AgentText>
						</span>
					)}
					{stage && tone && (
						<span>
							<span className="text-muted">{say('Stage')} </span>
							<AgentText>{stage.stage}</AgentText>{' '}
							<span className={toneText[tone]}>
								<span aria-hidden>{toneGlyph[tone]} </span>
								{stage.result === null ? say('has not ended') : <AgentText>{stage.result}</AgentText>}
							</span>
						</span>
					)}
				</span>
			)}
		</span>
	);
}
