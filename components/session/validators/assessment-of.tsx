import { isKnown } from '#lib/contract/events/is-known.ts';
import { useSay } from '../../language/use-say.ts';
import { useRowEvents } from '../../row/use-row-events.ts';
import { Skeleton } from '../../ui/answer-state.tsx';
import { AssessmentCard } from './assessment-card.tsx';

/** The card of an assessment that is known by its event's id. */
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
