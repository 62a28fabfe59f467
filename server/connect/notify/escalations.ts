import { isKnown } from '#lib/contract/events/is-known.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';

/** Questions that a second channel hears of only if nobody has answered when the deadline comes near. */
export interface Escalations {
	plan(question: IndexedEvent, secondsBefore: number, push: () => void): void;
	/** The question has ended. */
	cancel(end: IndexedEvent): void;
	stop(): void;
}

export function createEscalations(now: () => number): Escalations {
	const timers = new Map<string, NodeJS.Timeout[]>();
	const drop = (approvalId: string) => {
		for (const timer of timers.get(approvalId) ?? []) clearTimeout(timer);
		timers.delete(approvalId);
	};
	return {
		plan(question, secondsBefore, push) {
			if (!isKnown(question) || question.type !== 'approval:request') return;
			const { approvalId, deadline } = question;
			const leftMs = Date.parse(deadline) - now();
			const pushing = setTimeout(push, Math.max(0, leftMs - secondsBefore * 1000)).unref();
			// An end that is never told, as after a crash, must not keep its question in memory.
			const forgetting = setTimeout(drop, Math.max(0, leftMs), approvalId).unref();
			timers.set(approvalId, [...(timers.get(approvalId) ?? []), pushing, forgetting]);
		},
		cancel(end) {
			if ('approvalId' in end && typeof end.approvalId === 'string') drop(end.approvalId);
		},
		stop() {
			for (const approvalId of [...timers.keys()]) drop(approvalId);
		},
	};
}
