import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { tell } from '#lib/messages/tell.ts';
import type { ClientWatch } from '../approvals/client-watch.ts';
import type { HookPause } from '../door/hook-pause.ts';
import { ticketsOf } from '../door/tickets.ts';
import type { IncidentLog } from '../journal/incidents/incident-log.ts';
import type { PerMinute } from '../pages/status/per-minute.ts';
import type { Log } from '../process/log.ts';
import { repeat } from '../process/repeat.ts';
import type { createServices } from './create-services.ts';
import type { ServerBase } from './open-base.ts';

/** A model that is configured now is asked a second later. */
const MODEL_LOOK_MS = 1000;

/** Lets the door's thread reach those who keep tickets and those who watch hooks. Gives how to end it. */
export function connectDoor(
	{ home, door, tail, llm }: ServerBase,
	listeners: {
		services: Pick<ReturnType<typeof createServices>, 'assessments' | 'supervisors'>;
		clients: ClientWatch;
		incidents: IncidentLog;
		hooks: PerMinute;
		pause: HookPause;
		log: Log;
	},
): () => void {
	const { services, clients, incidents, hooks, pause, log } = listeners;
	door.connect({
		tickets: ticketsOf(services.assessments),
		report(report) {
			hooks.add(report.hooks);
			if (report.hooks > 0) pause.saw();
			for (const [sessionId, lines] of report.lines) tail.poke(sessionId, lines);
			for (const [sessionId, pid] of report.clients) clients.saw(sessionId, pid);
			for (const [sessionId, run] of report.runs) services.supervisors.saw(sessionId, run);
		},
		died({ message }) {
			const words = tell('the thread that answers hooks died ({message}) and was started anew. {end}#incident', {
				message,
				end: tell(
					'Hooks that came meanwhile were not answered by this server: entries that fail open may have let calls run.',
				),
			});
			incidents.raise({ code: 'door/replaced', about: doorPath(home), message: words });
		},
	});
	const lookAtModel = () => door.setModel(llm.model() !== undefined);
	lookAtModel();
	return repeat(MODEL_LOOK_MS, lookAtModel, (error) => log.error('llm: the model could not be looked at', error));
}
