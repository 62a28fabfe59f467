import type { ApprovalState } from '../contract/approvals/approval-record.ts';
import type { Decision } from '../contract/events/catalogue/approval.ts';
import { decidedState } from '../session/fold-approval.ts';

/** Milliseconds on two clocks: `wall` may be set, `steady` only rises. */
export interface Instant {
	wall: number;
	monotonic: number;
}

export interface TicketState {
	readonly state: ApprovalState;
	readonly deadline: Instant;
}

export type TicketMove = { kind: 'decide'; decision: Decision } | { kind: 'expire' } | { kind: 'abandon' };

/** `decided`: somebody decided before. `late`: nobody waits any more. `early`: its time is not over. */
export type TicketRefusal = 'decided' | 'late' | 'early';

export function openTicket(now: Instant, holdMs: number): TicketState {
	return { state: 'waiting', deadline: { wall: now.wall + holdMs, monotonic: now.monotonic + holdMs } };
}

/** On either clock: a clock set back never prolongs an approval. */
export function isPast(ticket: TicketState, now: Instant): boolean {
	return now.wall >= ticket.deadline.wall || now.monotonic >= ticket.deadline.monotonic;
}

/** Until the earlier end on its two clocks. */
export function leftMs({ deadline }: TicketState, now: Instant): number {
	return Math.min(deadline.wall - now.wall, deadline.monotonic - now.monotonic);
}

/** The first answer wins. One past the deadline is late even if the ticket has not expired yet. */
export function moveTicket(
	ticket: TicketState,
	move: TicketMove,
	now: Instant,
): { ok: true; state: TicketState } | { ok: false; refusal: TicketRefusal } {
	switch (ticket.state) {
		case 'approved':
		case 'denied':
		case 'answered':
		case 'late':
			return { ok: false, refusal: 'decided' };
		case 'expired':
		case 'abandoned':
			return { ok: false, refusal: 'late' };
		case 'waiting':
			break;
	}
	const past = isPast(ticket, now);
	switch (move.kind) {
		case 'decide':
			if (past) return { ok: false, refusal: 'late' };
			return { ok: true, state: { ...ticket, state: decidedState[move.decision] } };
		case 'expire':
			if (!past) return { ok: false, refusal: 'early' };
			return { ok: true, state: { ...ticket, state: 'expired' } };
		case 'abandon':
			return { ok: true, state: { ...ticket, state: 'abandoned' } };
	}
}

/** A hook that its own timeout kills lets the call run, so ours ends earlier. */
const MARGIN_SECONDS = 10;

export interface HoldRule {
	settingSeconds: number;
	/** SIGNALBOX_HOLD_SECONDS: holds even with nobody present, 0 never; null: unset. */
	forcedSeconds: number | null;
	operatorPresent: boolean;
	timeoutSeconds: number | undefined;
	/** A caller that cannot fetch its answer later waits only if holding is forced. */
	polls: boolean;
}

/** Milliseconds to hold a denial, or null for no ticket. Without the hook's timeout there is none, unless holding is forced. */
export function holdMs(rule: HoldRule): number | null {
	const { forcedSeconds, timeoutSeconds, settingSeconds } = rule;
	if (settingSeconds <= 0) return null;
	if (forcedSeconds === null && !(rule.operatorPresent && rule.polls)) return null;
	if (rule.polls && timeoutSeconds === undefined) return null;
	const wanted = forcedSeconds ?? settingSeconds;
	const possible = timeoutSeconds === undefined ? wanted : Math.min(wanted, timeoutSeconds - MARGIN_SECONDS);
	return possible > 0 ? possible * 1000 : null;
}
