import type { Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import type { AuditState } from '#lib/contract/health/audit.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { routeTable } from '#lib/contract/routes/route-table.ts';
import { fleetOf } from '#lib/fleet/fleet.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import type { AccessList } from '../../access/access-list.ts';
import type { ApprovalLinks } from '../../access/approval-links.ts';
import type { MachineAuth } from '../../access/auth.ts';
import type { Passkeys } from '../../access/passkeys.ts';
import type { Principal } from '../../access/principal.ts';
import type { AlarmService } from '../../approvals/alarms/alarm-service.ts';
import type { ApprovalService } from '../../approvals/approval-service.ts';
import { type Deciding, decideAndRemember, type GrantService } from '../../approvals/grants/grant-service.ts';
import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import type { CompareService } from '../../archives/compare/compare-service.ts';
import type { FeatureService } from '../../archives/features/feature-service.ts';
import type { NoteService } from '../../archives/notes/note-service.ts';
import { parseProposedSettings, type RejudgeService } from '../../archives/rejudge/rejudge-service.ts';
import type { SettingsService } from '../../archives/rejudge/settings-service.ts';
import type { ReplayService } from '../../archives/replay/replay-service.ts';
import type { Retention } from '../../archives/retention/retention.ts';
import type { PushService } from '../../connect/notify/push-store.ts';
import { type ApiEnv, deciderOf, demandPrincipal } from '../../http/api-env.ts';
import type { Log } from '../../process/log.ts';
import type { OpenName } from '../../process/program-name.ts';
import type { SupervisorControl } from '../../reviewers/supervisor/supervisor-control.ts';
import type { SubtaskService } from '../../reviewers/validators/subtask-service.ts';
import { type Decisions, machineGrants } from './approval-routes.ts';
import { defineRoute, serveRoutes } from './define-route.ts';
import { demandPasskey } from './demand-passkey.ts';
import { createFeatureActionRoutes, machineFeatures } from './feature-routes.ts';
import type { LedgerRouteOptions } from './ledger-routes.ts';
import { createLinkRoutes, createPasskeyRoutes } from './login-routes.ts';
import { createRuleRoutes } from './rule-routes.ts';
import { createSessionFileRoutes, type SessionRouteOptions, type SessionViews } from './session-routes.ts';
import { createSharedRoutes, type SharedRouteOptions } from './shared-routes.ts';

export interface ApiOptions {
	auth: MachineAuth;
	reads: SharedRouteOptions['reads'] & LedgerRouteOptions['reads'];
	feed: SessionRouteOptions['feed'];
	tail: SessionViews & { building: SessionRouteOptions['building'] };
	service: Pick<ApprovalService, 'list' | 'similar' | 'get' | 'decide'>;
	alarms: AlarmService;
	grants: Pick<GrantService, 'create' | 'revoke' | 'list'>;
	features: FeatureService;
	retention: Pick<Retention, 'plan' | 'archivesOf'>;
	comparisons: CompareService;
	archived: LedgerRouteOptions['archived'];
	notes: NoteService;
	rejudge: RejudgeService;
	settings: SettingsService;
	replay: ReplayService;
	workflows: WorkflowControl;
	audit: () => AuditState;
	status: () => Omit<ServerStatus, 'door' | 'sessions' | 'events' | 'building' | 'sockets' | 'waiting'>;
	passkeys: Passkeys;
	links: ApprovalLinks;
	push: PushService;
	access: AccessList;
	supervisors: SupervisorControl;
	subtasks: SubtaskService;
	home: string;
	/** The command line of this program, for signed-in people and for others. */
	program: string;
	openly: OpenName;
	undoSeconds: () => number;
	observes: () => boolean;
	ready: () => boolean;
	sockets: () => number;
	now: () => number;
	log: Log;
}

const MAX_WAITING = 500;
const machineRoutes = routeTable.filter(({ at }) => at !== 'hub');

/** Every route of a machine, behind the gate, which has checked the sender. */
export function createApi(options: ApiOptions): Hono<ApiEnv> {
	const { passkeys, program, openly, log } = options;
	const routes = [
		...createSharedRoutes(sharedOf(options)),
		...createServerRoutes(options),
		...createLinkRoutes(options),
		...createPasskeyRoutes(options),
		...createSessionFileRoutes(options),
		...createFeatureActionRoutes(options),
		...createRuleRoutes(options),
		...createServiceRoutes(options),
	];
	return serveRoutes(routes, { before: [demandPasskey(passkeys)], program, openly, log });
}

function sharedOf(options: ApiOptions): SharedRouteOptions {
	const { auth, reads, feed, tail, service, grants, features, passkeys, access, observes } = options;
	const { archived, replay, undoSeconds, home, program, openly, now } = options;
	const machine = machineGrants({ grants, denied: { approval: service.get, reads }, observes, access });
	return {
		auth,
		reads,
		feed,
		replay,
		undoSeconds,
		home,
		program,
		openly,
		now,
		described: machineRoutes,
		building: tail.building,
		tier: () => (observes() ? 'T0' : passkeys.list().length > 0 ? 'T2' : 'T1'),
		serviceFor: (context) => rememberingService({ service, grants }, demandPrincipal(context)),
		grantsFor: () => machine,
		features: machineFeatures(features),
		ledger: { reads, archived },
		places: () => ({
			teams: [],
			machines: [],
			projects: [...new Set(tail.views().flatMap(({ project }) => project ?? []))].sort(),
		}),
	};
}

/** A sign-in that may decide only one call may not allow later ones. Throws `auth/forbidden`. */
export function rememberingService<Service extends Decisions & Deciding>(
	services: { service: Service; grants: Pick<GrantService, 'create'> },
	{ role }: Pick<Principal, 'role'>,
): Service {
	return {
		...services.service,
		async decide(approvalId, body, by) {
			if (body.remember && role !== 'operator') throw new AppError('auth/forbidden');
			return decideAndRemember(services, approvalId, body, by);
		},
	};
}

function createServerRoutes({ tail, service, audit, status, ready, sockets, now }: ApiOptions) {
	const sessions = () => tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION);
	const waiting = () => service.list('waiting', MAX_WAITING).length;
	const events = () => tail.views().reduce((sum, view) => sum + view.counters.events, 0);

	return [
		defineRoute('GET /health', ({ context }) => {
			// In a browser it means the page; probes accept anything.
			if (ready() && context.req.header('accept')?.includes('text/html')) return context.redirect('/status');
			if (!ready()) return context.json({ status: 'starting' }, 503, { 'retry-after': '1' });
			return context.json({ status: 'ok' });
		}),
		defineRoute('GET /metrics', ({ context }) => {
			const counts = { events: events(), sessions: tail.views().length, sockets: sockets(), tickets: waiting() };
			return context.text(renderMetrics(counts));
		}),
		defineRoute('GET /api/audit', audit),
		defineRoute('GET /api/status', () => ({
			...status(),
			events: events(),
			sockets: sockets(),
			sessions: sessions().length,
			building: tail.building(),
			waiting: waiting(),
			door: ready(),
		})),
		defineRoute('GET /api/fleet', ({ query: { minutes } }) => fleetOf(sessions(), { now: now(), minutes })),
	];
}

/** Name, kind and help of each count, in the text format of Prometheus. */
const METRICS = [
	['events', 'signalbox_events_total', 'counter', 'Events in the index'],
	['sessions', 'signalbox_sessions', 'gauge', 'Sessions in the index'],
	['sockets', 'signalbox_sockets', 'gauge', 'Open websockets'],
	['tickets', 'signalbox_tickets', 'gauge', 'Hooks that wait for a person'],
] as const;

const renderMetrics = (counts: Record<(typeof METRICS)[number][0], number>): string =>
	METRICS.map(
		([count, name, kind, help]) => `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${name} ${counts[count]}\n`,
	).join('');

function createServiceRoutes(options: ApiOptions) {
	const { alarms, notes, comparisons, rejudge, settings, workflows, supervisors, subtasks, push } = options;
	return [
		defineRoute('POST /api/sessions/:id/alarms', async ({ params, body, context }) => ({
			alarm: await alarms.handleAlarm(params.id, body, deciderOf(context)),
		})),
		defineRoute('GET /api/sessions/:id/notes', ({ params }) => ({ notes: notes.list(params.id) })),
		defineRoute('POST /api/sessions/:id/notes', async ({ params, body, context }) => ({
			note: await notes.add(params.id, body, deciderOf(context)),
		})),
		defineRoute('GET /api/compare', ({ query: { a, b } }) => comparisons.compare(a, b)),
		defineRoute('GET /api/rejudge', ({ query }) => rejudge.judge(query)),
		defineRoute('GET /api/settings/change', ({ query: { set, project } }) =>
			settings.preview(parseProposedSettings(set), project),
		),
		defineRoute('POST /api/settings/change', ({ body, context }) => settings.write(body, deciderOf(context))),
		defineRoute('POST /api/sessions/:id/workflow', async ({ params, body, context }) => ({
			workflow: await workflows.act(params.id, body, deciderOf(context)),
		})),
		defineRoute('GET /api/sessions/:id/supervisor', ({ params }) => ({ supervisor: supervisors.status(params.id) })),
		defineRoute('POST /api/sessions/:id/supervisor', async ({ params, body, context }) => ({
			supervisor: await supervisors.act(params.id, body.action, deciderOf(context)),
		})),
		defineRoute('POST /api/sessions/:id/subtasks', async ({ params, body, context }) => ({
			created: await subtasks.create(params.id, body.assessmentId, deciderOf(context)),
		})),
		defineRoute('GET /api/push', () => push.state()),
		defineRoute('POST /api/push', async ({ body, context }) => {
			const principal = demandPrincipal(context);
			if (body.action === 'subscribe') await push.subscribe(body.subscription, principal);
			else await push.remove(body.id, principal);
			return push.state();
		}),
	];
}
