import type { EventOf } from '#lib/contract/events/event.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { DetailFact } from '../../ui/detail-fact.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { CreateSubtasks } from './create-subtasks.tsx';

type Assessment = EventOf<'validator:assessment'>;

/** What a validator found: rating, evidence, reasoning, and what it suggests; marked where no model had a part in it. */
export function AssessmentCard({ sessionId, event }: { sessionId: string; event: Assessment }) {
	const say = useSay();
	const { id, subject, rating, reasoning, evidence, breakdown, warnings = [], suggestions = [], nextTask } = event;
	const subtasks = breakdown?.suggestedSubtasks ?? [];
	const considerations = breakdown?.integrationConsiderations ?? [];
	return (
		<article aria-label={say('Assessment')} className="flex flex-col gap-2 rounded border border-line bg-surface p-3">
			<Head event={event} />
			{subject && <AgentText className="font-semibold [overflow-wrap:anywhere]">{subject}</AgentText>}
			{event.fallback && (
				<p className="text-warn">
					<span aria-hidden>▲ </span>
					<Phrase
						of="Fallback: {why}. This is the rule’s own answer, not a judgement."
						with={{ why: <AgentText>{event.fallbackReason ?? say('no model was asked')}</AgentText> }}
					/>
				</p>
			)}
			{reasoning && <AgentText className="[overflow-wrap:anywhere]">{reasoning}</AgentText>}
			{evidence && !(event.fallback && rating === 'moderate') && <Evidence evidence={evidence} />}
			{breakdown?.reasoning && <AgentText className="[overflow-wrap:anywhere]">{breakdown.reasoning}</AgentText>}
			<Items name={say('Warnings')} items={warnings} className="text-warn" />
			{nextTask && (
				<p>
					<span className="text-muted">{say('Recommended next task: ')}</span>
					<AgentText className="font-semibold">{nextTask.description}</AgentText>
				</p>
			)}
			<Items
				name={say('Suggestions')}
				items={suggestions.filter((line) => !line.startsWith('Recommended next task'))}
			/>
			<Items name={say('Suggested subtasks')} items={subtasks} isOrdered />
			<Items name={say('Where they meet')} items={considerations} />
			{subtasks.length > 0 && <CreateSubtasks sessionId={sessionId} assessmentId={id} subtasks={subtasks} />}
		</article>
	);
}

function Head({ event: { ts, validator, allowed, rating, model, durationMs } }: { event: Assessment }) {
	const say = useSay();
	return (
		<p className="flex flex-wrap gap-x-3">
			<span className="font-mono text-mono text-muted">{clockTime(ts)}</span>
			<AgentText>{validator}</AgentText>
			<span className={allowed ? 'text-ok' : 'text-err'}>
				<span aria-hidden>{allowed ? '✓ ' : '✕ '}</span>
				{allowed ? say('allowed') : say('blocked')}
			</span>
			{rating && <AgentText>{rating}</AgentText>}
			{model && <AgentText className="text-muted">{model}</AgentText>}
			{durationMs !== undefined && <span className="text-muted">{spanDuration(durationMs, say.language)}</span>}
		</p>
	);
}

/** What a rating rests on; what the model could not tell is left out. */
function Evidence({ evidence }: { evidence: Readonly<Record<string, unknown>> }) {
	const say = useSay();
	const points = Array.isArray(evidence.integrationPoints) ? evidence.integrationPoints : [];
	const facts = [
		[say('Files'), evidence.filesCount],
		[say('Functions'), evidence.functionsEstimate],
		[say('Lines'), evidence.linesEstimate],
		[say('Touches'), points.filter((point) => typeof point === 'string').join(', ')],
		[say('Needs'), evidence.hasMultipleSteps === true && say('several sequential steps')],
		[say('Needs'), evidence.requiresCoordination === true && say('coordination between components')],
	] as const;
	return (
		<dl aria-label={say('Evidence')}>
			{facts.map(([name, value]) =>
				(typeof value === 'number' || typeof value === 'string') && value !== '' ? (
					<DetailFact key={`${name} ${value}`} name={name}>
						<AgentText>{String(value)}</AgentText>
					</DetailFact>
				) : null,
			)}
		</dl>
	);
}

function Items(props: { name: string; items: readonly string[]; isOrdered?: boolean; className?: string }) {
	if (props.items.length === 0) return null;
	const List = props.isOrdered ? 'ol' : 'ul';
	return (
		<section aria-label={props.name}>
			<h3 className="text-muted text-small">{props.name}</h3>
			<List className={props.isOrdered ? 'list-decimal pl-5' : 'list-disc pl-5'}>
				{props.items.map((item) => (
					<li key={item} className={props.className}>
						<AgentText className="[overflow-wrap:anywhere]">{item}</AgentText>
					</li>
				))}
			</List>
		</section>
	);
}
