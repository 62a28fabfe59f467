import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { CONFIG_PATH } from '#hooks-bridge/engine/project.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import type { FileRead, WantedAssessment } from '#hooks-bridge/ports/ports.ts';
import type { Log } from '../process/log.ts';
import { askTickets } from './ask-tickets.ts';
import { createDoor } from './door.ts';
import { type Appended, type DoorThreadData, errorOf, Flag, type FromDoor, type ToDoor } from './door-port.ts';
import { createReporter } from './door-report.ts';
import { createTurnPorts, LOCK_WAIT_MS } from './turn-timelines.ts';
import { openUnwrittenNote } from './unwritten-note.ts';

/*
 * The door's own thread: socket, gates, repeats, timelines. No database, page or zod is loaded here, so nothing that the
 * server does beside can hold up a hook. Every line that this process appends goes through here: so a line that it wrote
 * itself is known from a stranger's.
 */
if (!parentPort) throw new Error('door-thread is started by the server, not by hand.');
const port: MessagePort = parentPort;
const { home, flags, appended } = workerData as DoorThreadData;
/** How often lines that wait for the disk are tried again. */
const RETRY_MS = 1000;
const MOST_CONFIGS = 200;
const send = (message: FromDoor) => port.postMessage(message);

const log: Log = {
	info: (message, fields) => send({ is: 'log', level: 'info', message, ...(fields && { fields }) }),
	warn: (message, fields) => send({ is: 'log', level: 'warn', message, ...(fields && { fields }) }),
	error: (message, error, fields) =>
		send({
			is: 'log',
			level: 'error',
			message,
			...(error !== undefined && { error: errorOf(error) }),
			...(fields && { fields }),
		}),
};
const reporter = createReporter((report) => send({ is: 'report', report }));
const note = openUnwrittenNote(home);
const turn = createTurnPorts({
	home,
	lockWaitMs: LOCK_WAIT_MS,
	onAppend: (sessionId, _bytes, lines) => reporter.appended(sessionId, lines),
	onPrompt: reporter.prompt,
	onUnwritten(unwritten) {
		note.set(unwritten.why === undefined ? 0 : unwritten.kept + unwritten.lost);
		reporter.unwritten(unwritten);
	},
});
if (note.left > 0) {
	turn.loseEarlier(note.left);
	turn.retry();
}
/** What hooks were judged by is told at once: a config may be as it was again before anybody looks. */
const configs = new Map<string, string>();
function noteConfig(root: string, read: FileRead): FileRead {
	const text = read.ok ? read.text : '';
	if (configs.get(root) === text) return read;
	if (configs.size >= MOST_CONFIGS) configs.clear();
	configs.set(root, text);
	reporter.config(root, text);
	return read;
}
const ports = {
	...turn,
	readHomeFile(relative: string) {
		const read = turn.readHomeFile(relative);
		return relative === 'config.json' ? noteConfig('', read) : read;
	},
	readProjectFile(root: string, relative: string) {
		const read = turn.readProjectFile(root, relative);
		return relative === CONFIG_PATH ? noteConfig(root, read) : read;
	},
	// What comes next by priority needs no model.
	mayAssess: (validator: WantedAssessment['validator']) =>
		validator === 'completion' || Atomics.load(flags, Flag.hasModel) === 1,
};
const { tickets, settle } = askTickets(send);
const door = createDoor({
	socketPath: doorPath(home),
	ports,
	respond: (...call) => {
		reporter.hook();
		return respond(...call);
	},
	together: turn.together,
	tickets,
	onClient: reporter.client,
	onRun: reporter.run,
	log,
});

// A disk that has room again is noticed without a hook.
setInterval(turn.retry, RETRY_MS).unref();

port.on('message', (message: ToDoor) => {
	switch (message.is) {
		case 'append':
			return append(message);
		case 'command':
			return void obey(message);
		case 'end':
			// What waits even now is lost, and told by the next start.
			turn.retry();
			turn.close();
			note.close();
			return process.exit();
		case 'heard':
			return reporter.heard();
		case 'answer':
		case 'failed':
			return settle(message);
	}
});

function append({ n, sessionId, events }: Extract<ToDoor, { is: 'append' }>): void {
	const answer: Appended = { n };
	try {
		turn.append(sessionId, events);
	} catch (error) {
		answer.error = errorOf(error);
	}
	appended.postMessage(answer);
	Atomics.store(flags, Flag.appended, n);
	Atomics.notify(flags, Flag.appended);
}

async function obey({ n, command }: Extract<ToDoor, { is: 'command' }>): Promise<void> {
	try {
		await door[command]();
		const socket = command === 'close' ? undefined : door.socket();
		send({ is: 'done', n, ...(socket && { socket }) });
	} catch (error) {
		send({ is: 'done', n, error: errorOf(error) });
	}
}
