import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { CONFIG_PATH } from '#hooks-bridge/engine/facts.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import type { WantedAssessment } from '#hooks-bridge/ports/denied-call.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { FileRead } from '#hooks-bridge/ports/ports.ts';
import { defined } from '#lib/json/json.ts';
import type { TicketOutcome, TicketRef } from '../approvals/ticket-port.ts';
import type { Log, LogFields } from '../process/log.ts';
import { createDoor } from './door.ts';
import {
	type Appended,
	type DoorReport,
	type DoorThreadData,
	errorOf,
	Flag,
	type FromDoor,
	HOOK_MS,
	type TicketAnswer,
	type TicketQuestion,
	type ToDoor,
} from './door-port.ts';
import type { DoorTickets } from './exchange.ts';
import { openUnwrittenNote, type Unwritten } from './kept-lines.ts';
import { createTurnPorts, LOCK_WAIT_MS } from './turn-timelines.ts';

/*
 * The door's own thread: socket, gates, repeats, timelines, but no database, page or zod, so that nothing else delays a hook. All
 * lines of this process are appended here, which tells them from those of other programs.
 */
if (!parentPort) throw new Error('door-thread is started by the server, not by hand.');
const port: MessagePort = parentPort;
const { home, flags, appended } = workerData as DoorThreadData;
/** How often lines that wait for the disk are retried. */
const RETRY_MS = 1000;
const MAX_CONFIGS = 200;
const send = (message: FromDoor) => port.postMessage(message);

const logAt = (level: 'info' | 'warn') => (message: string, fields?: LogFields) =>
	send({ type: 'log', level, message, ...defined({ fields }) });
const log: Log = {
	info: logAt('info'),
	warn: logAt('warn'),
	error(message, thrown, fields) {
		const error = thrown === undefined ? undefined : errorOf(thrown);
		send({ type: 'log', level: 'error', message, ...defined({ error, fields }) });
	},
};
const reporter = createReporter((report) => send({ type: 'report', report }));
const unwrittenNote = openUnwrittenNote(home);
const turnPorts = createTurnPorts({
	home,
	lockWaitMs: LOCK_WAIT_MS,
	onAppend: (sessionId, _bytes, lines) => reporter.appended(sessionId, lines),
	onPrompt: reporter.prompt,
	onUnwritten(unwritten) {
		unwrittenNote.set(unwritten.why === undefined ? 0 : unwritten.waiting + unwritten.lost);
		reporter.unwritten(unwritten);
	},
});
// Lines that an earlier server could not write are lost.
if (unwrittenNote.left > 0) {
	turnPorts.loseEarlier(unwrittenNote.left);
	turnPorts.retry();
}
/** Changed settings are reported at once: a config may be restored before anybody checks it. */
const configs = new Map<string, string>();
function noteConfig(root: string, read: FileRead): FileRead {
	const text = read.ok ? read.text : '';
	if (configs.get(root) === text) return read;
	if (configs.size >= MAX_CONFIGS) configs.clear();
	configs.set(root, text);
	reporter.config(root, text);
	return read;
}
const ports = {
	...turnPorts,
	readHomeFile(relative: string) {
		const read = turnPorts.readHomeFile(relative);
		return relative === 'config.json' ? noteConfig('', read) : read;
	},
	readProjectFile(root: string, relative: string) {
		const read = turnPorts.readProjectFile(root, relative);
		return relative === CONFIG_PATH ? noteConfig(root, read) : read;
	},
	// The completion validator names the next task by priority, which needs no model.
	mayAssess: (validator: WantedAssessment['validator']) =>
		validator === 'completion' || Atomics.load(flags, Flag.hasModel) === 1,
};
const { tickets, deliverAnswer } = askTickets(send);
const door = createDoor({
	socketPath: doorPath(home),
	ports,
	respond,
	onAnswered: reporter.hook,
	together: turnPorts.together,
	tickets,
	onClient: reporter.client,
	onRun: reporter.run,
	log,
});

// Notices free space on a disk without a hook.
setInterval(turnPorts.retry, RETRY_MS).unref();

port.on('message', (message: ToDoor) => {
	switch (message.type) {
		case 'append':
			return append(message);
		case 'command':
			return void runCommand(message);
		case 'end':
			// Lines that still wait now are lost; the next start reports them.
			turnPorts.retry();
			turnPorts.close();
			unwrittenNote.close();
			return process.exit();
		case 'report-read':
			return reporter.noteRead();
		case 'answer':
		case 'failed':
			return deliverAnswer(message);
	}
});

function append({ id, sessionId, events }: Extract<ToDoor, { type: 'append' }>): void {
	const answer: Appended = { id };
	try {
		turnPorts.append(sessionId, events);
	} catch (error) {
		answer.error = errorOf(error);
	}
	appended.postMessage(answer);
	Atomics.store(flags, Flag.appended, id);
	Atomics.notify(flags, Flag.appended);
}

async function runCommand({ id, command }: Extract<ToDoor, { type: 'command' }>): Promise<void> {
	try {
		await door[command]();
		const socket = command === 'close' ? undefined : door.socket();
		send({ type: 'done', id, ...(socket && { socket }) });
	} catch (error) {
		send({ type: 'done', id, error: errorOf(error) });
	}
}

/** Most texts of one config that a report names. */
const MAX_TEXTS = 20;

function emptyReport(): DoorReport {
	return {
		hooks: HOOK_MS.map(() => 0),
		lines: new Map(),
		clients: new Map(),
		runs: new Map(),
		prompts: new Set(),
		configs: new Map(),
	};
}

function createReporter(send: (report: DoorReport) => void) {
	let report = emptyReport();
	let isRead = true;
	let isDue = false;

	function sendDue() {
		isDue = false;
		if (!isRead) return;
		isRead = false;
		send(report);
		report = emptyReport();
	}

	/** Sends the report once the hooks of this turn are answered, and the last one is read. */
	function scheduleReport() {
		if (isDue) return;
		isDue = true;
		if (isRead) queueMicrotask(sendDue);
	}

	return {
		hook(ms: number) {
			const bucket = HOOK_MS.findIndex((max) => ms <= max);
			report.hooks[bucket] = (report.hooks[bucket] ?? 0) + 1;
			scheduleReport();
		},
		appended(sessionId: string, lines: number) {
			report.lines.set(sessionId, (report.lines.get(sessionId) ?? 0) + lines);
			scheduleReport();
		},
		client(sessionId: string, pid: number) {
			report.clients.set(sessionId, pid);
			scheduleReport();
		},
		run(sessionId: string, run: HookRun) {
			report.runs.set(sessionId, run);
			scheduleReport();
		},
		prompt(sessionId: string) {
			report.prompts.add(sessionId);
			scheduleReport();
		},
		/** A hook was judged by another text of a config; `root` is empty for the home's own. */
		config(root: string, text: string) {
			report.configs.set(root, [...(report.configs.get(root) ?? []), text].slice(-MAX_TEXTS));
			scheduleReport();
		},
		unwritten(unwritten: Unwritten) {
			// Losses are reported even if the waiting lines were written before the report was read.
			report.unwritten = { ...unwritten, lost: Math.max(unwritten.lost, report.unwritten?.lost ?? 0) };
			scheduleReport();
		},
		noteRead() {
			isRead = true;
			if (isDue) sendDue();
		},
	};
}

/** How many hooks may wait for the main thread; others get the gates' own answer. */
const MAX_ASKS = 5000;

interface Waiting {
	resolve(result: TicketAnswer): void;
	reject(error: Error): void;
}

/** Tickets in the door's thread: asks the main thread; `deliverAnswer` delivers its answer. */
function askTickets(send: (message: FromDoor) => void) {
	const waiting = new Map<number, Waiting>();
	let last = 0;

	/** Rejects with the error of the other thread. */
	function ask(question: TicketQuestion, signal?: AbortSignal): Promise<TicketAnswer> {
		const id = ++last;
		return new Promise((resolve, reject) => {
			waiting.set(id, { resolve, reject });
			send({ type: 'question', id, question });
			const hangUp = () => send({ type: 'hung-up', id });
			if (signal?.aborted) hangUp();
			else signal?.addEventListener('abort', hangUp, { once: true });
		});
	}
	const askTicket = (question: TicketQuestion) => ask(question) as Promise<TicketRef | null>;
	const askOutcome = (question: TicketQuestion, signal?: AbortSignal) =>
		ask(question, signal) as Promise<TicketOutcome>;

	const tickets: DoorTickets = {
		hold: (wanted) => (waiting.size < MAX_ASKS ? askTicket({ method: 'hold', wanted }) : undefined),
		openReview: (held, ms) => askTicket({ method: 'openReview', held, ms }),
		closeReview: (ticketId, reason) => askOutcome({ method: 'closeReview', ticketId, reason }),
		wait: (ticketId, signal) => askOutcome({ method: 'wait', ticketId }, signal),
	};
	return {
		tickets,
		deliverAnswer(message: Extract<ToDoor, { type: 'answer' | 'failed' }>) {
			const question = waiting.get(message.id);
			waiting.delete(message.id);
			if (message.type === 'answer') question?.resolve(message.result);
			else question?.reject(message.error);
		},
	};
}
