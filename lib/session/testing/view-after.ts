import type { FieldsOf } from '../../contract/events/event.ts';
import { categoryOf, type EventType } from '../../contract/events/event-labels.ts';
import type { IndexedEvent, SessionView } from '../../contract/sessions/read-model/session-view.ts';
import { workflows } from '../../workflow/registry.ts';
import { emptyView, fold } from '../fold.ts';

/** One event by its type and fields; `agentId` if a sub-agent reports it. */
export type EventTuple = { [T in EventType]: [T, FieldsOf<T>, agentId?: string] }[EventType];

/** The view of a session in which these events happened, a minute apart. */
export function viewAfter(...events: EventTuple[]): SessionView {
	let view = emptyView('s');
	for (const [index, [type, fields, agentId]] of events.entries()) {
		const ts = new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString();
		const envelope = {
			id: `e${index}`,
			ts,
			category: categoryOf(type),
			label: '',
			sessionId: 's',
			seq: index + 1,
			agentId,
		};
		view = fold(view, { ...envelope, type, ...fields } as IndexedEvent, () => undefined).view;
	}
	return view;
}

/** A `standard` workflow begins. */
export const started: EventTuple = [
	'workflow:start',
	{ workflowType: 'standard', stages: [...workflows.standard.stages] },
];

/** A stage runs and ends; a bad end is followed by the retry that it causes. */
export const ran = (stage: string, result = 'pass', reason?: string): EventTuple[] => [
	['stage:start', { stage }],
	['stage:complete', { stage, result }],
	...(/^(?:fail|reject)$/i.test(result) ? ([['stage:retry', { stage, reason }]] as EventTuple[]) : []),
];

/** The stages before the parallel group have passed. */
export const upToDev = [started, ...ran('PLAN'), ...ran('ARCH'), ...ran('TEST'), ...ran('DEV')];
