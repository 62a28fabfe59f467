import type { HubEdge } from '#lib/contract/hub/edges.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

/** Who has come by a line: those that are in, and those that somebody has to take in. */
export function ComeWords({ edges }: { edges: readonly Pick<HubEdge, 'name' | 'state'>[] }) {
	const say = useSay();
	const namesOf = (isPending: boolean) =>
		edges.flatMap(({ name, state }) => ((state === 'pending') === isPending ? name : [])).join(', ');
	const [joined, waiting] = [namesOf(false), namesOf(true)];
	if (edges.length === 0)
		return (
			<>
				<span aria-hidden className="text-wait">
					◆
				</span>
				{say('Waiting for the machine…')}
			</>
		);
	return (
		<>
			{joined !== '' && (
				<>
					<span aria-hidden className="text-ok">
						✓
					</span>
					<Phrase of="Joined: {names}" with={{ names: <AgentText>{joined}</AgentText> }} />
				</>
			)}
			{waiting !== '' && (
				<>
					<span aria-hidden className="text-wait">
						◆
					</span>
					<Phrase of="To be taken in: {names}" with={{ names: <AgentText>{waiting}</AgentText> }} />
				</>
			)}
		</>
	);
}
