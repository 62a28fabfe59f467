import type { KnownEvent } from '../contract/events/event.ts';
import { defined } from '../json/json.ts';

export interface LoopState {
	iteration: number;
	stopped: boolean;
	consecutiveErrors: number;
	startedAt: string;
	stoppedAt?: string;
	stopReason?: string;
	failed?: string[];
}

/** At these limits the loop ends. */
export const LOOP_LIMITS = { iterations: 100, consecutiveErrors: 3 } as const;

const MAX_FAILED = 20;

/** A new workflow begins a new loop. */
export function foldLoop(loop: LoopState | null, event: KnownEvent): LoopState | null {
	switch (event.type) {
		case 'workflow:adopt':
			return event.file === 'loop.json' ? (readLoop(event.state) ?? loop) : loop;
		case 'loop:start':
			return { iteration: 0, stopped: false, consecutiveErrors: 0, startedAt: event.ts };
		case 'loop:advance':
			return loop && { ...loop, iteration: event.iteration };
		case 'loop:complete': {
			const reason = event.reason === undefined ? {} : { stopReason: event.reason };
			return loop && { ...loop, stopped: true, stoppedAt: event.ts, ...reason };
		}
		case 'agent:start':
			return loop?.failed ? { ...loop, failed: loop.failed.filter((id) => id !== event.agentId) } : loop;
		case 'agent:error':
			return loop && withError(loop, event.agentId);
		case 'session:start':
			return loop && event.source !== 'compact' ? withoutErrors(loop) : loop;
		case 'agent:complete':
		case 'session:end':
			return loop && withoutErrors(loop);
		default:
			return loop;
	}
}

function withError(loop: LoopState, agentId: string | undefined): LoopState {
	const { failed = [] } = loop;
	if (agentId !== undefined && failed.includes(agentId)) return loop;
	const counted = { ...loop, consecutiveErrors: loop.consecutiveErrors + 1 };
	return agentId === undefined ? counted : { ...counted, failed: [...failed, agentId].slice(-MAX_FAILED) };
}

/** Agents that a session ended with have not failed. */
function withoutErrors(loop: LoopState): LoopState {
	const { failed: _failed, ...rest } = loop;
	return loop.consecutiveErrors === 0 ? loop : { ...rest, consecutiveErrors: 0 };
}

/** Another program may have written the file: wrong fields get safe values, and null is no loop at all. */
export function readLoop(value: unknown): LoopState | null {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
	const file = value as Record<string, unknown>;
	const count = (found: unknown): number => (Number.isSafeInteger(found) && Number(found) > 0 ? Number(found) : 0);
	const text = (found: unknown): string | undefined => (typeof found === 'string' ? found.slice(0, 1000) : undefined);
	if (typeof file.iteration !== 'number') return null;
	const failed = Array.isArray(file.failed) ? file.failed.filter((id) => typeof id === 'string') : [];
	return {
		iteration: count(file.iteration),
		stopped: file.stopped === true,
		consecutiveErrors: count(file.consecutiveErrors),
		startedAt: text(file.startedAt) ?? '',
		...defined({ stoppedAt: text(file.stoppedAt) || undefined, stopReason: text(file.stopReason) || undefined }),
		...(failed.length > 0 && { failed: failed.slice(-MAX_FAILED) }),
	};
}
