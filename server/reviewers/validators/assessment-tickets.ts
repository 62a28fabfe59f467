import { randomUUID } from 'node:crypto';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { ASSESSMENT_MARGIN_SECONDS } from '#hooks-bridge/engine/decide-call.ts';
import { type AssessmentAnswer, recordAssessment } from '#hooks-bridge/engine/record-assessment.ts';
import type { WantedAssessment } from '#hooks-bridge/ports/denied-call.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { completionCall } from '#lib/validators/completion-call.ts';
import { createTicketIndex } from '../../approvals/held-ticket.ts';
import type { TicketOutcome, TicketPort, TicketRef } from '../../approvals/ticket-port.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { Assessor } from './assess.ts';

const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1000;
const NOTE_MS = 5000;

interface AssessmentTicket {
	id: string;
	keys: readonly string[];
	wanted: WantedAssessment;
	began: number;
	answer: Promise<AssessmentAnswer>;
	/** The validator's denial, waiting for a person; opened by the first hook that waits for it. */
	approval?: Promise<TicketRef | null>;
}

/** The service's tickets together with those of assessments: one poll waits for both. */
export function createAssessmentTickets(options: { service: TicketPort; assessor: Assessor; ports: Ports; log: Log }) {
	const { service, assessor, ports, log } = options;
	const tickets = createTicketIndex<AssessmentTicket>();
	/** Tasks whose completion was judged at the call, since TaskCompleted repeats it. */
	const judged = new LruMap<string, true>(MAX_REMEMBERED);
	const running = new Set<Promise<unknown>>();
	const stopping = new AbortController();

	const track = <T>(work: Promise<T>): Promise<T> => {
		running.add(work);
		return work.finally(() => running.delete(work));
	};

	const run = async (wanted: WantedAssessment, withinMs: number): Promise<AssessmentAnswer> => {
		try {
			const outcome = await assessor.assess(wanted, { withinMs, signal: stopping.signal });
			return outcome ? recordAssessment(wanted, outcome, ports) : answerUnassessed(wanted);
		} catch (error) {
			log.error('validators: an assessment failed; the answer of the gates stands', error, {
				session: wanted.hook.sessionId,
			});
			return answerUnassessed(wanted);
		}
	};

	const forgetOld = () => {
		const now = performance.now();
		for (const [index, ticket] of tickets.all().reverse().entries()) {
			if (index >= MAX_REMEMBERED || now - ticket.began >= REMEMBERED_MS) tickets.forget(ticket);
		}
	};

	const isAgain = (wanted: WantedAssessment): boolean => {
		const call = wanted.validator === 'completion' ? completionCall(wanted.hook) : null;
		if (call?.kind !== 'task') return false;
		const key = `${wanted.hook.sessionId} ${call.id}`;
		const again = wanted.hook.at === 'task-end' && judged.get(key) === true;
		judged.set(key, true);
		return again;
	};

	const open = (wanted: WantedAssessment, keys: readonly string[]): TicketRef => {
		const seconds = (wanted.run.timeoutSeconds ?? 0) - ASSESSMENT_MARGIN_SECONDS;
		const assessment = track(run(wanted, seconds * 1000));
		const ticket: AssessmentTicket = { id: randomUUID(), keys, wanted, began: performance.now(), answer: assessment };
		tickets.add(ticket);
		return { id: ticket.id };
	};

	/** A person decides about the denial in the rest of the hook's time. */
	const askPerson = (ticket: AssessmentTicket, held: NonNullable<AssessmentAnswer['held']>) => {
		const spent = Math.ceil((performance.now() - ticket.began) / 1000);
		const timeoutSeconds = Math.max(1, (held.run.timeoutSeconds ?? 0) - spent);
		ticket.approval ??= service.open(
			{ ...held, run: { ...held.run, timeoutSeconds } },
			{ polls: true, keys: ticket.keys },
		);
		return ticket.approval;
	};

	const waitFor = async (ticket: AssessmentTicket, signal: AbortSignal): Promise<TicketOutcome> => {
		const assessment = await Promise.race([ticket.answer, waitForAbort(signal)]);
		if (assessment === null) return { kind: 'hung-up' };
		const own: TicketOutcome = { kind: 'answer', output: assessment.output };
		if (!assessment.held || signal.aborted) return own;
		const approval = await askPerson(ticket, assessment.held);
		if (!approval) return own;
		const outcome = await service.wait(approval.id, signal);
		// Without an answer the validator's denial remains.
		return outcome.kind === 'answer' ? outcome : own;
	};

	return {
		find(keys: readonly string[]) {
			const ticket = tickets.find(keys);
			return ticket ? Promise.resolve({ id: ticket.id }) : service.find(keys);
		},
		open: service.open,
		openReview: service.openReview,
		closeReview: service.closeReview,
		wait(ticketId: string, signal: AbortSignal) {
			const ticket = tickets.get(ticketId);
			return ticket ? waitFor(ticket, signal) : service.wait(ticketId, signal);
		},
		/** Undefined if the hook does not wait for the assessment. */
		assess(wanted: WantedAssessment, { keys }: { keys: readonly string[] }): Promise<TicketRef> | undefined {
			forgetOld();
			if (isAgain(wanted)) return undefined;
			if (wanted.hookWaits) return Promise.resolve(open(wanted, keys));
			// A start that nobody waits for is recorded as unrated.
			if (wanted.validator === 'completion') void track(run(wanted, NOTE_MS));
			return undefined;
		},
		/** Ends running assessments with their fallbacks. */
		async stop(): Promise<void> {
			stopping.abort();
			await Promise.all(running);
		},
	} satisfies TicketPort & { stop(): Promise<void> };
}

function waitForAbort(signal: AbortSignal): Promise<null> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve(null);
		signal.addEventListener('abort', () => resolve(null), { once: true });
	});
}

function answerUnassessed({ hook, decision }: WantedAssessment): AssessmentAnswer {
	return { output: adapterOf(hook.agent).print(decision, hook) };
}
