import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { digestOfCall } from '#hooks-bridge/engine/event-ids.ts';
import type { HeldCall, Ports } from '#hooks-bridge/ports/ports.ts';
import { holdMs } from '#lib/approvals/hold-time.ts';
import { recordOf } from '#lib/approvals/record.ts';
import { type Instant, isPast, leftMs, moveTicket, openTicket, type TicketMove } from '#lib/approvals/ticket.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import { approvalEvents, type Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { isSameQuestion } from '#lib/grants/covers.ts';
import { SERVER_RESTARTED } from '#lib/session/call.ts';
import type { Log } from '../process/log.ts';
import { repeat } from '../process/repeat.ts';
import { systemClock } from '../process/system-clock.ts';
import type { JournalRow, JournalStore } from '../timeline/store/journal-store.ts';
import { demandSeen, fitDecision } from './fit-decision.ts';
import type { GrantService } from './grants/grant-service.ts';
import { createTicketIndex, HeldTicket } from './held-ticket.ts';
import type { CallRef, Outbox } from './outbox.ts';
import type { Presence } from './presence.ts';
import { type ProcessProbe, processProbe } from './process-probe.ts';
import { type ReleaseCall, releaseInTwoSteps } from './release-in-two-steps.ts';
import type { TicketPort, TicketStub, WaitingCall } from './ticket-port.ts';

/** What the service needs from the rest of the server. */
export interface ApprovalServiceOptions {
	journal: JournalStore;
	ports: Ports;
	/** What a held call comes to by a decision (`hooks-bridge/engine/release.ts`). */
	release: ReleaseCall;
	outbox: Outbox;
	/** Asked before a person is. */
	grants: Pick<GrantService, 'release'>;
	/** The setting for this call in seconds; 0: never held. */
	holdSeconds: (held: HeldCall) => number;
	/** The call that a permission prompt is about: the prompt itself names none. */
	callOfPrompt?: (held: HeldCall) => string | undefined;
	/** Whether the call's home or project only observes: nobody is asked, and no grant is looked for. */
	observes?: (held: HeldCall) => boolean;
	presence: () => Presence;
	/** The tickets whose denials hooks gave because no answer reached them, each once. */
	givenDenials?: () => readonly string[];
	/** SIGNALBOX_HOLD_SECONDS; null when unset. */
	forcedHoldSeconds: number | null;
	log: Log;
	clock?: () => Instant;
	probe?: ProcessProbe;
}

/** Where waiting hooks stand, and where people decide about them. */
export interface ApprovalService extends TicketPort {
	/** Tells what a former server left untold, abandons what it left waiting, and starts to look after tickets. */
	start(): Promise<void>;
	/** Throws AppError: 404 unknown, 409 decided before, 410 nobody waits any more. */
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	/** Those that asked the same question, newest first. */
	similar(asked: ApprovalRecord, state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	get(approvalId: string): ApprovalRecord | null;
	/** What waits for a person now, oldest first. */
	waiting(): WaitingCall[];
	/** Looks once after every open ticket: deadline, client, hook. `start` does it four times a second. */
	sweep(): Promise<void>;
	/** An actor did something at `at` (ISO): its permission prompt that was opened before is over, and `why` is told. */
	actorMoved(sessionId: string, agentId: string | undefined, moved: { at: string; why: string }): Promise<void>;
	/** Abandons what waits, so that each hook prints its gate's own denial. */
	stop(): Promise<void>;
}

const PERIOD_MS = 250;
const RETRY_MS = 5000;
const HOOK_GONE = 'the hook no longer waits';

/** What a grant may make of a call. */
type Released = NonNullable<ReturnType<GrantService['release']>>;

export function createApprovalService(options: ApprovalServiceOptions): ApprovalService {
	const { outbox, log, clock = systemClock, probe = processProbe } = options;
	const approvalJournal = createApprovalJournal(options);
	const tickets = createTicketIndex<HeldTicket>();
	const looks: (() => void)[] = [];
	let stopped = false;

	const end = (ticket: HeldTicket, move: TicketMove & { kind: 'expire' | 'abandon' }, reason: string): Promise<void> =>
		ticket.inTurn(async () => {
			const step = moveTicket(ticket.ticket, move, clock());
			if (!step.ok) return;
			ticket.ticket = step.ticket;
			try {
				if (!ticket.isAsked) log.warn('approvals: the server stopped while a grant was being used');
				else if (move.kind === 'expire') await approvalJournal.end('approval:expire', ticket.id, ticket.held, {});
				else await approvalJournal.end('approval:abandon', ticket.id, ticket.held, { reason });
			} catch (error) {
				log.error('approvals: the end of a ticket could not be written; the denial stands', error);
			}
			ticket.finish(stopped ? { kind: 'stopping' } : { kind: 'over' }, clock());
		});

	const lookAfter = (ticket: HeldTicket, now: Instant): Promise<void> | undefined => {
		if (!ticket.isOpen || !ticket.isAsked) return undefined;
		if (isPast(ticket.ticket, now)) return end(ticket, { kind: 'expire' }, '');
		if (ticket.client && !probe.isAlive(ticket.client)) return end(ticket, { kind: 'abandon' }, 'the agent is gone');
		if (ticket.isHookAbsent(now)) return end(ticket, { kind: 'abandon' }, HOOK_GONE);
		if (ticket.isGivenUp(options.presence())) return end(ticket, { kind: 'abandon' }, 'nobody was there to ask');
		return undefined;
	};

	const sweep = async () => {
		const now = clock();
		for (const ticket of tickets.all()) if (ticket.isForgettable(now)) tickets.forget(ticket);
		await Promise.all(tickets.all().map((ticket) => lookAfter(ticket, now)));
		for (const id of options.givenDenials?.() ?? []) {
			const ticket = tickets.get(id);
			if (ticket?.isAsked) await end(ticket, { kind: 'abandon' }, HOOK_GONE);
			// What was approved meanwhile reached nobody.
			await approvalJournal.endLate(id);
		}
	};

	const look = (everyMs: number, work: () => Promise<void>) =>
		void looks.push(repeat(everyMs, work, (error) => log.error('approvals: a regular look failed', error)));

	const find: TicketPort['find'] = (keys) => tickets.find(keys)?.opened;

	/** An open ticket, found by whoever runs for the same call; `ms` is how long it may wait for a person. */
	const placeFor = (held: HeldCall, keys: readonly string[], ms: number): HeldTicket => {
		const now = clock();
		const client = held.run.clientPid === undefined ? null : probe.identify(held.run.clientPid);
		const openedAt = new Date(options.ports.now()).toISOString();
		const ticket = new HeldTicket({ id: randomUUID(), openedAt, held, keys, client, ticket: openTicket(now, ms) }, now);
		tickets.add(ticket);
		return ticket;
	};

	/** Puts the question to people. Null where it could not be written: the denial stands, and nobody waits. */
	const ask = async (ticket: HeldTicket): Promise<TicketStub | null> => {
		const until = new Date(ticket.ticket.deadline.wall).toISOString();
		try {
			await approvalJournal.ask(ticket.id, ticket.held, until);
			ticket.isAsked = true;
			return { id: ticket.id, until };
		} catch (error) {
			log.error('approvals: a question could not be written, so the denial stands', error);
			ticket.finish({ kind: 'over' }, clock());
			tickets.forget(ticket);
			return null;
		}
	};

	const openAsked = (held: HeldCall, keys: readonly string[], ms: number, awaitsOperator: boolean) => {
		const ticket = placeFor(held, keys, ms);
		ticket.awaitsOperator = awaitsOperator;
		ticket.opened = ask(ticket);
		return ticket.opened;
	};

	/**
	 * A grant may let the call run; if it does not, people are asked, unless `ms` is null. The hook has its place, and
	 * keeps its denial, while the grant is still written: a server that dies here leaves the denial standing.
	 */
	const openGranted = (
		held: HeldCall,
		keys: readonly string[],
		ms: number | null,
		awaitsOperator: boolean,
		released: Released,
	) => {
		const ticket = placeFor(held, keys, ms ?? 0);
		ticket.awaitsOperator = awaitsOperator;
		ticket.opened = Promise.resolve({ id: ticket.id });
		void released.then(async (answer) => {
			if (answer) ticket.finish({ kind: 'answer', ...answer }, clock());
			else if (ms === null) ticket.finish({ kind: 'over' }, clock());
			else await ask(ticket);
		});
		return ticket.opened;
	};

	const digestOfInput = ({ tool, hook }: HeldCall, input: unknown) =>
		digestOfCall({ tool, input }, hook, options.ports);

	/** The decision is durable before anybody hears of it; a second decider waits here and finds it taken. */
	const decideInTurn = async (ticket: HeldTicket, body: DecisionBody, by: Decider): Promise<void> => {
		if (options.observes?.(ticket.held)) throw new AppError('approval/observed');
		const step = moveTicket(ticket.ticket, { kind: 'decide', decision: body.decision }, clock());
		if (!step.ok) throw new AppError(step.refusal === 'decided' ? 'approval/decided' : 'approval/late');
		const { updatedInput, applied, overrides } = fitDecision(ticket.held, body);
		const decided = { ...body, ...(updatedInput && { updatedInput }) };
		const { decision, reason, stop } = body;
		const fields = {
			decision,
			by,
			...(reason && { reason }),
			...(updatedInput && { updatedInput, inputDigest: digestOfInput(ticket.held, updatedInput) }),
			...(overrides && { overrides }),
			...(stop && { stop }),
			...(applied && { suggestions: applied }),
		};
		const released = await releaseInTwoSteps(options, ticket.held, decided, (standing, denials) => {
			demandSeen(body, denials);
			return approvalJournal.end('approval:resolve', ticket.id, ticket.held, {
				...fields,
				...(standing && { standing }),
			});
		});
		if (released === null) throw new AppError('approval/decided');
		ticket.ticket = step.ticket;
		ticket.finish({ kind: 'answer', ...released }, clock());
	};

	return {
		find,
		sweep,
		async open(asked, { polls, keys }) {
			if (stopped || options.observes?.(asked)) return null;
			const toolUseId = asked.permission && !asked.toolUseId ? options.callOfPrompt?.(asked) : asked.toolUseId;
			const held = { ...asked, ...(toolUseId !== undefined && { toolUseId }) };
			const known = find(keys);
			if (known) return known;
			const released = options.grants.release(held);
			const presence = options.presence();
			const ms = holdMs({
				settingSeconds: held.mayWait ? options.holdSeconds(held) : 0,
				forcedSeconds: options.forcedHoldSeconds,
				operatorPresent: presence !== 'nobody',
				timeoutSeconds: held.run.timeoutSeconds,
				polls,
			});
			const awaitsOperator = presence === 'awaited' && options.forcedHoldSeconds === null;
			if (released !== null) return openGranted(held, keys, ms, awaitsOperator, released);
			return ms === null ? null : openAsked(held, keys, ms, awaitsOperator);
		},
		async openReview(held, ms) {
			return stopped ? null : openAsked(held, [], ms, false);
		},
		async closeReview(ticketId, reason) {
			const ticket = tickets.get(ticketId);
			if (!ticket?.held.review) return { kind: 'unknown' };
			await end(ticket, { kind: 'abandon' }, reason);
			return ticket.wait(AbortSignal.abort(), clock);
		},
		async actorMoved(sessionId, agentId, { at, why }) {
			const isTheirs = ({ held }: HeldTicket) => held.sessionId === sessionId && held.agentId === agentId;
			const over = tickets
				.all()
				.filter((ticket) => ticket.held.permission && ticket.isOpen && ticket.isAsked)
				.filter((ticket) => isTheirs(ticket) && ticket.openedAt < at);
			await Promise.all(over.map((ticket) => end(ticket, { kind: 'abandon' }, why)));
		},
		async wait(ticketId, signal) {
			const ticket = tickets.get(ticketId);
			if (!ticket) return { kind: approvalJournal.get(ticketId) ? 'over' : 'unknown' };
			const outcome = await ticket.wait(signal, clock);
			if (outcome.kind === 'hung-up') await lookAfter(ticket, clock());
			return outcome;
		},
		async decide(approvalId, body, by) {
			const ticket = tickets.get(approvalId);
			if (ticket) {
				await lookAfter(ticket, clock());
				await ticket.inTurn(() => decideInTurn(ticket, body, by));
			}
			const record = approvalJournal.get(approvalId);
			if (!record) throw new AppError('approval/not-found');
			if (!ticket) throw new AppError(record.by ? 'approval/decided' : 'approval/late');
			return record;
		},
		list(state, limit) {
			if (state !== 'waiting') return approvalJournal.list(state, limit);
			const open = tickets
				.all()
				.filter((ticket) => ticket.isOpen)
				.reverse();
			return open.slice(0, limit).flatMap(({ id }) => approvalJournal.get(id) ?? []);
		},
		similar: approvalJournal.similar,
		get: approvalJournal.get,
		waiting() {
			const now = clock();
			return tickets
				.all()
				.filter((ticket) => ticket.isOpen && ticket.isAsked)
				.map(({ id, held, ticket }) => ({ id, held, leftMs: leftMs(ticket, now) }));
		},
		async start() {
			await outbox.publishPending();
			await approvalJournal.abandonLeftOver((id) => tickets.get(id) !== undefined);
			await sweep();
			await outbox.whenSettled();
			look(PERIOD_MS, sweep);
			look(RETRY_MS, async () => {
				if (outbox.isBehind()) await outbox.publishPending();
			});
		},
		async stop() {
			stopped = true;
			for (const stopLooking of looks) stopLooking();
			const open = tickets.all().filter((ticket) => ticket.isOpen);
			await Promise.all(open.map((ticket) => end(ticket, { kind: 'abandon' }, 'the server stopped')));
			await outbox.whenSettled();
		},
	};
}

/** The three rows that end an approval; whichever is written first is the only one. */
const END_KINDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const;
type EndKind = (typeof END_KINDS)[number];

/** What an approval's row says beside its subject. */
type EndFields<K extends EndKind> = Omit<FieldsOf<K>, 'approvalId'>;

/** The journal's side of approvals: who asked, who decided. */
export interface ApprovalJournal {
	/** Resolves when the question is durable and told. */
	ask(id: string, held: HeldCall, deadline: string): Promise<void>;
	/** Resolves when the end is durable and told; null: another end was first, nothing was written. */
	end<K extends EndKind>(kind: K, id: string, place: CallRef, fields: EndFields<K>): Promise<JournalRow | null>;
	/** Tells of an approval that it reached no agent, once; nothing of what was decided otherwise. */
	endLate(id: string): Promise<void>;
	/** Closes what a former server left waiting: whatever `isOpen` does not know. */
	abandonLeftOver(isOpen: (id: string) => boolean): Promise<void>;
	get(id: string): ApprovalRecord | null;
	/** Newest first. */
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	/** Those that asked the same question, newest first. */
	similar(asked: ApprovalRecord, state: ApprovalState | undefined, limit: number): ApprovalRecord[];
}

/** How many requests are looked through for those of one state, and for similar ones. */
const LIST_REACH = 2000;
const SIMILAR_REACH = 500;
const LEFT_OVER_REACH = 10_000;

const Denied = z.object({ denials: approvalEvents['approval:request'].denials });

export function createApprovalJournal({ journal, outbox }: { journal: JournalStore; outbox: Outbox }): ApprovalJournal {
	const recordFor = (id: string) => recordOf(journal.bySubject(id));
	const newest = (limit: number) => journal.byKind(['approval:request'], { limit }).reverse();
	/** The history of each is a question of its own to the journal, so no more are asked than are wanted. */
	const recordsOf = (requests: readonly JournalRow[], state: ApprovalState | undefined, limit: number) => {
		const records: ApprovalRecord[] = [];
		for (const { subject } of requests) {
			if (records.length === limit) break;
			const record = recordFor(subject);
			if (record && (state === undefined || record.state === state)) records.push(record);
		}
		return records;
	};

	return {
		async ask(id, held, deadline) {
			const { tool, input, inputDigest, denials, facts, permission } = held;
			const call = { approvalId: id, tool, input, inputDigest, denials, facts, deadline };
			const fields = permission ? { ...call, suggestions: permission.suggestions } : call;
			await outbox.write('approval:request', { id, subject: id, place: held, fields });
		},
		end<K extends EndKind>(kind: K, id: string, place: CallRef, fields: EndFields<K>) {
			const whole = { approvalId: id, ...fields } as unknown as FieldsOf<K>;
			return outbox.write(kind, { subject: id, place, fields: whole }, END_KINDS);
		},
		async endLate(id) {
			const record = recordFor(id);
			if (record?.state !== 'approved') return;
			await outbox.write('approval:late', { subject: id, place: record, fields: { approvalId: id } }, [
				'approval:late',
			]);
		},
		async abandonLeftOver(isOpen) {
			for (const { subject } of journal.byKind(['approval:request'], { limit: LEFT_OVER_REACH })) {
				const left = recordFor(subject);
				if (left?.state !== 'waiting' || isOpen(subject)) continue;
				await this.end('approval:abandon', subject, left, { reason: SERVER_RESTARTED });
			}
		},
		get: recordFor,
		list: (state, limit) => recordsOf(newest(state === undefined ? limit : LIST_REACH), state, limit),
		similar(asked, state, limit) {
			// Held against the request itself: of hundreds few are alike.
			const alike = newest(SIMILAR_REACH).filter(({ subject: id, payload }) =>
				isSameQuestion(asked, { id, denials: Denied.safeParse(payload).data?.denials ?? [] }),
			);
			return recordsOf(alike, state, limit);
		},
	};
}
