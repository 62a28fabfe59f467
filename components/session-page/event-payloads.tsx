import dynamic from 'next/dynamic';
import { useCallback } from 'react';
import { editsOfCall } from '#lib/agents/file-edits.ts';
import { callKind } from '#lib/agents/recorded-event.ts';
import type { EventOf } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { isJson, type Json } from '#lib/json/json.ts';
import type { Say } from '#lib/messages/say.ts';
import { exitCodeOf, printedBy } from '#lib/session/command-result.ts';
import { editorAddress } from '#lib/session/editor-address.ts';
import { eventFields } from '#lib/session/event-fields.ts';
import { failuresIn } from '#lib/session/failures.ts';
import { shortPath } from '#lib/text/printable.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Alert } from '../ui/answer-state.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';
import { Toned } from '../ui/tone.tsx';

interface EventPart {
	name: string;
	value: unknown;
	open: boolean;
	isReport?: boolean;
}

export function EventPayloads({ sessionId, events }: { sessionId: string; events: readonly IndexedEvent[] }) {
	return events.map((event) => <EventPayload key={event.id} sessionId={sessionId} event={event} />);
}

function EventPayload({ sessionId, event }: { sessionId: string; event: IndexedEvent }) {
	if (!isKnown(event)) return <EventParts sessionId={sessionId} event={event} />;
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
	return <EventParts sessionId={sessionId} event={event} />;
}

const FOLD = { className: 'border-line border-t py-1', titleClassName: 'text-muted hover:text-text' };

function EventParts({ sessionId, event }: { sessionId: string; event: IndexedEvent }) {
	const say = useSay();
	return partsOf(event, say).map(({ name, value, open, isReport = false }) => (
		<Fold key={name} {...FOLD} title={<AgentText>{say.known(name)}</AgentText>} isOpen={open}>
			<Payload sessionId={sessionId} value={value} isReport={isReport} />
		</Fold>
	));
}

function partsOf(event: IndexedEvent, say: Say): EventPart[] {
	if (!isKnown(event)) return [{ name: event.type, value: eventFields(event), open: true }];
	// The input of the call already shows this.
	if (event.type === 'agent:delegate' && event.toolUseId) return [];
	switch (event.type) {
		case 'gate:verdict':
			return [{ name: say('Facts of {gate}', { gate: event.gate }), value: event.facts, open: false }];
		case 'routing:mismatch':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:abandon':
		case 'approval:late':
			return [];
		case 'approval:request':
			return [{ name: say('Asked of a person'), value: eventFields(event), open: false }];
		case 'prompt:submit':
			return report(say('Prompt'), event.prompt);
		case 'message:show':
			return report(say('Message'), event.text);
		case 'supervisor:verdict':
			return report(say('Feedback'), event.feedback);
		default: {
			const fields = eventFields(event);
			return Object.keys(fields).length === 0 ? [] : report(event.label, fields);
		}
	}
}

const report = (name: string, value: unknown): EventPart[] => [{ name, value, open: true, isReport: true }];

const AssessmentCard = dynamic(() =>
	import('../session/validators/assessment-card.tsx').then((module) => module.AssessmentCard),
);
const AssessmentOf = dynamic(() =>
	import('../session/validators/assessment-card.tsx').then((module) => module.AssessmentOf),
);
const EditDiff = dynamic(() => import('../ui/text/edit-diff.tsx').then((module) => module.EditDiff));

function CallInput({ sessionId, event }: { sessionId: string; event: EventOf<'tool:call'> }) {
	const say = useSay();
	const input = isJson(event.input) ? event.input : {};
	const edits = editsOfCall(event).filter(({ pieces }) => pieces.length > 0);
	const ran = callKind(event).startsWith('run-') ? textIn(input, 'command') : undefined;
	// The heading of the row shows a short one.
	const command = ran && /^.{1,90}$/.test(ran) ? undefined : ran;
	const plan = callKind(event) === 'show-plan' ? textIn(input, 'plan') : undefined;
	const isDocument = /\.(?:md|markdown)$/i.test(editsOfCall(event)[0]?.path ?? '');
	const document = plan ?? (isDocument ? textIn(input, 'content') : undefined);
	const folder = useSession(sessionId, ({ view }) => view?.cwd ?? null);
	const isPlain = edits.length === 0 && ran === undefined && document === undefined;
	return (
		<>
			{command !== undefined && (
				<section aria-label={say('Command')} className="flex flex-col gap-1">
					<div className="flex min-h-8 items-center gap-x-3">
						<AgentText className="min-w-0 text-muted">{textIn(input, 'description') ?? say('Command')}</AgentText>
						<span className="ml-auto">
							<CopyButton label={say('Copy')} text={() => command} />
						</span>
					</div>
					<Payload sessionId={sessionId} value={command} />
				</section>
			)}
			{edits.map((edit, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call keep their order, and several may be of one file.
				<section key={index} aria-label={say('Change')} className="py-1">
					<EditDiff
						edit={{ ...edit, path: shortPath(edit.path, folder) }}
						aside={<InEditor sessionId={sessionId} path={edit.path} />}
					/>
				</section>
			))}
			{document !== undefined && (
				<section aria-label={plan === undefined ? say('Document') : say('Plan')} className="py-1">
					<Payload sessionId={sessionId} value={document} isReport />
				</section>
			)}
			<Fold {...FOLD} title={say('Input')} isOpen={isPlain}>
				<Payload sessionId={sessionId} value={event.input} />
			</Fold>
		</>
	);
}

/** Link that opens a file in the editor. Only for files of the project, because the path comes from an agent. */
function InEditor({ sessionId, path }: { sessionId: string; path: string }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const folder = useSession(sessionId, ({ view }) => (view?.machine ? null : (view?.cwd ?? null)));
	const address = isLive && folder ? editorAddress(path, folder) : undefined;
	if (address === undefined) return null;
	return (
		<a href={address} className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-10">
			{say('Open in editor')}
		</a>
	);
}

function textIn(input: Json, name: string): string | undefined {
	const value = input[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function CallOutput({ sessionId, event }: { sessionId: string; event: EventOf<'tool:result' | 'tool:error'> }) {
	const say = useSay();
	const isError = event.type === 'tool:error';
	const value = isError ? event.error : event.response;
	const isTerminal = callKind(event).startsWith('run-');
	if (value === undefined) return null;
	const printed = isTerminal ? printedBy(value) : undefined;
	const code = isTerminal ? exitCodeOf(value) : undefined;
	const text = printed ?? value;
	const exit = code !== undefined && !isError && say('exit code {code}', { code: String(code) });
	const title = [say(isError ? 'Whole output' : 'Output'), ' ', exit];
	return (
		// What failed stands above, read from it.
		<Fold {...FOLD} title={title} isOpen={!isError || failuresIn(printed ?? '').length === 0}>
			{text === '' ? (
				<p className="text-muted">{say('It printed nothing.')}</p>
			) : (
				<Payload sessionId={sessionId} value={text} isTerminal={isTerminal} />
			)}
			{typeof text === 'string' && text !== '' && <CopyButton label={say('Copy')} text={() => text} />}
		</Fold>
	);
}

/** What failed in a command, before its whole output. */
export function Failures({ events }: { events: readonly IndexedEvent[] }) {
	const say = useSay();
	const output = events.find(
		(event) => isKnown(event) && event.type === 'tool:error' && callKind(event).startsWith('run-'),
	);
	const failures = failuresIn(printedBy(output && eventFields(output).error) ?? '');
	return (
		<section aria-label={say('What failed')} className="rounded border-err border-l-2 bg-raised px-3 py-2 empty:hidden">
			{failures.map(({ name, why }) => (
				<Toned key={name} tone="err" as="p" className="py-1 [overflow-wrap:anywhere]">
					<AgentText className="font-medium">{name}</AgentText>
					{why.split('\n').map((line, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text keep their order.
						<AgentText key={index} block className="text-text">
							{line || ' '}
						</AgentText>
					))}
				</Toned>
			))}
		</section>
	);
}

/** A handoff between stages: the text of the file, or its path if the file is gone. */
function Handoff({ sessionId, path }: { sessionId: string; path: string }) {
	const say = useSay();
	const { getHandoff } = useSessionSource();
	const name = path.slice(path.lastIndexOf('/') + 1);
	const ask = useCallback(() => getHandoff(sessionId, name), [getHandoff, sessionId, name]);
	const { data, error } = useAnswer(ask);
	return (
		<section aria-label={say('Handoff')} className="flex flex-col gap-1 border-line border-t py-1">
			<AgentText className="font-mono text-mono text-muted">{path}</AgentText>
			{data !== null && <Payload sessionId={sessionId} value={data} isReport />}
			<Alert>{error}</Alert>
		</section>
	);
}
