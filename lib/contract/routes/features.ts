import { hubRoutes } from './hub-rights.ts';
import type { RouteKey } from './route-table.ts';

interface Feature {
	/** As the guide calls it. */
	name: string;
	routes: readonly RouteKey[];
	/** The page that exists only for it. */
	page?: `/${string}`;
}

/** What machines do beside what every server does. A hub lacks a feature if it lacks one of its routes. */
export const features = {
	search: { name: 'Searching in what was said', routes: ['GET /api/search'], page: '/search' },
	grants: { name: 'Allowing the next try of a denied call', routes: ['POST /api/grants'] },
	unasked: { name: 'The list of calls that were denied without asking anybody', routes: ['GET /api/denials'] },
	fleet: { name: 'The fleet strip above the list of sessions', routes: ['GET /api/fleet'] },
	alarms: { name: 'Acknowledging and postponing alarms', routes: ['POST /api/sessions/:id/alarms'] },
	notes: { name: 'Notes', routes: ['GET /api/sessions/:id/notes', 'POST /api/sessions/:id/notes'] },
	workflow: { name: 'Pausing and continuing a workflow', routes: ['POST /api/sessions/:id/workflow'] },
	supervisor: {
		name: 'Reviews of a session, and switching them off',
		routes: ['GET /api/sessions/:id/supervisor', 'POST /api/sessions/:id/supervisor'],
	},
	subtasks: { name: 'Creating the subtasks that a validator suggests', routes: ['POST /api/sessions/:id/subtasks'] },
	sessionFiles: {
		name: 'Large values, handoffs and observations of sessions, except those of archived features',
		routes: [
			'GET /api/sessions/:id/blobs/:sha',
			'GET /api/sessions/:id/handoffs/:name',
			'GET /api/sessions/:id/observations',
		],
	},
	openFeatures: { name: 'Features that are still open', routes: ['POST /api/features', 'POST /api/features/:id'] },
	exports: {
		name: 'Exporting an archive',
		routes: ['GET /api/features/:id/export', 'GET /api/features/:id/redaction'],
	},
	compare: { name: 'Comparing two runs', routes: ['GET /api/compare'], page: '/compare' },
	retention: { name: 'Retention', routes: ['GET /api/retention', 'GET /api/sessions/:id/archives'] },
	rules: { name: 'Gates and their settings', routes: ['GET /api/rules'] },
	rejudge: {
		name: 'Trying other settings on history, and changing them',
		routes: ['GET /api/rejudge', 'GET /api/settings/change', 'POST /api/settings/change'],
		page: '/rejudge',
	},
	health: {
		name: 'Health, incidents and the state of the audit',
		routes: ['GET /api/status', 'GET /api/audit'],
		page: '/status',
	},
	access: {
		name: 'The machine’s own sign-ins, passkeys and tokens',
		routes: [
			'GET /api/access',
			'POST /api/access/:id',
			'POST /api/passkeys/code',
			'POST /api/passkeys/options',
			'POST /api/passkeys',
			'POST /api/passkeys/challenge',
		],
		page: '/access',
	},
	links: {
		name: 'Links in notices that open a waiting call',
		routes: ['GET /link', 'POST /link', 'POST /link/challenge'],
	},
	webPush: { name: 'Web push', routes: ['GET /api/push', 'POST /api/push'] },
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

export const canHub = (feature: FeatureName): boolean =>
	features[feature].routes.every((route) => hubRoutes.has(route));

const all: readonly [FeatureName, Feature][] = (Object.keys(features) as FeatureName[]).map((name) => [
	name,
	features[name],
]);

export const hubLacks: readonly Feature[] = all.flatMap(([name, feature]) => (canHub(name) ? [] : [feature]));

/** Pages of a hub that no bar leads to. */
export const hubPages: readonly string[] = all.flatMap(([name, { page }]) => (page && canHub(name) ? [page] : []));
