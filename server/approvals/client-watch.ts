import type { ProcessIdentity } from '#hooks-bridge/disk/process-identity.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Log } from '../process/log.ts';
import { type ProcessProbe, processProbe } from './process-probe.ts';

/** Notices agents whose client died without a word (SIGKILL fires no hook). */
export interface ClientWatch {
	/** A hook spoke for this session: its client lives, as this process. */
	saw(sessionId: string, pid: number): void;
	/** Looks once at every known client. A client is lost when two looks in a row miss it. */
	sweep(): void;
	/** Looks every second until `stop`. */
	start(): void;
	stop(): void;
}

interface Watched {
	client: ProcessIdentity;
	missed: boolean;
}

const PERIOD_MS = 1000;
/** Of more clients some are asked in turn who they are; of the others only whether their number is in use. */
const MOST_ASKED = 100;
const CLOCK_SLACK_MS = 5000;

/**
 * Appends `session:lost` once for a session whose client is gone and whose `session:end` was never heard.
 * A session that speaks again is watched again. A process that cannot be seen although its hook just spoke lives
 * in another namespace and is not watched.
 */
export function createClientWatch(options: {
	ports: Pick<Ports, 'append' | 'digest' | 'now'>;
	publishPoke: (sessionId: string) => void;
	/** Sessions as the index knows them: those with a pid are watched from the start. */
	views: () => SessionView[];
	viewOf: (sessionId: string) => SessionView | undefined;
	log: Log;
	probe?: ProcessProbe;
}): ClientWatch {
	const { ports, publishPoke, views, viewOf, log, probe = processProbe } = options;
	const watched = new Map<string, Watched>();
	let timer: NodeJS.Timeout | undefined;
	let sweeps = 0;

	const tellLost = (sessionId: string, client: ProcessIdentity) => {
		const { pid, start } = client;
		const type = 'session:lost';
		try {
			ports.append(sessionId, [
				{
					id: ports.digest(JSON.stringify([type, sessionId, pid, start])).slice(0, 32),
					ts: new Date(ports.now()).toISOString(),
					type,
					category: categoryOf(type),
					label: labelOf(type).en,
					sessionId,
					pid,
					reason: 'the agent is gone without ending its session',
				},
			]);
			publishPoke(sessionId);
		} catch (error) {
			log.error('liveness: a lost session could not be told to its timeline', error, { session: sessionId });
		}
	};

	const look = (sessionId: string, entry: Watched, isAsked: boolean) => {
		if (isAsked || entry.missed ? probe.isAlive(entry.client) : probe.exists(entry.client.pid)) {
			entry.missed = false;
			return;
		}
		if (!entry.missed) {
			entry.missed = true;
			return;
		}
		watched.delete(sessionId);
		const view = viewOf(sessionId);
		if (!view?.ended && !view?.lost) tellLost(sessionId, entry.client);
	};

	/** After a restart: a process younger than the session's last word only has its number. */
	const adopt = ({ sessionId, pid, ended, lost, lastAt }: SessionView) => {
		if (pid === undefined || ended || lost || watched.has(sessionId)) return;
		const found = probe.identify(pid);
		const startedAt = found && probe.startedAt(found);
		const other = startedAt !== null && lastAt !== undefined && startedAt > Date.parse(lastAt) + CLOCK_SLACK_MS;
		const client = found && !other ? found : { pid, start: 'gone' };
		watched.set(sessionId, { client, missed: false });
	};

	const sweep = () => {
		const rounds = Math.ceil(watched.size / MOST_ASKED);
		sweeps += 1;
		for (const [at, [sessionId, entry]] of [...watched].entries()) {
			look(sessionId, entry, (at + sweeps) % rounds === 0);
		}
	};

	return {
		saw(sessionId, pid) {
			const known = watched.get(sessionId);
			if (known?.client.pid === pid && !known.missed) return;
			const client = probe.identify(pid);
			if (client) watched.set(sessionId, { client, missed: false });
			else watched.delete(sessionId);
		},
		sweep,
		start() {
			for (const view of views()) adopt(view);
			timer ??= setInterval(sweep, PERIOD_MS);
			timer.unref();
		},
		stop() {
			clearInterval(timer);
			timer = undefined;
		},
	};
}
