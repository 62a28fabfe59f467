import type { Hono } from 'hono';
import type { AuditState } from '#lib/contract/health/audit.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { routeTable } from '#lib/contract/routes/route-table.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import type { SessionView } from '#lib/session/view.ts';
import type { AccessList } from '../../access/access-list.ts';
import type { ApprovalLinks } from '../../access/approval-links.ts';
import type { MachineAuth } from '../../access/auth.ts';
import type { Passkeys } from '../../access/passkeys.ts';
import type { AlarmService } from '../../approvals/alarms/alarm-service.ts';
import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import type { CompareService } from '../../archives/compare/compare-service.ts';
import type { FeatureService } from '../../archives/features/feature-service.ts';
import type { NoteService } from '../../archives/notes/note-service.ts';
import type { RejudgeService } from '../../archives/rejudge/rejudge-service.ts';
import type { SettingsService } from '../../archives/rejudge/settings-service.ts';
import type { ReplayService } from '../../archives/replay/replay-service.ts';
import type { Retention } from '../../archives/retention/retention.ts';
import type { PushService } from '../../connect/notify/push-service.ts';
import { type ApiEnv, demandPrincipal } from '../../http/api-env.ts';
import type { Log } from '../../process/log.ts';
import type { OpenName } from '../../process/program-name.ts';
import type { SupervisorControl } from '../../reviewers/supervisor/supervisor-control.ts';
import type { SubtaskService } from '../../reviewers/validators/subtask-service.ts';
import { createAlarmRoutes } from './alarm-routes.ts';
import { createApprovalRoutes, type Decisions } from './approval-routes.ts';
import { createCompareRoutes } from './compare-routes.ts';
import { defineRoute } from './define-route.ts';
import { demandPasskey } from './demand-passkey.ts';
import { createDenialRoutes } from './denial-routes.ts';
import { createFeatureRoutes } from './feature-routes.ts';
import { createFleetRoutes } from './fleet-routes.ts';
import { createGrantRoutes, type GrantRouteOptions } from './grant-routes.ts';
import { createLedgerRoutes, type LedgerRouteOptions } from './ledger-routes.ts';
import { createLinkRoutes } from './link-routes.ts';
import { createLoginRoutes } from './login-routes.ts';
import { renderMetrics } from './metrics.ts';
import { createNoteRoutes } from './note-routes.ts';
import { describeApi } from './openapi.ts';
import { createPasskeyRoutes } from './passkey-routes.ts';
import { createPlaceRoutes } from './place-routes.ts';
import { createPushRoutes } from './push-routes.ts';
import { createRejudgeRoutes } from './rejudge-routes.ts';
import { rememberingService } from './remembering-service.ts';
import { createReplayRoutes } from './replay-routes.ts';
import { createRuleRoutes } from './rule-routes.ts';
import { createSearchRoutes, type SearchRouteOptions } from './search-routes.ts';
import { serveRoutes } from './serve-routes.ts';
import { createSessionFileRoutes } from './session-file-routes.ts';
import { createSessionRoutes, type SessionRouteOptions, type SessionViews } from './session-routes.ts';
import { createSubtaskRoutes } from './subtask-routes.ts';
import { createSupervisorRoutes } from './supervisor-routes.ts';
import { createWorkflowRoutes } from './workflow-routes.ts';

export interface ApiOptions {
	auth: MachineAuth;
	reads: SessionRouteOptions['reads'] &
		GrantRouteOptions['reads'] &
		SearchRouteOptions['reads'] &
		LedgerRouteOptions['reads'];
	feed: SessionRouteOptions['feed'];
	tail: SessionViews & { building: SessionRouteOptions['building'] };
	service: Decisions;
	alarms: AlarmService;
	grants: GrantRouteOptions['grants'];
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
	/** All but the counts of `/metrics`, which the API knows itself. */
	status: () => Omit<ServerStatus, 'door' | 'sessions' | 'events' | 'building' | 'sockets' | 'waiting'>;
	passkeys: Passkeys;
	links: ApprovalLinks;
	push: PushService;
	access: AccessList;
	supervisors: SupervisorControl;
	subtasks: SubtaskService;
	/** The state folder. */
	home: string;
	/** What a person types to run this program, on pages for who is signed in; with the home where that is not the usual one. */
	program: string;
	/** The same on pages that everybody on this machine may read. */
	openly: OpenName;
	/** `approvals.undoSeconds` as it is now. */
	undoSeconds: () => number;
	/** `approvals.observe` as it is now: nobody decides here. */
	observes: () => boolean;
	/** Whether the door accepts hooks: `/health` says ok only then. */
	ready: () => boolean;
	/** How many websockets are open. */
	sockets: () => number;
	/** Milliseconds since the epoch. */
	now: () => number;
	log: Log;
}

const MOST_WAITING = 500;
/** What a hub alone has is not here. */
const ofMachine = routeTable.filter(({ at }) => at !== 'hub');

/** Every route of the table that a machine has. Runs behind the gate, which has checked the sender against that table. */
export function createApi({
	auth,
	reads,
	feed,
	tail,
	service,
	alarms,
	grants,
	features,
	retention,
	comparisons,
	archived,
	notes,
	rejudge,
	settings,
	replay,
	workflows,
	audit,
	status,
	passkeys,
	links,
	push,
	access,
	supervisors,
	subtasks,
	home,
	program,
	openly,
	undoSeconds,
	observes,
	ready,
	sockets,
	now,
	log,
}: ApiOptions): Hono<ApiEnv> {
	const count = () => {
		const views = tail.views();
		const events = views.reduce((sum, view) => sum + view.counters.events, 0);
		const tickets = service.list('waiting', MOST_WAITING).length;
		return { events, sessions: views.length, sockets: sockets(), tickets };
	};
	const tier = () => (observes() ? 'T0' : passkeys.list().length > 0 ? 'T2' : 'T1');
	const routes = [
		defineRoute('GET /health', ({ context }) => {
			// Typed in a browser it means the page; probes ask for anything.
			if (ready() && context.req.header('accept')?.includes('text/html')) return context.redirect('/status');
			if (!ready()) return context.json({ status: 'starting' }, 503, { 'retry-after': '1' });
			return context.json({ status: 'ok' });
		}),
		defineRoute('GET /metrics', ({ context }) => context.text(renderMetrics(count()))),
		defineRoute('GET /api/audit', audit),
		defineRoute('GET /api/status', () => {
			const { tickets: waiting, ...counts } = count();
			// What has no session of its own is recorded beside them.
			const sessions = tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION).length;
			return { ...status(), ...counts, sessions, building: tail.building(), waiting, door: ready() };
		}),
		defineRoute('GET /api/openapi.json', ({ context }) => context.json(describeApi(ofMachine))),
		...createLoginRoutes({ auth, epoch: feed.listEpoch, undoSeconds, tier, home, program, openly }),
		...createLinkRoutes({ auth, links, passkeys, service, openly, now }),
		...createPasskeyRoutes({ passkeys, access }),
		...createPushRoutes({ push }),
		...createFleetRoutes({ tail, now }),
		...createSessionRoutes({ reads, feed, building: tail.building, now }),
		...createPlaceRoutes({ places: () => ({ teams: [], machines: [], projects: projectsOf(tail.views()) }) }),
		...createSearchRoutes({ reads, building: tail.building }),
		...createSessionFileRoutes({ home }),
		...createApprovalRoutes({
			serviceFor: (context) => rememberingService({ service, grants }, demandPrincipal(context)),
			reads,
		}),
		...createDenialRoutes({ reads, grants, service, now }),
		...createAlarmRoutes({ alarms }),
		...createNoteRoutes({ notes }),
		...createLedgerRoutes({ reads, archived }),
		...createGrantRoutes({ grants, approval: service.get, reads, observes, access }),
		...createFeatureRoutes({ features, retention }),
		...createCompareRoutes({ comparisons }),
		...createReplayRoutes({ replay }),
		...createRuleRoutes({ home, tail }),
		...createRejudgeRoutes({ rejudge, settings }),
		...createWorkflowRoutes({ workflows }),
		...createSupervisorRoutes({ supervisors }),
		...createSubtaskRoutes({ subtasks }),
	];
	return serveRoutes(routes, { before: [demandPasskey(passkeys)], program, openly, log });
}

const projectsOf = (views: readonly SessionView[]) =>
	[...new Set(views.flatMap(({ project }) => project ?? []))].sort();
