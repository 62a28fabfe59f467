import type { EventOf } from '../contract/event.ts';
import type { IndexedEvent, SupervisorView } from './view.ts';

const KEEP = 20;

/** Joins a review with its verdict by (hook, iteration); keeps the newest of them. */
export function foldSupervisor(
	list: readonly SupervisorView[],
	event: EventOf<'supervisor:review' | 'supervisor:verdict'> & Pick<IndexedEvent, 'seq'>,
): SupervisorView[] {
	const { hook, iteration, max } = event;
	const index = list.findLastIndex((item) => item.hook === hook && item.iteration === iteration);
	const before = list[index] ?? { hook, iteration, max, at: event.ts, seq: event.seq };
	const after: SupervisorView =
		event.type === 'supervisor:review'
			? before
			: {
					...before,
					allow: event.allow,
					feedback: event.feedback,
					...(event.durationMs !== undefined && { durationMs: event.durationMs }),
					...(event.failed && { failed: true }),
				};
	return index === -1 ? [...list, after].slice(-KEEP) : list.with(index, after);
}
