import { join } from 'node:path';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { sentence } from '#lib/messages/sentence.ts';
import type { ClientWatch } from '../approvals/client-watch.ts';
import type { DoorReport } from '../door/door-port.ts';
import { ticketsOf } from '../door/exchange.ts';
import type { HookPause } from '../door/hook-pause.ts';
import type { Unwritten } from '../door/kept-lines.ts';
import type { IncidentLog } from '../journal/incidents/incident-log.ts';
import type { PerMinute } from '../pages/status/per-minute.ts';
import type { Log } from '../process/log.ts';
import { repeat } from '../process/repeat.ts';
import type { createServices, ServerBase } from './create-services.ts';

/** Newly configured models are used a second later. */
const MODEL_CHECK_MS = 1000;

/** Connects the door's thread to the services that hold tickets and watch hooks. Returns the function that ends it. */
export function connectDoor(
	{ home, door, tail, llm }: ServerBase,
	listeners: {
		services: Pick<ReturnType<typeof createServices>, 'assessments' | 'supervisors'>;
		clients: ClientWatch;
		incidents: IncidentLog;
		hooks: PerMinute;
		pause: HookPause;
		/** Also receives the configs and prompts that hooks report. */
		watch: (report: Pick<DoorReport, 'prompts' | 'configs'>) => void;
		log: Log;
	},
): () => void {
	const { services, clients, incidents, hooks, pause, watch, log } = listeners;
	door.connect({
		tickets: ticketsOf(services.assessments),
		report(report) {
			if (hooks.add(report.hooks) > 0) pause.saw();
			for (const [sessionId, lines] of report.lines) tail.noteAppended(sessionId, lines);
			for (const [sessionId, pid] of report.clients) clients.saw(sessionId, pid);
			for (const [sessionId, run] of report.runs) services.supervisors.saw(sessionId, run);
			watch(report);
			if (report.unwritten) reportUnwritten(home, report.unwritten, incidents);
			return tail.pauseMs();
		},
		died({ message }) {
			const words = sentence('the thread that answers hooks died ({message}) and was restarted. {end}', {
				message,
				end: sentence(
					'Hooks that came meanwhile were not answered by this server: entries that fail open may have let calls run.',
				),
			});
			incidents.raise({ code: 'door/replaced', about: doorPath(home), message: words });
		},
	});
	const checkModel = () => door.setModel(llm.model() !== undefined);
	checkModel();
	return repeat(MODEL_CHECK_MS, checkModel, (error) => log.error('llm: the model could not be looked at', error));
}

/** Raises an incident while lines wait for the disk, and one with the number of lost lines. */
function reportUnwritten(home: string, { lost, why }: Unwritten, incidents: IncidentLog): void {
	const about = join(home, 'sessions');
	const code = 'disk/full';
	const fix = sentence('make room on that disk; nothing else is to be done');
	if (why === undefined) {
		incidents.clear(code, about);
		if (lost === 0) return;
		const message = sentence(
			'{lost} events of hooks are lost: the disk of {path} took no lines, and memory could not keep them',
			{ path: about, lost: String(lost) },
		);
		return incidents.raise({ code, about, message });
	}
	// Without a number: each change would raise another incident, which is another line for the disk.
	const message =
		lost === 0
			? sentence('the disk of {path} takes no lines ({why}): what hooks tell waits in memory', {
					why,
					path: about,
				})
			: sentence('the disk of {path} takes no lines ({why}), and memory holds no more: events are lost', {
					why,
					path: about,
				});
	incidents.raise({ code, about, message, fix, isOpen: true });
}
