import { randomUUID } from 'node:crypto';
import { digestOfCall } from '#hooks-bridge/engine/draft-events.ts';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import {
	holdMs,
	type Instant,
	isPast,
	leftMs,
	moveTicket,
	openTicket,
	type TicketMove,
} from '#lib/approvals/ticket.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { defined } from '#lib/json/json.ts';
import type { Log } from '../process/log.ts';
import { repeat } from '../process/repeat.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createApprovalRows } from './approval-rows.ts';
import { demandSeen, fitDecision } from './fit-decision.ts';
import type { GrantService } from './grants/grant-service.ts';
import { createTicketIndex, HeldTicket } from './held-ticket.ts';
import type { Outbox } from './outbox.ts';
import type { Presence } from './presence.ts';
import { type ProcessProbe, processProbe } from './process-probe.ts';
import { type ReleaseCall, releaseInTwoSteps } from './release-in-two-steps.ts';
import { systemClock } from './system-clock.ts';
import type { TicketPort, TicketRef, WaitingCall } from './ticket-port.ts';

export interface ApprovalServiceOptions {
	journal: JournalStore;
	ports: Ports;
	/** Releases a held call (`hooks-bridge/engine/release.ts`). */
	release: ReleaseCall;
	outbox: Outbox;
	grants: Pick<GrantService, 'tryGrants'>;
	/** The setting for this call in seconds; 0: never held. */
	holdSeconds: (held: DeniedCall) => number;
	/** The call of a permission prompt, which does not name one. */
	callOfPrompt?: (held: DeniedCall) => string | undefined;
	/** Whether the call's home or project only observes: nobody is asked, and no grant is used. */
	observes?: (held: DeniedCall) => boolean;
	presence: () => Presence;
	/** Tickets whose hooks printed the denial because no answer reached them, each once. */
	printedDenials?: () => readonly string[];
	forcedHoldSeconds: number | null;
	log: Log;
	clock?: () => Instant;
	probe?: ProcessProbe;
}

const PERIOD_MS = 250;
const RETRY_MS = 5000;
const HOOK_GONE = 'the hook no longer waits';

/** Holds denied calls for a grant or a person, and gives each waiting hook the first decision. */
export function createApprovalService(options: ApprovalServiceOptions) {
	const { outbox, log, clock = systemClock, probe = processProbe } = options;
	const approvals = createApprovalRows(options);
	const tickets = createTicketIndex<HeldTicket>();
	const repeats: (() => void)[] = [];
	let stopped = false;

	const openTickets = () => tickets.all().filter((ticket) => ticket.isOpen);

	const end = (ticket: HeldTicket, move: TicketMove & { kind: 'expire' | 'abandon' }, reason: string): Promise<void> =>
		ticket.inTurn(async () => {
			const step = moveTicket(ticket.state, move, clock());
			if (!step.ok) return;
			ticket.state = step.state;
			try {
				if (!ticket.isQuestionWritten) log.warn('approvals: the server stopped while a grant was being used');
				else if (move.kind === 'expire') await approvals.end('approval:expire', ticket.id, ticket.held, {});
				else await approvals.end('approval:abandon', ticket.id, ticket.held, { reason });
			} catch (error) {
				log.error('approvals: the end of a ticket could not be written; the denial stands', error);
			}
			ticket.finish(stopped ? { kind: 'stopping' } : { kind: 'over' }, clock());
		});
	const abandon = (ticket: HeldTicket, reason: string) => end(ticket, { kind: 'abandon' }, reason);

	/** Ends an open ticket whose deadline, client or hook is gone. */
	async function check(ticket: HeldTicket, now: Instant): Promise<void> {
		if (!ticket.isOpen || !ticket.isQuestionWritten) return;
		if (isPast(ticket.state, now)) return end(ticket, { kind: 'expire' }, '');
		if (ticket.client && !probe.isAlive(ticket.client)) return abandon(ticket, 'the agent is gone');
		if (ticket.isHookAbsent(now)) return abandon(ticket, HOOK_GONE);
		if (ticket.isGivenUp(options.presence())) return abandon(ticket, 'nobody was there to ask');
	}

	async function sweep(): Promise<void> {
		const now = clock();
		for (const ticket of tickets.all()) if (ticket.isForgettable(now)) tickets.forget(ticket);
		await Promise.all(tickets.all().map((ticket) => check(ticket, now)));
		for (const id of options.printedDenials?.() ?? []) {
			const ticket = tickets.get(id);
			if (ticket?.isQuestionWritten) await abandon(ticket, HOOK_GONE);
			// The approval reached nobody.
			await approvals.endLate(id);
		}
	}

	const find: TicketPort['find'] = (keys) => tickets.find(keys)?.questionWritten;

	/** Adds an open ticket, which runs of the same call find by `keys`; `ms`: how long a person may take. */
	function addTicket(held: DeniedCall, keys: readonly string[], ms: number, awaitsOperator: boolean): HeldTicket {
		const now = clock();
		const client = held.run.clientPid === undefined ? null : probe.identify(held.run.clientPid);
		const openedAt = new Date(options.ports.now()).toISOString();
		const ticket = new HeldTicket({ id: randomUUID(), openedAt, held, keys, client, state: openTicket(now, ms) }, now);
		ticket.awaitsOperator = awaitsOperator;
		tickets.add(ticket);
		return ticket;
	}

	/** Asks people. Null if the question could not be written: the denial stands. */
	async function ask(ticket: HeldTicket): Promise<TicketRef | null> {
		const until = new Date(ticket.state.deadline.wall).toISOString();
		try {
			await approvals.ask(ticket.id, ticket.held, until);
			ticket.isQuestionWritten = true;
			return { id: ticket.id, until };
		} catch (error) {
			log.error('approvals: a question could not be written, so the denial stands', error);
			ticket.finish({ kind: 'over' }, clock());
			tickets.forget(ticket);
			return null;
		}
	}

	function openHeldTicket(held: DeniedCall, keys: readonly string[], ms: number, awaitsOperator: boolean) {
		const ticket = addTicket(held, keys, ms, awaitsOperator);
		ticket.questionWritten = ask(ticket);
		return ticket.questionWritten;
	}

	/**
	 * Lets a grant answer, or asks people unless `ms` is null. The hook gets its ticket while the grant's use is still being
	 * written: if the server dies then, the hook denies.
	 */
	function openGranted(
		held: DeniedCall,
		keys: readonly string[],
		ms: number | null,
		awaitsOperator: boolean,
		released: NonNullable<ReturnType<GrantService['tryGrants']>>,
	) {
		const ticket = addTicket(held, keys, ms ?? 0, awaitsOperator);
		ticket.questionWritten = Promise.resolve({ id: ticket.id });
		void released.then(async (answer) => {
			if (answer) ticket.finish({ kind: 'answer', ...answer }, clock());
			else if (ms === null) ticket.finish({ kind: 'over' }, clock());
			else await ask(ticket);
		});
		return ticket.questionWritten;
	}

	/** The decision is durable before anybody learns of it; a second decider then finds it decided. */
	async function decideNext(
		ticket: HeldTicket,
		body: DecisionBody,
		by: Decider,
		beforeAnswer?: () => Promise<unknown>,
	): Promise<void> {
		const { held } = ticket;
		if (options.observes?.(held)) throw new AppError('approval/observed');
		const step = moveTicket(ticket.state, { kind: 'decide', decision: body.decision }, clock());
		if (!step.ok) throw new AppError(step.refusal === 'decided' ? 'approval/decided' : 'approval/late');
		const { updatedInput, applied, overrides } = fitDecision(held, body);
		const { decision, reason, stop } = body;
		const inputDigest =
			updatedInput && digestOfCall({ tool: held.tool, input: updatedInput }, held.hook, options.ports);
		const fields = {
			decision,
			by,
			...defined({ reason: reason || undefined, updatedInput, inputDigest, overrides, stop, suggestions: applied }),
		};
		const decided = { ...body, ...(updatedInput && { updatedInput }) };
		const released = await releaseInTwoSteps(options, held, decided, (repeatedDenial, denials) => {
			demandSeen(body, denials);
			return approvals.end('approval:resolve', ticket.id, held, {
				...fields,
				...(repeatedDenial && { standing: repeatedDenial }),
			});
		});
		if (released === null) throw new AppError('approval/decided');
		ticket.state = step.state;
		try {
			await beforeAnswer?.();
		} finally {
			ticket.finish({ kind: 'answer', ...released }, clock());
		}
	}

	function startRepeat(everyMs: number, work: () => Promise<void>): void {
		repeats.push(repeat(everyMs, work, (error) => log.error('approvals: a regular look failed', error)));
	}

	return {
		find,
		sweep,
		async open(call: DeniedCall, { polls, keys }: { polls: boolean; keys: readonly string[] }) {
			if (stopped || options.observes?.(call)) return null;
			const toolUseId = call.permission && !call.toolUseId ? options.callOfPrompt?.(call) : call.toolUseId;
			const held = { ...call, ...(toolUseId !== undefined && { toolUseId }) };
			const known = find(keys);
			if (known) return known;
			const released = options.grants.tryGrants(held);
			const presence = options.presence();
			const ms = holdMs({
				settingSeconds: held.asksPerson ? options.holdSeconds(held) : 0,
				forcedSeconds: options.forcedHoldSeconds,
				operatorPresent: presence !== 'nobody',
				timeoutSeconds: held.run.timeoutSeconds,
				polls,
			});
			const awaitsOperator = presence === 'awaited' && options.forcedHoldSeconds === null;
			if (released !== null) return openGranted(held, keys, ms, awaitsOperator, released);
			return ms === null ? null : openHeldTicket(held, keys, ms, awaitsOperator);
		},
		async openReview(held: DeniedCall, ms: number) {
			return stopped ? null : openHeldTicket(held, [], ms, false);
		},
		async closeReview(ticketId: string, reason: string) {
			const ticket = tickets.get(ticketId);
			if (!ticket?.held.review) return { kind: 'unknown' as const };
			await abandon(ticket, reason);
			return ticket.wait(AbortSignal.abort(), clock);
		},
		/** An actor did something at `at` (ISO), so its earlier permission prompts are closed, for the reason `why`. */
		async actorMoved(sessionId: string, agentId: string | undefined, { at, why }: { at: string; why: string }) {
			const over = openTickets().filter(
				({ held, isQuestionWritten, openedAt }) =>
					held.permission &&
					isQuestionWritten &&
					openedAt < at &&
					held.sessionId === sessionId &&
					held.agentId === agentId,
			);
			await Promise.all(over.map((ticket) => abandon(ticket, why)));
		},
		async wait(ticketId: string, signal: AbortSignal) {
			const ticket = tickets.get(ticketId);
			if (!ticket) return { kind: approvals.get(ticketId) ? ('over' as const) : ('unknown' as const) };
			const outcome = await ticket.wait(signal, clock);
			if (outcome.kind === 'hung-up') await check(ticket, clock());
			return outcome;
		},
		/**
		 * Decides. `beforeAnswer` runs once the decision is durable; the agent's answer follows even if it rejects. Throws
		 * AppError: 404 unknown, 409 decided before, 410 nobody waits any more.
		 */
		async decide(
			approvalId: string,
			body: DecisionBody,
			by: Decider,
			beforeAnswer?: () => Promise<unknown>,
		): Promise<ApprovalRecord> {
			const ticket = tickets.get(approvalId);
			if (ticket) {
				await check(ticket, clock());
				await ticket.inTurn(() => decideNext(ticket, body, by, beforeAnswer));
			}
			const record = approvals.get(approvalId);
			if (!record) throw new AppError('approval/not-found');
			if (!ticket) throw new AppError(record.by ? 'approval/decided' : 'approval/late');
			return record;
		},
		list(state: ApprovalState | undefined, limit: number): ApprovalRecord[] {
			if (state !== 'waiting') return approvals.list(state, limit);
			const newest = openTickets().reverse().slice(0, limit);
			return newest.flatMap(({ id }) => approvals.get(id) ?? []);
		},
		similar: approvals.similar,
		get: approvals.get,
		waiting(): WaitingCall[] {
			const now = clock();
			const open = openTickets().filter(({ isQuestionWritten }) => isQuestionWritten);
			return open.map(({ id, held, state }) => ({ id, held, leftMs: leftMs(state, now) }));
		},
		/** Publishes and abandons what an earlier server left, and starts to check tickets. */
		async start(): Promise<void> {
			await outbox.publishPending();
			await approvals.abandonLeftOver((id) => tickets.get(id) !== undefined);
			await sweep();
			await outbox.whenPublished();
			startRepeat(PERIOD_MS, sweep);
			startRepeat(RETRY_MS, async () => {
				if (outbox.isBehind()) await outbox.publishPending();
			});
		},
		/** Abandons open tickets, so that each hook prints its gate's own denial. */
		async stop(): Promise<void> {
			stopped = true;
			for (const stopRepeat of repeats) stopRepeat();
			await Promise.all(openTickets().map((ticket) => abandon(ticket, 'the server stopped')));
			await outbox.whenPublished();
		},
	} satisfies TicketPort & Record<string, unknown>;
}

export type ApprovalService = ReturnType<typeof createApprovalService>;
