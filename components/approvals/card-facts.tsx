import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import type { Say } from '#lib/messages/say.ts';
import { QUESTION_TOOL } from '#lib/supervisor/supervisor-input.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { type Ask, agentOf } from './ask.ts';

/** What is asked, what was expected, and by which rule it was denied. */
export function CardFacts({ approval, ask }: { approval: ApprovalView; ask: Ask | null }) {
	const say = useSay();
	const { tool, title } = approval;
	const agent = agentOf(ask?.input);
	return (
		<>
			<p hidden={tool === QUESTION_TOOL}>
				<AgentText className="font-medium">{agent ? `${tool} → ${agent}` : tool}</AgentText>{' '}
				{title && !isCommand(ask?.input) && <AgentText>{`“${title}”`}</AgentText>}
			</p>
			{ask && ask.expected.length > 0 && (
				<p>
					<span className="text-muted">{say('Expected ')}</span>
					<AgentText>{ask.expected.join(', ')}</AgentText>
					<AgentText className="text-muted">{placeInPlan(ask, say)}</AgentText>
				</p>
			)}
			<WhyDenied approval={approval} />
		</>
	);
}

/** Its title is nothing but its input, which the card shows as a whole; that of a question is its heading. */
const isCommand = (input: unknown) => typeof input === 'object' && input !== null && 'command' in input;

function WhyDenied({ approval: { denials, review } }: { approval: ApprovalView }) {
	const say = useSay();
	const [denial] = denials;
	if (!denial) return null;
	return (
		<p>
			{review && <AgentText className="block whitespace-pre-wrap">{denial.reason}</AgentText>}
			<span className="text-muted">{say('Why it is asked: ')}</span>
			<span title={visibleString(denial.rule)}>
				<AgentText>{say.known(gateSentence(denial.gate))}</AgentText>
			</span>
			{denials.length > 1 && (
				<span className="text-muted">
					{say(' and {count} more; approving overrides all', { count: denials.length - 1 })}
				</span>
			)}
		</p>
	);
}

function placeInPlan({ planId, phase }: { planId: string | null; phase: number | null }, say: Say): string {
	if (planId === null) return '';
	return phase === null
		? say(' (plan {planId})', { planId })
		: say(' (plan {planId}, phase {phase})', { planId, phase: String(phase) });
}
