import { useRef, useState } from 'react';
import { NOT_CONNECTED, useConnected } from '../live/store.ts';
import { useMayDecide } from '../live/use-may-decide.ts';
import { useRowEvents } from '../row/use-row-events.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { isCutOff } from '../ui/text/payload.tsx';
import { approveBlock, askOf, rowKeyOfApproval } from './ask.ts';
import { useSettled } from './settled/use-settled.ts';
import { useDecision, useEnded, useUnderWay } from './use-decision.ts';
import type { Question } from './use-questions.ts';
import { deadlineOf } from './waiting.ts';
import { decidedAt } from '#lib/approvals/call-words.ts';

/** How a question stands that is decided in one line, without a reason. */
export type QuickDecision = ReturnType<typeof useQuickDecision>;

/** Everything behind a line that asks; the keys A and D work while the line has the focus. */
export function useQuickDecision({ approval, session, overSince }: Question) {
	const { approvalId } = approval;
	const isOver = overSince !== undefined;
	const [isCut, setCut] = useState(true);
	const cardRef = useRef<HTMLAnchorElement>(null);
	const rowEvents = useRowEvents(session.sessionId, rowKeyOfApproval(approval), approval.state);
	const ask = rowEvents?.events ? askOf(rowEvents.events, approvalId) : null;
	const { state, send, undo } = useDecision(approvalId, deadlineOf(approval));
	const ended = useEnded(approvalId, isOver);
	const isConnected = useConnected();
	const mayDecide = useMayDecide(approvalId);
	const settled = useSettled<HTMLSpanElement>(`${approvalId} ${state.step}`);

	const watched = decidedAt(session.machine);
	const isOpen = !isOver && state.step !== 'done' && state.step !== 'held' && mayDecide && watched === undefined;
	const isFree = isOpen && isConnected && state.step !== 'sending';
	/** The whole question does not fit into the line: it is decided on its card. */
	const isLong = ask !== null && (ask.isQuestion || isCut || isCutOff(ask.input));
	const unread = approveBlock(ask, !isLong);

	const underWay = useUnderWay(approvalId, isOpen && session.machine !== undefined);

	const open = () => cardRef.current?.click();
	function decide(decision: 'approve' | 'deny') {
		if (!isFree || !settled.mayPress()) return;
		if (decision === 'deny' || unread === null) return void send({ decision });
		if (isLong) open();
	}
	const refs = [
		useShortcut<HTMLElement>('approve', () => decide('approve'), isOpen),
		useShortcut<HTMLElement>('deny', () => decide('deny'), isOpen),
	];
	return {
		...{ ask, state, isOver, isOpen, isLong, settled, refs, cardRef, setCut, open, decide, undo },
		/** What the server says of its end; null until it is known. */
		ended: ended?.state === 'waiting' ? null : ended,
		/** Why Deny cannot be pressed now; null when it can. */
		denyBlock: isConnected ? null : NOT_CONNECTED,
		approveBlock: isConnected ? unread : NOT_CONNECTED,
		isBusy: !isFree || !settled.isSettled,
		/** At a hub that only watches this machine: where it is decided. */
		machine: watched,
		/** At a hub: who has decided it, while the machine has not answered. */
		underWay,
	};
}
