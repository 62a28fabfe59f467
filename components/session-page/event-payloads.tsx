import dynamic from 'next/dynamic';
import { isKnown } from '#lib/contract/events/is-known.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Say } from '#lib/messages/say.ts';
import { eventFields } from '#lib/session/call-details.ts';
import { useSay } from '../language/use-say.ts';
import { Handoff } from '../session/handoff.tsx';
import { AssessmentOf } from '../session/validators/assessment-of.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';
import { CallInput } from './call-input.tsx';
import { CallOutput } from './call-output.tsx';

const AssessmentCard = dynamic(() =>
	import('../session/validators/assessment-card.tsx').then((module) => module.AssessmentCard),
);

interface Piece {
	name: string;
	value: unknown;
	open: boolean;
	/** An agent's own words, for reading. */
	isReport?: boolean;
}

/** Input, response, error and facts of a row's events, folded. */
export function EventPayloads({ sessionId, events }: { sessionId: string; events: readonly IndexedEvent[] }) {
	return events.map((event) => <EventPayload key={event.id} sessionId={sessionId} event={event} />);
}

function EventPayload({ sessionId, event }: { sessionId: string; event: IndexedEvent }) {
	if (!isKnown(event)) return <Pieces sessionId={sessionId} event={event} />;
	switch (event.type) {
		case 'handoff:create':
			if (event.path !== undefined) return <Handoff sessionId={sessionId} path={event.path} />;
			break;
		case 'validator:assessment':
			return <AssessmentCard sessionId={sessionId} event={event} />;
		case 'gate:verdict': {
			const { assessmentId } = event.facts;
			if (typeof assessmentId === 'string') return <AssessmentOf sessionId={sessionId} assessmentId={assessmentId} />;
			break;
		}
		case 'tool:call':
			return <CallInput sessionId={sessionId} event={event} />;
		case 'tool:result':
		case 'tool:error':
			return <CallOutput sessionId={sessionId} event={event} />;
	}
	return <Pieces sessionId={sessionId} event={event} />;
}

function Pieces({ sessionId, event }: { sessionId: string; event: IndexedEvent }) {
	const say = useSay();
	return piecesOf(event, say).map(({ name, value, open, isReport = false }) => (
		<details key={name} open={open} className="border-line border-t py-1">
			<summary className="flex min-h-8 pointer-coarse:min-h-10 items-center text-muted hover:text-text">
				<AgentText>{say.known(name)}</AgentText>
			</summary>
			<Payload sessionId={sessionId} value={value} isReport={isReport} />
		</details>
	));
}

function piecesOf(event: IndexedEvent, say: Say): Piece[] {
	if (!isKnown(event)) return [{ name: event.type, value: eventFields(event), open: true }];
	switch (event.type) {
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
			return [{ name: say('Prompt'), value: event.prompt, open: true, isReport: true }];
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
