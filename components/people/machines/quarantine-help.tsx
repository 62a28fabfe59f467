import type { HubEdge } from '#lib/contract/hub/edges.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

const LEAVE = 'signalbox leave';
const leave = <code className="font-mono text-mono">{LEAVE}</code>;

/** What a quarantine means, and the two ways out of it. */
export function QuarantineHelp({ reason }: Pick<HubEdge, 'reason'>) {
	const say = useSay();
	return (
		<section aria-label={say('Quarantine')} className="mx-4 mb-2 border-warn border-l-2 pl-3">
			<p className="text-warn">
				<AgentText>{say.told(reason ?? '')}</AgentText>
			</p>
			<p className="pt-1">
				{say(
					'Two machines may hold its key: a copied disk, or one that was restored from a backup. The hub takes nothing more of it until somebody has looked. The machine works on, and what is missing is sent afterwards.',
				)}
			</p>
			<ol className="list-decimal pt-1 pl-5">
				<li>
					<Phrase
						of="It is the right one: run {leave} on the copy, then take this machine back. The copy joins with a code of its own."
						with={{ leave }}
					/>
				</li>
				<li>
					<Phrase
						of="Nobody can say which is right: revoke it. On each, run {leave} and join with a new code."
						with={{ leave }}
					/>
				</li>
			</ol>
		</section>
	);
}
