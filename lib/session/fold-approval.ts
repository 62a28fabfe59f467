import type { ApprovalState } from '../contract/approvals/approval-record.ts';
import type { Decision } from '../contract/events/catalogue/approval.ts';
import type { EventOf } from '../contract/events/event.ts';
import type { Tone } from '../contract/events/event-labels.ts';
import type { ApprovalView, ReviewAsk } from '../contract/sessions/read-model/call-view.ts';
import type { IndexedEvent, SupervisorView } from '../contract/sessions/read-model/session-view.ts';
import { defined } from '../json/json.ts';
import { english, type Plain, type Say } from '../messages/say.ts';
import { oneLine } from '../text/printable.ts';
import { callTitle, changedTitle } from './call.ts';

export type ApprovalEvent = EventOf<
	'approval:request' | 'approval:resolve' | 'approval:expire' | 'approval:abandon' | 'approval:late'
>;

/** The order of events does not matter. If two lines decide one approval, the earlier one is shown. */
export function foldApproval(before: ApprovalView | undefined, event: ApprovalEvent): ApprovalView {
	const view: ApprovalView = before ?? {
		approvalId: event.approvalId,
		state: 'waiting',
		tool: '',
		title: '',
		denials: [],
		...defined({ agentId: event.agentId, toolUseId: event.toolUseId }),
	};
	switch (event.type) {
		case 'approval:request':
			return {
				...view,
				tool: event.tool,
				title: callTitle(event.tool, event.input),
				...questionFacts(event.facts),
				requestedAt: event.ts,
				deadline: event.deadline,
				denials: event.denials,
				...(event.suggestions && { isPrompt: true as const }),
				askedDigest: event.inputDigest,
			};
		case 'approval:resolve':
			return closeApproval(view, decidedState[event.decision], event.ts, {
				...decidedWith(event),
				...(event.standing && { standing: event.standing.reason }),
				...(event.inputDigest !== undefined && { changedDigest: event.inputDigest }),
				...(event.decision === 'approve' && event.updatedInput && { changedTitle: changedTitle(event.updatedInput) }),
			});
		case 'approval:expire':
			return closeApproval(view, 'expired', event.ts, {});
		case 'approval:abandon':
			return closeApproval(view, 'abandoned', event.ts, { reason: event.reason });
		case 'approval:late':
			return asLate({ ...view, isLate: true });
	}
}

/** From the facts of a question: the requested sub-agent, and the review that it is about. */
export function questionFacts(
	facts: Readonly<Record<string, unknown>> | undefined,
): Pick<ApprovalView, 'asked' | 'review'> {
	const review = reviewOf(facts?.review);
	return { ...(typeof facts?.actual === 'string' && { asked: facts.actual }), ...(review && { review }) };
}

function reviewOf(value: unknown): ReviewAsk | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { event, iteration, max, isOver } = value as Partial<Record<keyof ReviewAsk, unknown>>;
	if (typeof event !== 'string' || typeof iteration !== 'number' || typeof max !== 'number') return undefined;
	return { event, iteration, max, isOver: isOver === true };
}

function closeApproval(
	view: ApprovalView,
	state: ApprovalState,
	at: string,
	extra: Partial<ApprovalView>,
): ApprovalView {
	const { by: _by, reason: _reason, standing: _standingDenial, ...rest } = view;
	const { changedDigest: _changed, changedTitle: _title, ...request } = rest;
	const { stopped: _stopped, lasting: _lasting, answer: _answer, ...open } = request;
	const held = view.decidedAt;
	const before = view.state === 'late' ? 'approved' : view.state;
	if (held !== undefined && (held < at || (held === at && before <= state))) return view;
	return asLate({ ...open, state, decidedAt: at, ...extra });
}

/** Only what was approved can be late, whichever line is folded first. */
function asLate(view: ApprovalView): ApprovalView {
	return view.isLate && view.state === 'approved' ? { ...view, state: 'late' } : view;
}

export const decidedState: Readonly<Record<Decision, ApprovalState>> = {
	approve: 'approved',
	deny: 'denied',
	answer: 'answered',
};

type Resolved = Pick<
	EventOf<'approval:resolve'>,
	'decision' | 'by' | 'reason' | 'updatedInput' | 'stop' | 'suggestions'
>;

/** What the person gave with a decision, without absent parts. */
export function decidedWith(
	resolved: Resolved,
): Pick<ApprovalView, 'by' | 'reason' | 'stopped' | 'lasting' | 'answer'> {
	const { decision, by, reason, updatedInput, stop, suggestions = [] } = resolved;
	const answer = decision === 'answer' ? answerOf(updatedInput?.answers) : '';
	return {
		by,
		...(reason !== undefined && { reason }),
		...(stop && { stopped: true as const }),
		...(suggestions.length > 0 && { lasting: oneLine(suggestions.map((each) => suggestionWords(each)).join('; ')) }),
		...(answer !== '' && { answer }),
	};
}

function answerOf(answers: unknown): string {
	if (typeof answers !== 'object' || answers === null) return '';
	const given = Object.values(answers).filter((each) => typeof each === 'string');
	return oneLine(given.join('; '));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const destinations: Readonly<Record<string, Plain>> = {
	session: 'in this session',
	localSettings: 'for you in this project',
	projectSettings: 'for everybody in this project',
	userSettings: 'for you in all projects',
};

/**
 * What the client would allow from now on, in words. An unknown suggestion stays as it is: a person must read what they choose.
 */
export function suggestionWords(suggestion: unknown, say: Say = english): string {
	if (!isObject(suggestion)) return JSON.stringify(suggestion);
	const { type, rules, behavior, directories, mode, destination } = suggestion;
	const where = typeof destination === 'string' ? ` (${destinationWords(destination, say)})` : '';
	const ruled = listOf(rules).map((rule) =>
		isObject(rule) ? `${rule.toolName}${rule.ruleContent === undefined ? '' : `(${rule.ruleContent})`}` : String(rule),
	);
	if (type === 'addRules' && ruled.length > 0) {
		const always = behavior === undefined || behavior === 'allow' ? say('always allow') : `always ${behavior}`;
		return `${always} ${ruled.join(', ')}${where}`;
	}
	if (type === 'addDirectories') {
		return say('work in {folders}', { folders: `${listOf(directories).join(', ')}${where}` });
	}
	if (type === 'setMode') return say('permission mode {mode}', { mode: `${mode}${where}` });
	return JSON.stringify(suggestion);
}

function destinationWords(destination: string, say: Say): string {
	const words = Object.hasOwn(destinations, destination) ? destinations[destination] : undefined;
	return words === undefined ? destination : say(words);
}

export const approvalTones: Record<ApprovalState, Tone> = {
	waiting: 'wait',
	approved: 'ok',
	denied: 'err',
	answered: 'ok',
	expired: 'warn',
	abandoned: 'warn',
	late: 'warn',
};

const decidedWords: Partial<Record<ApprovalState, { call: string; review: string }>> = {
	approved: { call: 'Approved', review: 'Allowed' },
	denied: { call: 'Denied', review: 'Sent back' },
	answered: { call: 'Answered', review: 'Answered' },
	late: { call: 'Approved too late', review: 'Allowed too late' },
};

/** The title of a question's row without a call once it is decided. */
export function approvalHead(approval: ApprovalView): { title: string; label?: string; tone?: Tone } {
	const { state, review, title, stopped, lasting, answer, reason } = approval;
	// A review that ended without a person was not waiting for one.
	if (review && !review.isOver && state === 'abandoned') {
		return { title: oneLine([title, reason].filter(Boolean).join(' · ')), label: 'Review over', tone: 'plain' };
	}
	const word = decidedWords[state];
	const end = state === 'abandoned' && reason;
	const more = [title, answer, lasting && `also: ${lasting}`, stopped && 'ending the agent’s turn', end];
	const line = oneLine(more.filter(Boolean).join(' · '));
	return { title: line, ...(word && { label: review ? word.review : word.call, tone: approvalTones[state] }) };
}

const KEPT_REVIEWS = 20;

type SupervisorEvent = EventOf<'supervisor:review' | 'supervisor:verdict'> & Pick<IndexedEvent, 'seq'>;

/** Joins a review with its verdict by cause; without a cause, by hook and iteration of the last open review. */
export function foldSupervisor(list: readonly SupervisorView[], event: SupervisorEvent): SupervisorView[] {
	const index = list.findLastIndex((item) => isSame(item, event));
	const { hook, iteration, max, toolUseId } = event;
	const start: SupervisorView = { hook, iteration, max, at: event.ts, seq: event.seq, ...(toolUseId && { toolUseId }) };
	const before = list[index] ?? start;
	const after = event.type === 'supervisor:review' ? reviewed(before, event) : judged(before, event);
	return index === -1 ? [...list, after].slice(-KEPT_REVIEWS) : list.with(index, after);
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
	const { durationMs, by, error, reviewer } = event;
	return {
		...open,
		...(event.causedBy !== undefined && { reviewId: event.causedBy }),
		allow: event.allow,
		feedback: event.feedback,
		...defined({ durationMs, by, error, reviewer }),
		...(event.failed && { failed: true }),
	};
}

/** A review that is open when its session ends gets no verdict. */
export function cutOffReviews(list: SupervisorView[], at: string): SupervisorView[] {
	if (list.every((item) => item.allow !== undefined || item.cutOffAt !== undefined)) return list;
	return list.map((item) =>
		item.allow === undefined && item.cutOffAt === undefined ? { ...item, cutOffAt: at } : item,
	);
}
