import { isKnown } from '#lib/contract/event.ts';
import type { IndexedEvent } from '#lib/session/view.ts';

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
			const ms = Math.max(0, Date.parse(deadline) - secondsBefore * 1000 - now());
			timers.set(approvalId, [...(timers.get(approvalId) ?? []), setTimeout(push, ms).unref()]);
			setTimeout(() => drop(approvalId), Math.max(0, Date.parse(deadline) - now())).unref();
		},
		cancel(end) {
			if ('approvalId' in end && typeof end.approvalId === 'string') drop(end.approvalId);
		},
		stop() {
			for (const approvalId of [...timers.keys()]) drop(approvalId);
		},
	};
}
