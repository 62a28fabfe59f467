import { useSay } from '../../language/use-say.ts';
import { DetailFact } from '../../ui/detail-fact.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

const NUMBERS = [
	['filesCount', 'Files'],
	['functionsEstimate', 'Functions'],
	['linesEstimate', 'Lines'],
] as const;

/** The evidence that a rating rests on; what the model could not tell is left out. */
export function AssessmentEvidence({ evidence }: { evidence: Readonly<Record<string, unknown>> }) {
	const say = useSay();
	const numbers = NUMBERS.flatMap(([key, name]) => {
		const value = evidence[key];
		return typeof value === 'number' ? [{ name, value }] : [];
	});
	const points = Array.isArray(evidence.integrationPoints) ? evidence.integrationPoints : [];
	const flags = [
		...(evidence.hasMultipleSteps === true ? [say('several sequential steps')] : []),
		...(evidence.requiresCoordination === true ? [say('coordination between components')] : []),
	];
	return (
		<dl aria-label={say('Evidence')}>
			{numbers.map(({ name, value }) => (
				<DetailFact key={name} name={say(name)}>
					{value}
				</DetailFact>
			))}
			{points.length > 0 && (
				<DetailFact name={say('Touches')}>
					<AgentText>{points.filter((point) => typeof point === 'string').join(', ')}</AgentText>
				</DetailFact>
			)}
			{flags.length > 0 && <DetailFact name={say('Needs')}>{flags.join(say(', '))}</DetailFact>}
		</dl>
	);
}
