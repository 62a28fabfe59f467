import type { ProcessIdentity } from '#hooks-bridge/disk/process-identity.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { typeFields } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Log } from '../process/log.ts';
import { type ProcessProbe, processProbe } from './process-probe.ts';

interface Watched {
	client: ProcessIdentity;
	missed: boolean;
}

const PERIOD_MS = 1000;
/** How many clients are identified at each check; of the others only the process number is checked. */
const MAX_ASKED = 100;
const CLOCK_SLACK_MS = 5000;

/** Appends `session:lost` once for a session whose client died without a hook (SIGKILL). */
export function createClientWatch(options: {
	ports: Pick<Ports, 'append' | 'digest' | 'now'>;
	views: () => SessionView[];
	viewOf: (sessionId: string) => SessionView | undefined;
	log: Log;
	probe?: ProcessProbe;
}) {
	const { ports, views, viewOf, log, probe = processProbe } = options;
	const watched = new Map<string, Watched>();
	let timer: NodeJS.Timeout | undefined;
	let sweeps = 0;

	const recordLost = (sessionId: string, { pid, start }: ProcessIdentity) => {
		const type = 'session:lost';
		const id = ports.digest(JSON.stringify([type, sessionId, pid, start])).slice(0, 32);
		const ts = new Date(ports.now()).toISOString();
		const envelope = { id, ts, ...typeFields(type), sessionId };
		try {
			ports.append(sessionId, [{ ...envelope, pid, reason: 'the agent is gone without ending its session' }]);
		} catch (error) {
			log.error('liveness: a lost session could not be written to its timeline', error, { session: sessionId });
		}
	};

	const checkClient = (sessionId: string, entry: Watched, hasQuestion: boolean) => {
		if (hasQuestion || entry.missed ? probe.isAlive(entry.client) : probe.exists(entry.client.pid)) {
			entry.missed = false;
			return;
		}
		if (!entry.missed) {
			entry.missed = true;
			return;
		}
		watched.delete(sessionId);
		const view = viewOf(sessionId);
		if (!view?.ended && !view?.lost) recordLost(sessionId, entry.client);
	};

	/** After a restart: a process that is younger than the session's last event is another one with the same number. */
	const adopt = ({ sessionId, pid, ended, lost, lastAt }: SessionView) => {
		if (pid === undefined || ended || lost || watched.has(sessionId)) return;
		const found = probe.identify(pid);
		const startedAt = found && probe.startedAt(found);
		const other = startedAt !== null && lastAt !== undefined && startedAt > Date.parse(lastAt) + CLOCK_SLACK_MS;
		const client = found && !other ? found : { pid, start: 'gone' };
		watched.set(sessionId, { client, missed: false });
	};

	const sweep = () => {
		const rounds = Math.ceil(watched.size / MAX_ASKED);
		sweeps += 1;
		for (const [index, [sessionId, entry]] of [...watched].entries()) {
			checkClient(sessionId, entry, (index + sweeps) % rounds === 0);
		}
	};

	return {
		saw(sessionId: string, pid: number): void {
			const known = watched.get(sessionId);
			if (known?.client.pid === pid && !known.missed) return;
			const client = probe.identify(pid);
			if (client) watched.set(sessionId, { client, missed: false });
			else watched.delete(sessionId);
		},
		/** Checks every known client once. A client is lost when two checks in a row miss it. */
		sweep,
		start(): void {
			for (const view of views()) adopt(view);
			timer ??= setInterval(sweep, PERIOD_MS);
			timer.unref();
		},
		stop(): void {
			clearInterval(timer);
			timer = undefined;
		},
	};
}

export type ClientWatch = ReturnType<typeof createClientWatch>;
