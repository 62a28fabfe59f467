import type { MessagePort } from 'node:worker_threads';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { TicketOutcome, TicketRef } from '../approvals/ticket-port.ts';
import { failureWords, isSystemFailure } from '../process/failure-words.ts';
import type { LogFields } from '../process/log.ts';
import type { WantedTicket } from './exchange.ts';
import type { Unwritten } from './kept-lines.ts';
import type { SocketId } from './socket-path.ts';

/* All messages between the door's thread and the main thread. `id` joins a question to its answer. */

/** What the thread is started with. */
export interface DoorThreadData {
	home: string;
	/** Shared memory, see `Flag`. */
	flags: Int32Array;
	/** The answers to `append`, which the other side waits for without turning its event loop. */
	appended: MessagePort;
}

/** Places in the shared numbers. */
export const Flag = {
	/** The number of the last `append` that was answered. */
	appended: 0,
	/** 1 where a model is configured. */
	hasModel: 1,
} as const;

/** How many numbers are shared. */
export const FLAGS = Object.keys(Flag).length;

/** A call of `DoorTickets`. */
export type TicketQuestion =
	| { method: 'hold'; wanted: WantedTicket }
	| { method: 'openReview'; held: DeniedCall; ms: number }
	| { method: 'closeReview'; ticketId: string; reason: string }
	| { method: 'wait'; ticketId: string };

export type TicketAnswer = TicketRef | TicketOutcome | null;

/** How long the answer to a hook took: the upper ends (ms) of the counts in a report. */
export const HOOK_MS = [0.5, 1, 2, 3, 4, 6, 8, 12, 16, 25, 50, 100, 250, 1000, Number.POSITIVE_INFINITY] as const;

/** What hooks came to since the last report: bounded by the number of sessions, however long nobody listens. */
export interface DoorReport {
	/** How many were answered, per bucket of `HOOK_MS`. */
	hooks: number[];
	/** New lines in the timelines, by session. */
	lines: Map<string, number>;
	clients: Map<string, number>;
	runs: Map<string, HookRun>;
	/** Sessions with a new prompt of a person; reported by the hook, since a line could be forged. */
	prompts: Set<string>;
	/** Texts of configs by which hooks were judged, by the project's folder; empty for the home's own. */
	configs: Map<string, string[]>;
	/** Set if the lines that wait for the disk have changed since the last report. */
	unwritten?: Unwritten;
}

export type FromDoor =
	| { type: 'report'; report: DoorReport }
	| { type: 'question'; id: number; question: TicketQuestion }
	| { type: 'hung-up'; id: number }
	/** A command is done; `socket` if it created one. */
	| { type: 'done'; id: number; socket?: SocketId; error?: Error }
	| { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; error?: Error; fields?: LogFields };

export type ToDoor =
	| { type: 'command'; id: number; command: 'listen' | 'retake' | 'close' }
	/** The report was read: the next may be sent. */
	| { type: 'report-read' }
	| { type: 'answer'; id: number; result: TicketAnswer }
	| { type: 'failed'; id: number; error: Error }
	| { type: 'end' }
	| { type: 'append'; id: number; sessionId: string; events: readonly SealedEvent[] };

/** The answer to an `append`. */
export interface Appended {
	id: number;
	error?: Error;
}

/** What was thrown, in a form that goes to another thread. */
export function errorOf(thrown: unknown): Error {
	// An error loses its code between threads, so it is put into words first.
	if (isSystemFailure(thrown)) return new Error(failureWords(thrown), { cause: thrown });
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
