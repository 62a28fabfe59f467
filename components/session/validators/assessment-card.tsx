import { useState } from 'react';
import type { EventOf } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { printable } from '#lib/text/printable.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useMayAct } from '../../live/hub.tsx';
import { useSessionSource } from '../../live/session-source.ts';
import { useAction } from '../../live/use-action.ts';
import { useRowEvents } from '../../row/row-hooks.ts';
import { Alert, Skeleton } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DetailFact } from '../../ui/detail-fact.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Toned } from '../../ui/tone.tsx';

type Assessment = EventOf<'validator:assessment'>;

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
				<Toned tone="warn" as="p">
					<Phrase
						of="Fallback: {why}. This is the rule’s own answer, not a judgement."
						with={{ why: <AgentText>{event.fallbackReason ?? say('no model was asked')}</AgentText> }}
					/>
				</Toned>
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
			<Toned tone={allowed ? 'ok' : 'err'}>{allowed ? say('allowed') : say('denied')}</Toned>
			{rating && <AgentText>{rating}</AgentText>}
			{model && <AgentText className="text-muted">{model}</AgentText>}
			{durationMs !== undefined && <span className="text-muted">{spanDuration(durationMs, say.language)}</span>}
		</p>
	);
}

/** The basis of a rating, without what the model left out. */
function Evidence({ evidence }: { evidence: Readonly<Record<string, unknown>> }) {
	const say = useSay();
	const { integrationPoints: points, ...found } = evidence;
	const facts = [
		[say('Files'), found.filesCount],
		[say('Functions'), found.functionsEstimate],
		[say('Lines'), found.linesEstimate],
		[say('Touches'), Array.isArray(points) && points.filter((point) => typeof point === 'string').join(', ')],
		[say('Needs'), found.hasMultipleSteps === true && say('several sequential steps')],
		[say('Needs'), found.requiresCoordination === true && say('coordination between components')],
	] as const;
	return (
		<dl aria-label={say('Evidence')}>
			{facts.map(([name, value]) => (
				<DetailFact key={`${name} ${value}`} name={name}>
					{typeof value === 'number' || typeof value === 'string' ? String(value) : null}
				</DetailFact>
			))}
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

/** Adds the suggestions to the tasks.md of the session's feature. Without a feature or the right to, copies them. */
function CreateSubtasks(props: { sessionId: string; assessmentId: string; subtasks: readonly string[] }) {
	const { sessionId, assessmentId, subtasks } = props;
	const say = useSay();
	const { isLive } = useSessionSource();
	const mayDecide = useMayAct('subtasks');
	const { isBusy, refusal, run } = useAction();
	const [done, setDone] = useState<string | null>(null);

	async function create() {
		const request = { params: { id: sessionId }, body: { assessmentId } };
		const answer = await run(callRoute('POST /api/sessions/:id/subtasks', request));
		if (!answer.ok) return setDone(null);
		const { feature, added } = answer.data.created;
		const count = added.length;
		setDone(
			count === 0
				? say('They are in {feature} already.', { feature })
				: say('{count} {count:task|tasks} added to {feature}.', { count, feature }),
		);
	}

	return (
		<div className="flex flex-wrap items-center gap-2 pt-1">
			{isLive && mayDecide && (
				<Button size="small" disabled={isBusy} onClick={() => void create()}>
					{say('Create these subtasks')}
				</Button>
			)}
			<CopyButton
				label={say('Copy as tasks')}
				text={() => subtasks.map((subtask) => `- [ ] ${printable(subtask, 300)}\n`).join('')}
			/>
			<span role="status">
				{done !== null && (
					<Toned tone="ok">
						<AgentText>{done}</AgentText>
					</Toned>
				)}
			</span>
			<Alert>{refusal}</Alert>
		</div>
	);
}

/** Loads an assessment by its id, for a card beside the call that it is about. */
export function AssessmentOf({ sessionId, assessmentId }: { sessionId: string; assessmentId: string }) {
	const say = useSay();
	const rowEvents = useRowEvents(sessionId, `event:${assessmentId}`, null);
	if (!rowEvents) return <Skeleton label={say('The assessment is loading')} />;
	const event = rowEvents.events?.find((one) => one.id === assessmentId);
	if (event && isKnown(event) && event.type === 'validator:assessment') {
		return <AssessmentCard sessionId={sessionId} event={event} />;
	}
	return rowEvents.error ? <p className="text-warn">{say.known(rowEvents.error)}</p> : null;
}
