import { join } from 'node:path';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { findSettings } from '#hooks-bridge/engine/facts.ts';
import type { GrantSource } from '#lib/contract/approvals/grants.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { openSignIns } from '../access/open-sign-ins.ts';
import { openOwnHost } from '../access/own-host.ts';
import { type ClientWatch, createClientWatch } from '../approvals/client-watch.ts';
import { grantSubjectOf } from '../approvals/grants/grant-subject.ts';
import { watchPrompts } from '../approvals/permission-watch.ts';
import type { Presence } from '../approvals/presence.ts';
import { createWorkflowControl } from '../approvals/workflow/workflow-control.ts';
import { startNotify } from '../connect/notify/notifier.ts';
import { createPushService, openPushStore } from '../connect/notify/push-store.ts';
import { openReceiver } from '../connect/otlp/receiver.ts';
import { startTelemetry } from '../connect/telemetry/telemetry.ts';
import { type DoorReport, HOOK_MS } from '../door/door-port.ts';
import { ticketsOf } from '../door/exchange.ts';
import type { InstanceLock } from '../door/instance-lock.ts';
import type { Unwritten } from '../door/kept-lines.ts';
import { createHookPause, type HookPause } from '../door/start-door-thread.ts';
import { openEdge } from '../edge/open-edge.ts';
import { createHubLease } from '../edge/open-tickets.ts';
import { createHttpServer } from '../http/http-server.ts';
import { createNextHost } from '../http/next-host.ts';
import { type AnchorScheduler, createAnchorScheduler } from '../journal/anchor-scheduler.ts';
import { openAnchors } from '../journal/anchors/anchors.ts';
import type { IncidentLog } from '../journal/incidents/incident-log.ts';
import { openIncidents } from '../journal/incidents/open-incidents.ts';
import { startWatch } from '../journal/incidents/watch.ts';
import { createApi } from '../pages/api/api.ts';
import { createGateway, createRealtime, sendIncidents } from '../pages/realtime/gateway.ts';
import { createPerMinute, type PerMinute } from '../pages/status/per-minute.ts';
import { createProjectHealth } from '../pages/status/project-health.ts';
import type { RecentLog } from '../pages/status/recent-log.ts';
import { diskRoom } from '../process/disk-room.ts';
import type { ServerEnvironment } from '../process/env.ts';
import { listenOnLoopback } from '../process/listen-on-loopback.ts';
import type { Log } from '../process/log.ts';
import { packageVersion } from '../process/package-root.ts';
import { openName, programName, withHome } from '../process/program-name.ts';
import { readConfig } from '../process/read-config.ts';
import { repeat } from '../process/repeat.ts';
import { howToStop } from '../process/server-holder.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createUsageSources } from '../timeline/usage/session-transcripts.ts';
import { createUsageTracker } from '../timeline/usage/usage-tracker.ts';
import type { ClaimedHome, Closers } from './claim-home.ts';
import { createServices, openBase, type ServerBase } from './create-services.ts';

/** A sign-in ends to the minute. */
const ENDED_CHECK_MS = 60_000;

/**
 * The composition root: builds every part over a claimed home and starts them in order. Rejects if the port is taken or a file
 * cannot be opened.
 */
export async function composeServer(
	env: ServerEnvironment,
	log: RecentLog,
	{ lock, ...home }: ClaimedHome & { journal: JournalStore },
	closers: Closers,
): Promise<{ url: string; link: string; presence(): Presence }> {
	const base = openBase(env.home, home, log, closers);
	let isOpen = false;
	const parts = buildParts(env, base, { log, closers, isOpen: () => isOpen });
	const secret = await startParts(env, base, parts, { log, closers, lock });
	isOpen = true;
	const { url, nextHost } = parts;
	lock.announce(url);
	nextHost.start().catch((error: unknown) => log.error('The pages cannot be served', error));
	return { url, link: `${url}/login#${secret}`, presence: parts.gateway.presence };
}

/** Builds every part over its base. A part that must be closed even if it was never started is registered here. */
function buildParts(
	env: ServerEnvironment,
	base: ServerBase,
	options: { log: RecentLog; closers: Closers; isOpen: () => boolean },
) {
	const { log, closers, isOpen } = options;
	const { home, journal, index, reads, feed, tail, llm, ports } = base;
	const url = `http://${openOwnHost(home)}:${env.port}`;
	const { io, upgrades: ioUpgrades } = createRealtime();
	const gateway = createGateway({ io, feed, reads, log });
	const { incidents, all, close } = openIncidents({ home, ports, index, tail, log });
	sendIncidents(io, incidents);
	closers.push(close);
	const pushStore = openPushStore(home, Date.now);
	const signIns = openSignIns({
		journal,
		url,
		ended(hash) {
			gateway.dropLogin(hash);
			pushStore.removeOf(hash);
		},
	});
	const workflows = createWorkflowControl({ ports, journal, viewOf: tail.viewOf });
	const notifier = startNotify({
		linkTo: (question) => `/link#${signIns.links.mint(question)}`,
		pushStore,
		tail,
		ports,
		workflows,
		address: url,
		env: process.env,
		now: Date.now,
		log,
	});
	closers.push(() => notifier.stop());
	const version = packageVersion();
	closers.push(startTelemetry({ tail, ports, env: process.env, version, now: Date.now, log }));
	const scheduler = openScheduler(base, log);
	closers.push(() => scheduler.stop());
	const sources = createUsageSources();
	const usage = createUsageTracker({ tail, index, ports, sources, log });
	const lease = createHubLease();
	const presence = () => (notifier.reachesPerson() || lease.isRunning() ? 'here' : gateway.presence());
	const services = createServices(base, { presence, forcedHoldSeconds: env.holdSeconds, log });
	const { approvals, features, replay } = services;
	const clients = createClientWatch({ ports, views: tail.views, viewOf: tail.viewOf, log });
	closers.push(watchPrompts(tail.onBatch, approvals, (error) => log.error('A prompt could not be closed', error)));
	const hooks = createPerMinute(Date.now, HOOK_MS);
	const pause = createHookPause(() => performance.now());
	const health = createProjectHealth({ home, views: tail.views, ports, env: process.env, now: Date.now });
	const toDoor = { services, clients, incidents, hooks, pause, log };
	const startedAt = new Date().toISOString();
	const openly = openName(process.env.PATH ?? '', home, process.env);
	const program = openly.name;
	const telemetry = openReceiver({ home, tail, index, ports, sources, pause, openly });
	closers.push(() => telemetry.stop());
	const api = createApi({
		...signIns,
		...services,
		reads,
		feed,
		tail,
		service: approvals,
		features: features.service,
		replay: replay.service,
		workflows,
		audit: scheduler.state,
		status: () => ({
			version,
			startedAt,
			home,
			room: diskRoom(home) ?? null,
			port: env.port,
			hooksPerMinute: hooks.count(),
			hooksLastHour: hooks.lastHour(),
			hookTimes: hooks.times(),
			model: llm.model() ?? null,
			channels: notifier.channels(),
			telemetry: telemetry.counts(),
			log: log.recent(),
			projects: health.all(),
			incidents: all(),
		}),
		push: createPushService({ pushStore, journal }),
		home,
		program: withHome(programName(process.env.PATH ?? ''), home, process.env),
		openly,
		undoSeconds: () => findSettings('', ports).undoSeconds,
		observes: () => findSettings('', ports).observe,
		ready: isOpen,
		sockets: () => io.engine.clientsCount,
		now: Date.now,
		log,
	});
	const nextHost = createNextHost({
		dev: env.dev,
		port: env.port,
		log,
		restart: withProgramName(`${howToStop(process.pid)} Then run \`signalbox start\`.`, program),
	});
	const { pages, upgrades: nextUpgrades } = nextHost;
	const { auth } = signIns;
	const server = createHttpServer({
		auth,
		api,
		pages,
		nextUpgrades,
		ioUpgrades,
		telemetry,
		program,
		dev: env.dev,
		log,
	});

	return {
		url,
		auth,
		nextHost,
		server,
		io,
		gateway,
		...services,
		toDoor,
		health,
		incidents,
		scheduler,
		clients,
		usage,
		lease,
	};
}

/** Starts the parts in order; resolves with the secret of a login link. Rejects if the port is taken. */
async function startParts(
	env: ServerEnvironment,
	base: ServerBase,
	parts: ReturnType<typeof buildParts>,
	options: { log: Log; closers: Closers; lock: InstanceLock },
): Promise<string> {
	const { server, auth, nextHost, io, gateway, approvals, grants, tickets, features, replay } = parts;
	const { tail, journal, ports, door, reads } = base;
	const { toDoor, health, incidents, scheduler, clients, usage, retention, lease } = parts;
	const { log, closers, lock } = options;
	let watch: Awaited<ReturnType<typeof startWatch>> | undefined;
	// The port is opened first: a second home on the same port must fail before it changes anything.
	const closeListeners = await listenOnLoopback(server, env.port);
	closers.push(
		() => nextHost.stop(),
		closeListeners,
		() => void io.disconnectSockets(true),
	);
	await auth.closeOldSignIns();
	await tail.start();
	await approvals.start();
	await grants.start();
	closers.push(
		() => approvals.stop(),
		() => grants.stop(),
	);
	closers.push(
		connectDoor(base, { ...toDoor, watch: (report) => watch?.receiveReport(report) }),
		() => door.close(),
		() => tickets.stop(),
	);
	const { home } = env;
	// Before pages are watched, so that the start itself raises no incident on open pages.
	const secret = await auth.mintLink();
	const started = await startWatch({
		home,
		journal,
		env: process.env,
		door,
		isHomeOurs: lock.isCurrent,
		health,
		tail,
		ports,
		incidents,
		log,
	});
	watch = started;
	closers.push(started.close);
	const logLookup = (error: unknown) => log.error('realtime: ended sign-ins could not be looked for', error);
	closers.push(repeat(ENDED_CHECK_MS, async () => gateway.dropEnded(auth.isValid), logLookup));
	const people = {
		service: approvals,
		grants,
		lease,
		settings: () => findSettings('', ports),
		subjectOf: (source: GrantSource) => grantSubjectOf(source, { approval: approvals.get, reads }),
	};
	closers.push(await openEdge(home, tail, log, { journal, incidents }, people));
	scheduler.start();
	clients.start();
	features.copier.start();
	retention.start();
	usage.start();
	closers.push(
		() => usage.stop(),
		() => features.copier.stop(),
		() => retention.stop(),
		() => replay.recordings.close(),
		() => clients.stop(),
		() => gateway.stop(),
	);
	return secret;
}

/** The scheduler of the anchors in `config.json`; logs its problems. */
function openScheduler({ home, journal, ports }: ServerBase, log: Log): AnchorScheduler {
	const { anchors, problems } = openAnchors(readConfig(ports), home, process.env);
	for (const problem of problems) log.warn(`config.json: ${problem}`);
	return createAnchorScheduler({ home, anchors, head: journal.head, now: Date.now, log });
}

/** Newly configured models are used a second later. */
const MODEL_CHECK_MS = 1000;

/** Connects the door's thread to the services that hold tickets and watch hooks. Returns the function that ends it. */
function connectDoor(
	{ home, door, tail, llm }: ServerBase,
	listeners: {
		services: Pick<ReturnType<typeof createServices>, 'tickets' | 'supervisors'>;
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
		tickets: ticketsOf(services.tickets),
		report(report) {
			if (hooks.add(report.hooks) > 0) pause.saw();
			for (const [sessionId, lines] of report.lines) tail.noteAppended(sessionId, lines);
			for (const [sessionId, pid] of report.clients) clients.saw(sessionId, pid);
			for (const [sessionId, run] of report.runs) services.supervisors.saw(sessionId, run);
			watch(report);
			if (report.unwritten) reportUnwritten(home, report.unwritten, incidents);
			return tail.pauseMs();
		},
		appended: tail.noteAppended,
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
			? sentence('the disk of {path} refuses lines ({why}): what hooks report waits in memory', {
					why,
					path: about,
				})
			: sentence('the disk of {path} refuses lines ({why}), and memory holds no more: events are lost', {
					why,
					path: about,
				});
	incidents.raise({ code, about, message, fix, isOpen: true });
}
