import { AgentText } from '../text/agent-text.tsx';
import { DetailFact } from '../ui/detail-fact.tsx';

const NUMBERS = [
	['filesCount', 'Files'],
	['functionsEstimate', 'Functions'],
	['linesEstimate', 'Lines'],
] as const;

/** The evidence that a rating rests on; what the model could not tell is left out. */
export function AssessmentEvidence({ evidence }: { evidence: Readonly<Record<string, unknown>> }) {
	const numbers = NUMBERS.flatMap(([key, name]) => {
		const value = evidence[key];
		return typeof value === 'number' ? [{ name, value }] : [];
	});
	const points = Array.isArray(evidence.integrationPoints) ? evidence.integrationPoints : [];
	const flags = [
		...(evidence.hasMultipleSteps === true ? ['several sequential steps'] : []),
		...(evidence.requiresCoordination === true ? ['coordination between components'] : []),
	];
	return (
		<dl aria-label="Evidence">
			{numbers.map(({ name, value }) => (
				<DetailFact key={name} name={name}>
					{value}
				</DetailFact>
			))}
			{points.length > 0 && (
				<DetailFact name="Touches">
					<AgentText>{points.filter((point) => typeof point === 'string').join(', ')}</AgentText>
				</DetailFact>
			)}
			{flags.length > 0 && <DetailFact name="Needs">{flags.join(', ')}</DetailFact>}
		</dl>
	);
}
