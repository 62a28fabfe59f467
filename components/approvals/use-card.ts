import { useState } from 'react';
import { agentCan } from '#lib/agents/agent-table.ts';
import { decidedOnlyAt } from '#lib/approvals/call-words.ts';
import { blobRefsIn } from '#lib/contract/events/blob-refs.ts';
import type { Denial, GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import { mayBeGranted, scopesWithin } from '#lib/grants/covers.ts';
import { useMayDecide } from '../live/hub.tsx';
import { useNow } from '../live/now.ts';
import { useMachine, useSummary } from '../live/session-pages.ts';
import { useConnected } from '../live/store.ts';
import { useRowEvents } from '../row/row-hooks.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { type CallDetails, callDetailsOf, rowKeyOfApproval, whyNotApprovable } from './call-details.ts';
import type { GrantBodyTerms } from './grants/grant-terms.tsx';
import { useStillness } from './still/use-stillness.ts';
import { useDecision, useUnderWay } from './use-decision.ts';
import { useSelectable } from './use-selection.ts';
import { deadlineOf } from './waiting.ts';

export type Card = ReturnType<typeof useCard>;

type Form = 'edit' | 'remember';

export function useCard(sessionId: string, approval: ApprovalView) {
	const { approvalId, denials } = approval;
	const [reason, setReason] = useState('');
	const [isWhole, setWhole] = useState(false);
	const [form, setForm] = useState<Form | null>(null);
	const now = useNow();
	const isConnected = useConnected();
	const mayDecide = useMayDecide(approvalId);
	const mayGrant = useMayDecide();
	const rowEvents = useRowEvents(sessionId, rowKeyOfApproval(approval), approval.state);
	const { state, send, sendNow, undo } = useDecision(approvalId, deadlineOf(approval));
	const details: CallDetails | null = rowEvents?.events ? callDetailsOf(rowEvents.events, approvalId) : null;
	const machine = useMachine(sessionId);
	const elsewhere = decidedOnlyAt(machine);
	const mayHere = mayDecide && elsewhere === undefined;
	const isOpen = approval.state === 'waiting' && deadlineOf(approval) > now && state.step !== 'done' && mayHere;
	const underWay = useUnderWay(approvalId, isOpen && machine !== undefined);
	const isUndecided = isOpen && state.step !== 'sending' && state.step !== 'delayed';
	const stillness = useStillness<HTMLDivElement>(`${approvalId} ${state.step}`);
	const isReady = isUndecided && isConnected;
	const isFree = isReady && stillness.isStill;
	const mayPress = () => isReady && stillness.mayPress() && isFree;
	const blocked = isOpen ? whyNotApprovable(details, isWhole) : null;
	const words = reason.trim() === '' ? {} : { reason: reason.trim() };

	const { agent } = useSummary(sessionId) ?? {};
	const can = agent === undefined ? null : agentCan(agent);
	const scopes = scopesFor(denials, machine);
	const may: Record<Form | 'stop', boolean> = {
		stop: can?.stop === true,
		// Inputs stored in blobs are too long to edit here.
		edit:
			(details?.suggestions ? can?.editPrompt : can?.edit) === true &&
			details !== null &&
			blobRefsIn(details.input).length === 0 &&
			(denials.length > 0 || details.suggestions !== null) &&
			!approval.review &&
			!details.isQuestion,
		remember: mayGrant && scopes.length > 0,
	};
	function decide(decision: 'approve' | 'deny', stop?: true) {
		if (mayPress()) void send({ decision, ...words, ...(stop && { stop }) });
	}
	function openForm(which: Form) {
		// Opening a form decides nothing, so it need not wait until the card has stillness.
		if (isReady && blocked === null && may[which]) setForm(which);
	}
	// While a form is open, typing the letters of the shortcuts must not decide.
	const isPlain = isOpen && form === null;
	const refs = [
		useShortcut<HTMLElement>('approve', () => blocked === null && decide('approve'), isPlain),
		useShortcut<HTMLElement>('deny', () => decide('deny'), isPlain),
		useShortcut<HTMLElement>('editInput', () => openForm('edit'), isOpen),
		useShortcut<HTMLElement>('remember', () => openForm('remember'), isOpen),
	];
	// Selected cards stay selected while the connection is down.
	const selectable = isUndecided
		? { blocked, decide: (decision: 'approve' | 'deny') => sendNow({ decision, ...words }) }
		: null;
	const choice = useSelectable(approvalId, selectable);
	return {
		...{ details, error: rowEvents?.error, mayDecide, machine, elsewhere, underWay, isOpen, isFree, blocked, state },
		...{ choice, refs, scopes, reason, setReason },
		...{ form: isOpen ? form : null, may, decide, openForm, undo },
		closeForm: () => {
			setForm(null);
			document.querySelector<HTMLElement>(`[data-card="${CSS.escape(approvalId)}"]`)?.focus();
		},
		/** New denials of the changed input that was sent last, beyond those listed on the card. */
		newDenials: state.step === 'refused' ? (state.denials ?? []) : [],
		/** `seen`: denials of the changed input that are overridden too. */
		approveWith: (updatedInput: Record<string, unknown>, seen: readonly Denial[] = []) => {
			const overrides = seen.map(({ gate, rule, reason, fingerprint }) => {
				return { gate, rule, reason, ...(fingerprint !== undefined && { fingerprint }) };
			});
			void send({ decision: 'approve', ...words, updatedInput, ...(overrides.length > 0 && { overrides }) });
		},
		approveAndRemember: ({ reason: why, ...remember }: GrantBodyTerms) =>
			void send({ decision: 'approve', reason: why, remember }),
		approveWithSuggestion: (at: number) => {
			if (mayPress() && blocked === null) void send({ decision: 'approve', ...words, suggestions: [at] });
		},
		answer: (answers: Record<string, string>) => void send({ decision: 'answer', updatedInput: { answers } }),
		onWhole: setWhole,
		stillness,
	};
}

/** Scopes in which an approval can be remembered; at a hub limited by the machine's owner. `once` needs no grant. */
function scopesFor(denials: readonly Denial[], machine: Machine | undefined): GrantScope[] {
	if (!mayBeGranted(denials)) return [];
	return scopesWithin(machine ? machine.grants : 'project').filter((scope) => scope !== 'once');
}
