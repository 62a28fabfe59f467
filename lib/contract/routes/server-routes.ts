import { AuditState } from '../health/audit.ts';
import { ServerStatus } from '../health/status.ts';
import {
	RejudgeAnswer,
	RejudgeQuery,
	SettingsChange,
	SettingsChangeBody,
	SettingsChangeQuery,
} from '../rules/rejudge.ts';
import { RuleList } from '../rules/rules.ts';
import { OPERATOR, READERS, type RouteName, type RouteSpec } from './route-spec.ts';

export const serverRoutes = {
	'GET /health': { access: 'open', summary: 'Whether hooks and people are served' },
	'GET /metrics': { access: READERS, summary: 'Counters as plain text', text: true },
	'GET /api/openapi.json': { access: READERS, summary: 'This description' },
	'GET /api/audit': {
		access: READERS,
		summary: 'How far somebody outside can vouch for the journal',
		answer: AuditState,
	},
	'GET /api/rules': {
		access: READERS,
		summary: 'How the gates stand, and how often each rule denied and was overridden',
		answer: RuleList,
	},
	'GET /api/rejudge': {
		access: READERS,
		summary: 'What other settings would have said to what was recorded; in parts, by `next`',
		query: RejudgeQuery,
		answer: RejudgeAnswer,
	},
	'GET /api/settings/change': {
		access: READERS,
		summary: 'What a config file would hold with other settings',
		query: SettingsChangeQuery,
		answer: SettingsChange,
	},
	'POST /api/settings/change': {
		access: OPERATOR,
		decides: true,
		summary: 'Writes settings into the config file of the home or of a project',
		body: SettingsChangeBody,
		answer: SettingsChange,
	},
	'GET /api/status': {
		access: READERS,
		summary: 'How the server, its channels and the projects stand',
		answer: ServerStatus,
	},
} as const satisfies Record<RouteName, RouteSpec>;
