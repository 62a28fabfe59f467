import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { createTimelinePort } from '#hooks-bridge/disk/timeline-files.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { Log } from '../process/log.ts';
import type { Door } from './door.ts';
import {
	type Appended,
	type DoorReport,
	type DoorThreadData,
	errorOf,
	FLAGS,
	Flag,
	type FromDoor,
	type TicketAnswer,
	type TicketQuestion,
	type ToDoor,
} from './door-port.ts';
import type { DoorTickets } from './exchange.ts';
import { type SocketId, socketState } from './socket-path.ts';

/** How long an append is waited for. Then this thread writes the lines, and readers recognise a repeat by its id. */
const APPEND_MS = 1000;
/** A thread that does not end by itself is terminated. */
const STOP_MS = 2000;
/** A thread that died young is restarted only after a while. */
const YOUNG_MS = 5000;
const REST_MS = 1000;
/** No object of a hook outlives its turn, so frequent collections copy almost nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 32 };

export interface DoorListener {
	tickets: DoorTickets;
	/** Returns for how many ms the next report may wait. */
	report(report: DoorReport): number;
	/** Lines that this thread had to write itself, so that none reports them. */
	appended(sessionId: string, lines: number): void;
	/** The thread died and a new one has started: hooks that were not answered judge by themselves. */
	died(why: Error): void;
}

/** The door in a thread of its own, as the rest of the server uses it. */
export interface DoorThread extends Pick<Door, 'listen' | 'retake' | 'checkSocket' | 'close'> {
	/** Until this is called, hooks are answered only if they need not wait for a person. */
	connect(listener: DoorListener): void;
	/** Whether a model is configured: only then the start of an agent may wait for one. */
	setModel(isThere: boolean): void;
	/** Appends in the thread, and returns when the lines are written. Throws its error. */
	append(sessionId: string, events: readonly SealedEvent[]): void;
	/** Ends the thread; later lines are written by this one. */
	stop(): Promise<void>;
}

interface Running {
	worker: Worker;
	appended: MessagePort;
	exited: Promise<unknown>;
	since: number;
}

/** Starts the thread of a home's door. It listens after `listen`, and is started again whenever it dies. */
export function startDoorThread({ home, log }: { home: string; log: Log }): DoorThread {
	const flags = new Int32Array(new SharedArrayBuffer(FLAGS * Int32Array.BYTES_PER_ELEMENT));
	const own = createTimelinePort(home, (sessionId, _bytes, lines) => listener?.appended(sessionId, lines));
	const commands = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
	const questions = new Map<number, AbortController>();
	let socket: SocketId | undefined;
	let isListening = false;
	let isStopping = false;
	let last = 0;
	let listener: DoorListener | undefined;
	let setListener: (listener: DoorListener) => void = () => undefined;
	const connected = new Promise<DoorListener>((resolve) => {
		setListener = resolve;
	});
	let running: Running | undefined = start();

	function start(): Running {
		const { port1, port2 } = new MessageChannel();
		const data: DoorThreadData = { home, flags, appended: port2 };
		const worker = new Worker(program(), {
			workerData: data,
			transferList: [port2],
			execArgv: [],
			resourceLimits: LIMITS,
		});
		let why = new Error('the thread ended');
		worker.on('message', (message: FromDoor) => handleMessage(worker, message));
		worker.on('error', (error) => {
			why = errorOf(error);
		});
		worker.on('exit', () => {
			port1.close();
			if (!isStopping) restart(why);
		});
		const exited = new Promise((resolve) => worker.once('exit', resolve));
		return { worker, appended: port1, exited, since: performance.now() };
	}

	function restart(why: Error): void {
		const age = performance.now() - (running?.since ?? 0);
		running = undefined;
		log.error('door: its thread died and is restarted', why);
		for (const { reject } of commands.values()) reject(why);
		for (const controller of questions.values()) controller.abort();
		commands.clear();
		questions.clear();
		setTimeout(() => void startAgain(why), age < YOUNG_MS ? REST_MS : 0);
	}

	async function startAgain(why: Error): Promise<void> {
		if (isStopping) return;
		running = start();
		try {
			if (isListening) await command('listen');
			listener?.died(why);
		} catch (error) {
			log.error('door: the socket failed', error);
		}
	}

	function handleMessage(from: Worker, message: FromDoor): void {
		if (running?.worker !== from) return;
		switch (message.type) {
			case 'report':
				return void connected.then(({ report }) => {
					const waitMs = report(message.report);
					if (waitMs === 0) send({ type: 'report-read' });
					else setTimeout(() => running?.worker === from && send({ type: 'report-read' }), waitMs).unref();
				});
			case 'question':
				return void answer(message);
			case 'hung-up':
				return questions.get(message.id)?.abort();
			case 'done': {
				const waiting = commands.get(message.id);
				commands.delete(message.id);
				socket = message.socket ?? socket;
				return message.error ? waiting?.reject(message.error) : waiting?.resolve();
			}
			case 'log': {
				const { level, message: words, error, fields } = message;
				return level === 'error' ? log.error(words, error, fields) : log[level](words, fields);
			}
		}
	}

	async function answer({ id, question }: Extract<FromDoor, { type: 'question' }>): Promise<void> {
		const worker = running?.worker;
		const controller = new AbortController();
		questions.set(id, controller);
		const { tickets } = await connected;
		const reply = await answerOf(tickets, question, controller.signal).then(
			(result): ToDoor => ({ type: 'answer', id, result }),
			(error: unknown): ToDoor => ({ type: 'failed', id, error: errorOf(error) }),
		);
		if (questions.get(id) === controller) questions.delete(id);
		if (running?.worker === worker) send(reply);
	}

	const send = (message: ToDoor) => running?.worker.postMessage(message);

	function command(name: 'listen' | 'retake' | 'close'): Promise<void> {
		if (!running) return Promise.resolve();
		return new Promise((resolve, reject) => {
			const id = ++last;
			commands.set(id, { resolve, reject });
			send({ type: 'command', id, command: name });
		});
	}

	function appendThere(sessionId: string, events: readonly SealedEvent[]): boolean {
		if (!running) return false;
		const id = ++last;
		send({ type: 'append', id, sessionId, events });
		const until = performance.now() + APPEND_MS;
		for (;;) {
			const answered = Atomics.load(flags, Flag.appended);
			const answer: Appended | undefined = receiveMessageOnPort(running.appended)?.message;
			if (answer?.id === id) {
				if (answer.error) throw answer.error;
				return true;
			}
			const left = until - performance.now();
			if (left <= 0) return false;
			// The answer to an earlier append that timed out may come first.
			if (!answer) Atomics.wait(flags, Flag.appended, answered, left);
		}
	}

	return {
		connect(now) {
			listener = now;
			setListener(now);
		},
		setModel: (isThere) => void Atomics.store(flags, Flag.hasModel, isThere ? 1 : 0),
		append(sessionId, events) {
			if (events.length > 0 && !appendThere(sessionId, events)) own.append(sessionId, events);
		},
		async listen() {
			isListening = true;
			await command('listen');
		},
		retake: () => command('retake'),
		checkSocket: () => socketState(doorPath(home), socket),
		async close() {
			isListening = false;
			await command('close');
		},
		async stop() {
			isStopping = true;
			own.close();
			const ending = running;
			running = undefined;
			if (!ending) return;
			// Terminating a thread while it reads a request would end the process (Node 20).
			const late = setTimeout(() => void ending.worker.terminate(), STOP_MS);
			ending.worker.postMessage({ type: 'end' } satisfies ToDoor);
			await ending.exited;
			clearTimeout(late);
		},
	};
}

async function answerOf(tickets: DoorTickets, question: TicketQuestion, signal: AbortSignal): Promise<TicketAnswer> {
	switch (question.method) {
		case 'hold':
			return (await tickets.hold(question.wanted)) ?? null;
		case 'openReview':
			return tickets.openReview(question.held, question.ms);
		case 'closeReview':
			return tickets.closeReview(question.ticketId, question.reason);
		case 'wait':
			return tickets.wait(question.ticketId, signal);
	}
}

/** `dist/` holds the built thread beside the program. */
const program = (): URL =>
	import.meta.url.endsWith('.ts')
		? new URL('./door-thread-from-source.mjs', import.meta.url)
		: new URL('./door-thread.js', import.meta.url);

/** Hooks are frequent if the last one is no older than this. */
const COMING_MS = 250;
/** How long other work then pauses after each piece. */
const PAUSE_MS = 40;

/** Lets hooks use the thread first, before other work on it. */
export function createHookPause(steady: () => number) {
	let last = Number.NEGATIVE_INFINITY;
	return {
		saw() {
			last = steady();
		},
		/** Resolves when the next piece of such work, about a millisecond, may run. */
		next: () => (steady() - last < COMING_MS ? wait(PAUSE_MS) : nextTurn()),
	};
}

export type HookPause = ReturnType<typeof createHookPause>;
