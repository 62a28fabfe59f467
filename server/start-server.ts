import { chmodSync, mkdirSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Server as SocketServer } from 'socket.io';
import { doorPath } from '#hooks-bridge/overtone-home.ts';
import { approvalHoldSeconds, findSettings, isObserved } from '#hooks-bridge/project.ts';
import { release } from '#hooks-bridge/release.ts';
import { respond } from '#hooks-bridge/respond.ts';
import { isOverridden } from '#lib/session/call.ts';
import { createAlarmBook } from './alarms/alarm-book.ts';
import { startWatch } from './alarms/watch.ts';
import { createApi } from './api/app.ts';
import { createApprovalDesk } from './approvals/approval-desk.ts';
import { createClientWatch } from './approvals/client-watch.ts';
import { createOutbox } from './approvals/outbox.ts';
import { pairPrompt, watchPrompts } from './approvals/permission-watch.ts';
import { createAnchorKeeper } from './audit/anchor-keeper.ts';
import { openAnchors } from './audit/open-anchors.ts';
import { createAccessList } from './auth/access-list.ts';
import { createApprovalLinks } from './auth/approval-links.ts';
import { COOKIE_HOST, createAuth } from './auth/auth.ts';
import { createPasskeys } from './auth/passkeys.ts';
import { createDoor } from './door/door.ts';
import { type InstanceLock, takeInstanceLock } from './door/instance-lock.ts';
import { createTurnPorts } from './door/turn-ports.ts';
import type { ServerEnvironment } from './env.ts';
import { createFeatures } from './features/features.ts';
import { createGrantDesk } from './grants/grant-desk.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { createConfiguredClient } from './llm/configured-client.ts';
import type { Log } from './log.ts';
import { startNotify } from './notify/notify.ts';
import { openPushBook } from './notify/push-book.ts';
import { createPushDesk } from './notify/push-desk.ts';
import { packageVersion } from './package-root.ts';
import { readConfig } from './read-config.ts';
import { createGateway } from './realtime/gateway.ts';
import { pushAlarms } from './realtime/push-alarms.ts';
import type { RealtimeServer } from './realtime/socket-types.ts';
import { createHttpServer } from './skin/http-server.ts';
import { createNextHost } from './skin/next-host.ts';
import { createPerMinute } from './status/per-minute.ts';
import { createProjectHealth } from './status/project-health.ts';
import { createRecentLog, type RecentLog } from './status/recent-log.ts';
import { openSqliteIndex } from './store/sqlite-index.ts';
import { openSqliteJournal } from './store/sqlite-journal.ts';
import { createSupervisorControl } from './supervisor/supervisor-control.ts';
import { createTail } from './tail/tail.ts';
import { createAssessor } from './validators/assess.ts';
import { createAssessmentPlace } from './validators/assessment-place.ts';
import { createSubtaskDesk } from './validators/subtask-desk.ts';
import { createWorkflowControl } from './workflow/workflow-control.ts';

/** A websocket message from a browser is a subscription; anything larger is a mistake or an attack. */
const LARGEST_MESSAGE = 64 * 1024;
/** A state file's lock blocks the event loop, and so every other hook: no longer than one frame. */
const LOCK_WAIT_MS = 16;

/** A running server, or the one that already serves this home. */
export type StartedServer =
	| { started: true; url: string; mintLink(): Promise<string>; stop(): Promise<void> }
	| { started: false; url: string | undefined; pid: number | undefined };

/**
 * The composition root: builds every part of the server, gives each its ports and starts them in the order in
 * which they need each other. Rejects when the port is taken or a file cannot be opened; nothing is left running.
 */
export async function startServer(env: ServerEnvironment, log: Log): Promise<StartedServer> {
	mkdirSync(join(env.home, 'sessions'), { recursive: true, mode: 0o700 });
	chmodSync(env.home, 0o700);
	const instance = takeInstanceLock(join(env.home, 'server.lock'));
	if (!instance.taken) return { started: false, url: instance.holder?.url, pid: instance.holder?.pid };
	const closers: (() => Promise<void> | void)[] = [() => instance.lock.release()];
	const stop = once(async () => {
		for (const close of closers.reverse()) await close();
	});
	try {
		return await compose(env, createRecentLog(log, Date.now), instance.lock, closers, stop);
	} catch (error) {
		await stop();
		throw error;
	}
}

async function compose(
	env: ServerEnvironment,
	log: RecentLog,
	lock: InstanceLock,
	closers: (() => Promise<void> | void)[],
	stop: () => Promise<void>,
): Promise<StartedServer> {
	const journal = await openSqliteJournal(join(env.home, 'journal.db'));
	closers.push(() => journal.close());
	const index = openSqliteIndex(join(env.home, 'index.db'), { warn: (message) => log.warn(message) });
	closers.push(() => index.close());
	const tail = createTail({ home: env.home, index, journal, log });
	closers.push(() => tail.stop());
	const llm = createConfiguredClient(env.home, process.env, log);
	const ports = {
		...createTurnPorts({
			home: env.home,
			onAppend: (sessionId, _bytes, lines) => tail.poke(sessionId, lines),
			lockWaitMs: LOCK_WAIT_MS,
		}),
		mayAssess: () => llm.model() !== undefined,
		wasAllowed(sessionId: string, toolUseId: string) {
			const call = tail.viewOf(sessionId)?.calls.find((one) => one.toolUseId === toolUseId);
			return call !== undefined && isOverridden(call);
		},
	};
	closers.push(() => ports.close());

	const nextHost = createNextHost({ dev: env.dev, port: env.port });
	const ioUpgrades = http.createServer();
	const io: RealtimeServer = new SocketServer(ioUpgrades, {
		serveClient: false,
		transports: ['websocket'],
		perMessageDeflate: false,
		maxHttpBufferSize: LARGEST_MESSAGE,
	});
	const gateway = createGateway({ io, tail, index, log });
	const publishPoke = (sessionId: string) => tail.poke(sessionId);
	const alarms = createAlarmBook({ ports, publishPoke, log });
	pushAlarms(io, alarms);
	const url = `http://${COOKIE_HOST}:${env.port}`;
	const pushBook = openPushBook(env.home, Date.now);
	const links = createApprovalLinks({ journal, now: Date.now });
	const workflows = createWorkflowControl({ ports, journal, viewOf: tail.viewOf });
	const notifier = startNotify({
		linkTo: (question) => `/link#${links.mint(question)}`,
		book: pushBook,
		tail,
		ports,
		workflows,
		address: url,
		env: process.env,
		now: Date.now,
		log,
	});
	closers.push(() => notifier.stop());
	const audit = openAnchors(readConfig(ports), env.home, process.env);
	for (const problem of audit.problems) log.warn(`config.json: ${problem}`);
	const keeper = createAnchorKeeper({ home: env.home, anchors: audit.anchors, head: journal.head, now: Date.now, log });
	closers.push(() => keeper.stop());
	const outbox = createOutbox({ journal, ports, publishPoke, log });
	const grants = createGrantDesk({ journal, outbox, ports, release, log });
	const desk = createApprovalDesk({
		journal,
		outbox,
		grants,
		ports,
		release,
		holdSeconds: (held) => approvalHoldSeconds(held, ports),
		observes: (held) => isObserved(held, ports),
		callOfPrompt: (held) => pairPrompt(held, { viewOf: tail.viewOf, index }),
		presence: () => (notifier.reachesPerson() ? 'here' : gateway.presence()),
		forcedHoldSeconds: env.holdSeconds,
		log,
	});
	const clients = createClientWatch({ ports, publishPoke, views: tail.views, viewOf: tail.viewOf, log });
	const features = createFeatures({ home: env.home, tail, ports, journal, now: Date.now, log });
	const supervisors = createSupervisorControl({
		ports,
		journal,
		viewOf: tail.viewOf,
		env: process.env,
		lockWaitMs: LOCK_WAIT_MS,
	});
	const auth = createAuth({ journal, now: Date.now });
	const dropLogin = (sessionHash: string) => {
		gateway.dropLogin(sessionHash);
		pushBook.removeOf(sessionHash);
	};
	auth.onLoginClosed(dropLogin);
	const print = (line: string) => void process.stdout.write(`${line}\n`);
	const passkeys = createPasskeys({ journal, origin: () => url, print, now: Date.now });
	const access = createAccessList({
		journal,
		now: Date.now,
		revoked(subject) {
			dropLogin(subject);
			passkeys.forget(subject);
		},
	});
	const assessor = createAssessor({ ...llm, index, viewOf: tail.viewOf, ports });
	const assessments = createAssessmentPlace({ desk, assessor, ports, log });
	const version = packageVersion();
	const startedAt = new Date().toISOString();
	const hooks = createPerMinute(Date.now);
	const health = createProjectHealth({ home: env.home, views: tail.views, ports, env: process.env, now: Date.now });
	let open = false;
	const stopWatching = watchPrompts(tail.onBatch, desk, (error) => log.error('A prompt could not be closed', error));
	closers.push(stopWatching);
	const door = createDoor({
		socketPath: doorPath(env.home),
		ports,
		respond: (...call) => {
			hooks.add();
			return respond(...call);
		},
		together: ports.together,
		desk: assessments,
		onClient: clients.saw,
		onRun: supervisors.saw,
		log,
	});
	const subtasks = createSubtaskDesk({ index, viewOf: tail.viewOf, journal, ports });
	const api = createApi({
		auth,
		index,
		tail,
		desk,
		grants,
		features: features.desk,
		workflows,
		subtasks,
		audit: keeper.state,
		status: () => ({
			version,
			startedAt,
			home: env.home,
			port: env.port,
			hooksPerMinute: hooks.count(),
			model: llm.model() ?? null,
			channels: notifier.channels(),
			log: log.recent(),
			projects: health.all(),
			alarms: alarms.list(),
		}),
		passkeys,
		links,
		push: createPushDesk({ book: pushBook, journal }),
		access,
		supervisors,
		home: env.home,
		undoSeconds: () => findSettings('', ports).undoSeconds,
		observes: () => findSettings('', ports).observe,
		ready: () => open,
		sockets: () => io.engine.clientsCount,
		now: Date.now,
		log,
	});
	const { pages, upgrades: nextUpgrades } = nextHost;
	const server = createHttpServer({ auth, api, pages, nextUpgrades, ioUpgrades, dev: env.dev, log });

	// The port first: a second home on the same port must fail before it touches anything of its own.
	const closeListeners = await listenOnLoopback(server, env.port);
	closers.push(
		() => nextHost.stop(),
		closeListeners,
		() => void io.disconnectSockets(true),
	);
	await tail.start();
	await desk.start();
	await grants.start();
	closers.push(
		() => desk.stop(),
		() => grants.stop(),
	);
	await door.listen();
	closers.push(
		() => door.close(),
		() => assessments.stop(),
	);
	closers.push(
		await startWatch({ home: env.home, env: process.env, door, isHomeOurs: lock.stands, health, alarms, log }),
	);
	keeper.start();
	clients.start();
	features.keeper.start();
	closers.push(
		() => features.keeper.stop(),
		() => clients.stop(),
		() => gateway.stop(),
	);
	open = true;
	lock.announce(url);
	nextHost.start().catch((error: unknown) => log.error('The pages cannot be served', error));
	return {
		started: true,
		url,
		mintLink: async () => `${url}/login#${await auth.mintLink()}`,
		stop,
	};
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return () => (result ??= run());
}
