'use client';
import { deciderWords, grantWords, personWords } from '#lib/approvals/call-words.ts';
import type { MismatchView } from '#lib/contract/sessions/read-model/session-view.ts';
import { outcomeLooks } from '#lib/session/call.ts';
import { clockTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneText } from '../../ui/tone.ts';

/** One departure from the plan: its moment, the verdict, what a person did and what became of it. */
export function MismatchItem({ mismatch }: { mismatch: MismatchView }) {
	const say = useSay();
	const [, setParams] = useSessionParams();
	const { at, actual, expected, planId, toolUseId, approval, grant, outcome } = mismatch;
	const { word, tone } = outcomeLooks[outcome];
	return (
		<li className="flex flex-wrap items-center gap-x-3 border-line border-b py-1.5">
			<time dateTime={at} className="font-mono text-mono text-muted">
				{clockTime(at)}
			</time>
			<AgentText className="font-medium">{actual}</AgentText>
			<AgentText className="text-muted">
				{say('expected [{agents}] by {planId}', { agents: expected.join(', '), planId })}
			</AgentText>
			<span className={toneText[tone]}>{say(word)}</span>
			{approval && approval.state !== 'waiting' && <AgentText>{personWords(approval, say)}</AgentText>}
			{grant && <AgentText>{`${grantWords(grant, say)} (${deciderWords(grant.by, say)})`}</AgentText>}
			{toolUseId && (
				<Button
					kind="quiet"
					size="small"
					className="ml-auto text-accent"
					onClick={() => void setParams({ row: `call:${toolUseId}` })}
				>
					{say('Show')}
				</Button>
			)}
		</li>
	);
}
