import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { resultTone } from '#lib/session/row-of.ts';
import { clockTime } from '#lib/time/clock.ts';
import { clockDuration } from '#lib/time/duration.ts';
import { useSay } from '../../language/use-say.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';

/** How each run of a stage ended, in the order of the ends. */
export function StageVerdicts({ runs }: { runs: readonly StageRun[] }) {
	const say = useSay();
	const ended = runs.flatMap((run) => (run.to === null ? [] : [{ ...run, to: run.to }])).sort((a, b) => a.to - b.to);
	if (ended.length === 0) return null;
	return (
		<div>
			<h2 className="pb-1 font-semibold">{say('Stages')}</h2>
			<ol aria-label={say('Stages')}>
				{ended.map(({ stage, from, to, result }) => {
					const tone = resultTone(result, 'ok');
					return (
						<li key={`${stage} ${from}`} className="flex flex-wrap gap-x-3 border-line border-t py-1">
							<span className="font-mono text-mono text-muted">{clockTime(to)}</span>
							<span className={toneText[tone]}>
								<span aria-hidden>{toneGlyph[tone]} </span>
								<AgentText>{stage}</AgentText> <AgentText>{say.known(result?.toLowerCase() ?? 'ended')}</AgentText>
							</span>
							<span className="text-muted">{clockDuration(to - from, say.language)}</span>
						</li>
					);
				})}
			</ol>
		</div>
	);
}
