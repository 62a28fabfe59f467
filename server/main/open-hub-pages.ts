import http from 'node:http';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { HUB_HEADER } from '#lib/contract/hub/hub-roles.ts';
import { type HubReach, type HubRole, mayAnywhere, scopeOf } from '#lib/hub/may.ts';
import { principalOf } from '../access/principal.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { createHttpServer } from '../http/http-server.ts';
import { createNextHost } from '../http/next-host.ts';
import { createEdgeService } from '../hub/edges/edge-service.ts';
import { readTier } from '../hub/edges/edge-store.ts';
import { createHubFeatures, openHubRecordings, recentSheets } from '../hub/features/hub-features.ts';
import { meterReads } from '../hub/metrics/hub-meters.ts';
import { createHubPasskeys } from '../hub/people/hub-passkeys.ts';
import { createOidcSignIn, type OidcConfig } from '../hub/people/oidc.ts';
import { createPeopleService, reportWatching } from '../hub/people/people-service.ts';
import { createPeopleStore } from '../hub/people/people-store.ts';
import { createHubAuth, createSignInStore } from '../hub/people/sign-ins.ts';
import { createPolicyService } from '../hub/policies/policy-service.ts';
import { createRosterService, readLeftOut } from '../hub/policies/roster-service.ts';
import { createHubFeed } from '../hub/reading/hub-feed.ts';
import { readSourceOptions } from '../hub/reading/source-options.ts';
import { feedWithoutContent, ledgerWithoutContent, nothingToRead } from '../hub/reading/without-content.ts';
import type { HubBase } from '../hub/replica/hub-server.ts';
import { createHubApi } from '../pages/api/hub-api.ts';
import { createOidcRoutes } from '../pages/api/hub-passkey-routes.ts';
import { createGateway, createRealtime } from '../pages/realtime/gateway.ts';
import type { RealtimeServer } from '../pages/realtime/socket-types.ts';
import type { Log } from '../process/log.ts';
import { openName, programName, withHome } from '../process/program-name.ts';
import { repeat } from '../process/repeat.ts';

/** How often sign-ins and roles are checked, in addition to hints. */
const CHECK_MS = 30_000;

/**
 * The pages over a hub's database; each person sees what their roles allow. `home` is the replica's, `url` the address for
 * browsers.
 */
export async function openHubPages(
	{ hub, database, store, edges, onBatch, approvals, grants, meters, featureFiles }: HubBase,
	options: { home: string; url: URL; log: Log; checkMs?: number; oidc?: OidcConfig | undefined },
) {
	const { home, url, log, checkMs = CHECK_MS, oidc: config } = options;
	const { query } = database;
	const now = Date.now;
	const { hints, identity } = hub;
	const { root } = identity;
	const signIns = createSignInStore(query);
	const people = createPeopleStore(query);
	const auth = createHubAuth({ signIns, url, now, ended: () => hints.send('people') });
	const service = createPeopleService(hub, { people, signIns }, () => readLeftOut(query));
	const logNoSignIn = (error: unknown) =>
		log.warn('hub: a sign-in by the provider came to nothing', { reason: reasonOf(error) });
	const oidc = config && createOidcSignIn(hub, { config, people, url, failed: logNoSignIn });
	const rpId = root.v === 2 ? root.rpId : url.hostname;
	const passkeys = createHubPasskeys(hub, { people, signIns }, { origin: url.origin, rpId });
	const oidcRoutes = createOidcRoutes({ oidc, signIns, url });
	/** Without the database the page is shown all the same, and reports it when somebody signs in. */
	const signInWays = async () => ({ provider: oidc?.name, passkey: await passkeys.isWay().catch(() => false) });
	const program = `${withHome(programName(process.env.PATH ?? ''), home, process.env)} hub`;
	const openCommand = openName(process.env.PATH ?? '', home, process.env);
	const publicProgram = { ...openCommand, name: `${openCommand.name} hub` };
	const machines = createEdgeService(hub, edges);
	const policies = createPolicyService(hub);
	const roster = createRosterService(hub);
	const recordings = openHubRecordings(join(home, 'hub-reels'), now);
	const sheets = recentSheets();
	const logFailure = (error: unknown) =>
		log.warn('hub: what is new could not be looked for', { reason: String(error) });

	const countGap = () => meters.signalbox_hub_hint_gaps_total.add();

	function openView({ scope, content }: Reading): HubView {
		const ownFeed = createHubFeed({ query, store, onBatch, hints, scope, now, gap: countGap, failed: logFailure });
		const all = store.reads(scope);
		const feed = content ? ownFeed : feedWithoutContent(ownFeed);
		const reads = content ? all : nothingToRead;
		const { io, upgrades } = createRealtime();
		const gateway = createGateway({ io, feed, log, reads: meterReads(reads, meters) });
		const api = createHubApi({
			auth,
			reads,
			feed,
			approvals,
			grants,
			roster,
			policies,
			passkeys,
			comingIn: oidcRoutes,
			ways: signInWays,
			edges: machines,
			people: service,
			home,
			program,
			openly: publicProgram,
			now,
			log,
			features: createHubFeatures({ query, scope, content, reads: all, files: featureFiles, recordings, sheets }),
			ledger: content ? all : ledgerWithoutContent(all),
			tier: () => readTier(query, scope),
			places: () => readSourceOptions(query, scope, now()),
		});
		return {
			api,
			upgrades,
			io,
			dropLogin: gateway.dropLogin,
			stop() {
				gateway.stop();
				ownFeed.stop();
				io.disconnectSockets(true);
			},
		};
	}
	const views = createHubViews(openView);
	const viewOf = (request: http.IncomingMessage) => views.of(principalOf(request)?.hub?.roles ?? []);

	const live = () =>
		views
			.all()
			.flatMap((view) => [...view.io.of('/').sockets.values()].map(({ data: { principal } }) => ({ view, principal })));

	/** Ends connections of ended sign-ins, and of those whose rights have changed. */
	async function checkPeople() {
		const connected = live();
		if (connected.length === 0) return;
		const statuses = await auth.rolesByHash(connected.map(({ principal }) => principal.sessionHash));
		for (const { view, principal } of connected) {
			const roles = statuses.get(principal.sessionHash);
			if (JSON.stringify(roles) !== JSON.stringify(principal.hub?.roles)) view.dropLogin(principal.sessionHash);
		}
	}
	const logFailedCheck = (error: unknown) =>
		log.warn('hub: who may come in could not be looked for', { reason: String(error) });
	const stopChecking = repeat(checkMs, checkPeople, logFailedCheck);
	const watching = () => live().map(({ principal }) => principal.hub?.roles ?? []);
	const stopReporting = reportWatching(hub, watching, logFailure);
	const stopListening = hints.listen('people', () => void checkPeople().catch(logFailedCheck));

	const nextHost = createNextHost({
		dev: false,
		port: Number(url.port),
		log,
		restart: 'Restart this replica.',
	});
	const ioUpgrades = http
		.createServer()
		.on('upgrade', (request, socket, head) => void viewOf(request).upgrades.emit('upgrade', request, socket, head));
	const server = createHttpServer({
		auth,
		ioUpgrades,
		log,
		api: {
			fetch: (request, env, context) => viewOf((env as ApiEnv['Bindings']).incoming).api.fetch(request, env, context),
		},
		pages(request, response) {
			request.headers[HUB_HEADER] = '1';
			return nextHost.pages(request, response);
		},
		nextUpgrades: nextHost.upgrades,
		// Clients send telemetry to their own machine.
		telemetry: { handles: () => false, receive: () => undefined },
		program: publicProgram.name,
		dev: false,
	});
	return {
		/** Never listens: gets each request and upgrade that is not an edge's. */
		server,
		async stop() {
			stopChecking();
			stopReporting();
			stopListening();
			for (const view of views.all()) view.stop();
			recordings.stop();
			await nextHost.stop();
		},
	};
}

/** The error with its cause: only the library's own message names the failed check. */
const reasonOf = (error: unknown) =>
	error instanceof Error && error.cause !== undefined ? `${error} (${error.cause})` : String(error);

/** What a group of readers may see at a hub. `content: false`: sessions and decisions without any texts. */
interface Reading {
	scope: HubReach;
	content: boolean;
}

/** Everything that readers with one set of rights can reach. */
interface HubView {
	api: Pick<Hono<ApiEnv>, 'fetch'>;
	/** Never listens: gets the upgrades of these people. */
	upgrades: http.Server;
	io: RealtimeServer;
	dropLogin(sessionHash: string): void;
	stop(): void;
}

/** How many unwatched views are cached. */
const MAX_IDLE = 50;

/** The scope of these roles. An auditor reads without content, unless another role grants more. */
function readingOf(roles: readonly HubRole[]): Reading {
	const content = mayAnywhere(roles, 'read');
	return { content, scope: scopeOf(roles, content ? 'read' : 'watch') };
}

/** One view per scope: feed, routes and live connections. */
function createHubViews(open: (reading: Reading) => HubView) {
	/** Most recently used last. */
	const views = new Map<string, HubView>();
	const isWatched = ({ io }: HubView) => io.of('/').sockets.size > 0;

	function dropIdle() {
		const idle = [...views].filter(([, view]) => !isWatched(view));
		for (const [key, view] of idle.slice(0, -MAX_IDLE)) {
			view.stop();
			views.delete(key);
		}
	}

	return {
		/** The view for these roles; without any, an empty view. */
		of(roles: readonly HubRole[]): HubView {
			const reading = readingOf(roles);
			const key = JSON.stringify(reading);
			const view = views.get(key) ?? open(reading);
			views.delete(key);
			dropIdle();
			views.set(key, view);
			return view;
		},
		all: (): readonly HubView[] => [...views.values()],
	};
}
