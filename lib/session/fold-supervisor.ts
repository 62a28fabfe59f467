import type { EventOf } from '../contract/events/event.ts';
import type { IndexedEvent, SupervisorView } from './view.ts';

const KEEP = 20;

type SupervisorEvent = EventOf<'supervisor:review' | 'supervisor:verdict'> & Pick<IndexedEvent, 'seq'>;

/**
 * Joins a review with its verdict, which names it as its cause; keeps the newest of them. A verdict without a cause
 * (another program's) belongs to the last review of the same hook and iteration that is still open.
 */
export function foldSupervisor(list: readonly SupervisorView[], event: SupervisorEvent): SupervisorView[] {
	const index = list.findLastIndex((item) => isSame(item, event));
	const { hook, iteration, max, toolUseId } = event;
	const start: SupervisorView = { hook, iteration, max, at: event.ts, seq: event.seq, ...(toolUseId && { toolUseId }) };
	const before = list[index] ?? start;
	const after = event.type === 'supervisor:review' ? reviewed(before, event) : judged(before, event);
	return index === -1 ? [...list, after].slice(-KEEP) : list.with(index, after);
}

function isSame(item: SupervisorView, event: SupervisorEvent): boolean {
	if (event.type === 'supervisor:review') return item.reviewId === event.id;
	if (event.causedBy !== undefined) return item.reviewId === event.causedBy;
	return (
		event.by === undefined && item.hook === event.hook && item.iteration === event.iteration && item.allow === undefined
	);
}

function reviewed(before: SupervisorView, event: EventOf<'supervisor:review'>): SupervisorView {
	return {
		...before,
		at: event.ts,
		reviewId: event.id,
		...(event.deadline !== undefined && { deadline: event.deadline }),
	};
}

function judged(before: SupervisorView, event: EventOf<'supervisor:verdict'>): SupervisorView {
	const { cutOffAt: _cut, ...open } = before;
	return {
		...open,
		...(event.causedBy !== undefined && { reviewId: event.causedBy }),
		allow: event.allow,
		feedback: event.feedback,
		...(event.durationMs !== undefined && { durationMs: event.durationMs }),
		...(event.by !== undefined && { by: event.by }),
		...(event.failed && { failed: true }),
		...(event.error !== undefined && { error: event.error }),
		...(event.reviewer !== undefined && { reviewer: event.reviewer }),
	};
}

/** What still waits for a verdict when the session or its agent ends gets none any more. */
export function cutOffReviews(list: SupervisorView[], at: string): SupervisorView[] {
	if (list.every((item) => item.allow !== undefined || item.cutOffAt !== undefined)) return list;
	return list.map((item) =>
		item.allow === undefined && item.cutOffAt === undefined ? { ...item, cutOffAt: at } : item,
	);
}
