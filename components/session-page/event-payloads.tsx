import dynamic from 'next/dynamic';
import { callKind } from '#lib/agents/recorded-event.ts';
import { editsOfCall, type ToldEdit } from '#lib/agents/told-edit.ts';
import type { EventOf } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/is-known.ts';
import { isJson } from '#lib/json/json.ts';
import type { Say } from '#lib/messages/say.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { useSay } from '../language/use-say.ts';
import { eventFields } from '../session/event-fields.ts';
import { Handoff } from '../session/handoff.tsx';
import { AssessmentOf } from '../session/validators/assessment-of.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';

const AssessmentCard = dynamic(() =>
	import('../session/validators/assessment-card.tsx').then((module) => module.AssessmentCard),
);

const EditDiff = dynamic(() => import('../ui/text/edit-diff.tsx').then((module) => module.EditDiff));

const isCommand = (event: { tool: string }): boolean => /^run-/.test(callKind(event));

interface Piece {
	name: string;
	value: unknown;
	open: boolean;
	/** An agent's own words, for reading. */
	isReport?: boolean;
	/** What a command printed. */
	isTerminal?: boolean;
}

/** Input, response, error and facts of a row's events, folded. */
export function EventPayloads({ sessionId, events }: { sessionId: string; events: readonly IndexedEvent[] }) {
	const say = useSay();
	return events.flatMap((event) => {
		if (isKnown(event) && event.type === 'handoff:create' && event.path !== undefined) {
			return <Handoff key={event.id} sessionId={sessionId} path={event.path} />;
		}
		if (isKnown(event) && event.type === 'validator:assessment') {
			return <AssessmentCard key={event.id} sessionId={sessionId} event={event} />;
		}
		const assessmentId = isKnown(event) && event.type === 'gate:verdict' ? event.facts.assessmentId : undefined;
		if (typeof assessmentId === 'string') {
			return <AssessmentOf key={event.id} sessionId={sessionId} assessmentId={assessmentId} />;
		}
		const told = isKnown(event) && event.type === 'tool:call' ? editsOfCall(event) : [];
		const edits = told.filter(({ pieces }) => pieces.length > 0);
		const pieces = piecesOf(event, edits.length > 0, say).map(
			({ name, value, open, isReport = false, isTerminal = false }) => (
				<details key={`${event.id} ${name}`} open={open} className="border-line border-t py-1">
					<summary className="flex h-7 items-center text-muted hover:text-text">
						<AgentText>{say.known(name)}</AgentText>
					</summary>
					<Payload sessionId={sessionId} value={value} isReport={isReport} isTerminal={isTerminal} />
				</details>
			),
		);
		return edits.length > 0 ? [<Change key={`${event.id} change`} edits={edits} />, ...pieces] : pieces;
	});
}

function Change({ edits }: { edits: readonly ToldEdit[] }) {
	const say = useSay();
	return (
		<details open className="border-line border-t py-1">
			<summary className="flex h-7 items-center text-muted hover:text-text">{say('Change')}</summary>
			{edits.map((edit, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call never move, and may be of one file.
				<EditDiff key={at} edit={edit} />
			))}
		</details>
	);
}

/** What a call writes or shows that is Markdown: a plan, or the whole of such a file. */
function documentIn(event: Pick<EventOf<'tool:call'>, 'tool' | 'does' | 'input'>, say: Say): Piece[] {
	const { input } = event;
	if (!isJson(input)) return [];
	if (callKind(event) === 'show-plan' && input.plan !== undefined)
		return [{ name: say('Plan'), value: input.plan, open: true, isReport: true }];
	const isDocument = input.content !== undefined && /\.(?:md|markdown)$/i.test(editsOfCall(event)[0]?.path ?? '');
	return isDocument ? [{ name: say('Document'), value: input.content, open: false, isReport: true }] : [];
}

function piecesOf(event: IndexedEvent, isEdit: boolean, say: Say): Piece[] {
	if (!isKnown(event)) return [{ name: event.type, value: eventFields(event), open: true }];
	switch (event.type) {
		case 'tool:call':
			return [...documentIn(event, say), { name: say('Input'), value: event.input, open: !isEdit }];
		case 'tool:result':
			return event.response === undefined
				? []
				: [{ name: say('Response'), value: event.response, open: true, isTerminal: isCommand(event) }];
		case 'tool:error':
			return [{ name: say('Error'), value: event.error, open: true, isTerminal: isCommand(event) }];
		case 'gate:verdict':
			return [{ name: say('Facts of {gate}', { gate: event.gate }), value: event.facts, open: false }];
		case 'routing:mismatch':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:late':
			return [];
		case 'approval:request':
			return [{ name: say('Asked of a person'), value: eventFields(event), open: false }];
		case 'prompt:submit':
			return [{ name: say('Prompt'), value: event.prompt, open: true }];
		case 'message:show':
			return [{ name: say('Message'), value: event.text, open: true, isReport: true }];
		case 'supervisor:verdict':
			return [{ name: say('Feedback'), value: event.feedback, open: true, isReport: true }];
		default: {
			const fields = eventFields(event);
			return Object.keys(fields).length === 0 ? [] : [{ name: event.label, value: fields, open: true, isReport: true }];
		}
	}
}
