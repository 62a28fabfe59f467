import { personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { headlineOf } from './headline.ts';

/** Says what became of the call that a link or notification led to, where it no longer waits. */
export function WantedNote({ approval }: { approval: ApprovalView }) {
	const say = useSay();
	return (
		<p role="status" className="rounded border border-line p-3">
			{say('The call that you were led to no longer waits:')}{' '}
			<AgentText>{`${headlineOf(approval, say)}${say('; ')}${personWords(approval, say)}${say('.')}`}</AgentText>
		</p>
	);
}
