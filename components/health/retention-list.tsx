'use client';
import { RetentionPlan } from '#lib/contract/archives/retention.ts';
import { keptWords, policyWords, sizeWords } from '#lib/retention/retention-words.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { callRouteAs } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

const MOST_SHOWN = 20;
const askPlan = () => callRouteAs('GET /api/retention', RetentionPlan);

/** What the retention of the home would remove now, and what it keeps; a page removes nothing. */
export function RetentionList() {
	const say = useSay();
	const { data: plan, error } = useAnswer(askPlan);
	if (!plan) return <p className="text-muted">{error === null ? say('Health is loading') : say.known(error)}</p>;
	const { policy, problems, remove, kept, bytes } = plan;
	const words = policyWords(policy);
	return (
		<>
			{problems.map((problem) => (
				<p key={problem} className="text-warn [overflow-wrap:anywhere]">
					<AgentText>{problem}</AgentText>
				</p>
			))}
			<p>
				{words === ''
					? say('Everything is kept: config.json of the home sets no retention.')
					: say('Set for the home: {numbers}', { numbers: words })}
				{words !== '' && (policy.automatic ? say('; the server does it by itself') : say('; done by hand'))}
			</p>
			{remove.length > 0 && (
				<p>
					<Phrase
						of="{count} would go now, which frees {size}: {advice}"
						with={{
							...{ count: remove.length, size: sizeWords(bytes) },
							advice: (
								<Advice>{say('`signalbox archive prune` compares them with their archives and lists them.')}</Advice>
							),
						}}
					/>
				</p>
			)}
			<ul>
				{remove.slice(0, MOST_SHOWN).map(({ what, id, feature, bytes: size }) => (
					<li key={`${what} ${id}`} className="pl-4 [overflow-wrap:anywhere]">
						{say(what === 'session' ? 'session, kept in the archive of {feature}:' : 'archive of {feature}:', {
							feature,
						})}{' '}
						<AgentText className="font-mono text-mono">{id}</AgentText> {sizeWords(size)}
					</li>
				))}
				{kept.slice(0, MOST_SHOWN).map(({ what, id, because }) => (
					<li key={`${what} ${id}`} className="pl-4 text-muted [overflow-wrap:anywhere]">
						<AgentText className="font-mono text-mono">{id}</AgentText> {say('stays:')} {say(keptWords[because])}
					</li>
				))}
			</ul>
		</>
	);
}
