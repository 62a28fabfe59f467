import { AuditState } from '#lib/contract/audit.ts';
import { RuleBook } from '#lib/contract/rules.ts';
import { ServerStatus } from '#lib/contract/status.ts';
import { type Access, READERS, type RouteSpec } from './route-spec.ts';
import { accessSpecs } from './routes/access-specs.ts';
import { decisionSpecs } from './routes/decision-specs.ts';
import { featureSpecs } from './routes/feature-specs.ts';
import { sessionSpecs } from './routes/session-specs.ts';

/** The one table of routes. The gate refuses what is not in it, and pages ask for `PAGE_ACCESS`. */
export const routeTable: readonly RouteSpec[] = [
	{ method: 'GET', path: '/health', access: 'open', summary: 'Whether hooks and people are served' },
	{ method: 'GET', path: '/metrics', access: READERS, summary: 'Counters as plain text' },
	{ method: 'GET', path: '/api/openapi.json', access: READERS, summary: 'This description' },
	{
		method: 'GET',
		path: '/api/audit',
		access: READERS,
		summary: 'How far somebody outside can vouch for the journal',
		answer: AuditState,
	},
	{
		method: 'GET',
		path: '/api/rules',
		access: READERS,
		summary: 'How the gates stand, and how often each rule denied and was overridden',
		answer: RuleBook,
	},
	{
		method: 'GET',
		path: '/api/status',
		access: READERS,
		summary: 'How the server, its channels and the projects stand',
		answer: ServerStatus,
	},
	...accessSpecs,
	...sessionSpecs,
	...decisionSpecs,
	...featureSpecs,
];

/** Pages and their assets: whoever may read. */
export const PAGE_ACCESS: Access = READERS;
