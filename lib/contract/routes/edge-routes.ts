import * as z from 'zod';
import { CodeBody, EdgeChange, EdgeParam, EdgesQuery, HubEdge, HubEdges, MadeCode } from '../hub/edges.ts';
import { DecisionUnderWay } from '../hub/hub-decision.ts';
import { READERS, type RouteName, type RouteSpec } from './route-spec.ts';

/** The machines of a hub. Which of them somebody may see and change, their roles there say. */
export const edgeRoutes = {
	'GET /api/hub/edges': {
		access: READERS,
		at: 'hub',
		summary: 'The machines of the teams that one is an admin of',
		query: EdgesQuery,
		answer: HubEdges,
	},
	'GET /api/hub/decisions': {
		access: READERS,
		at: 'hub',
		summary: 'What has been decided here of calls that wait at machines which have not answered yet',
		answer: z.object({ decisions: z.array(DecisionUnderWay) }),
	},
	'POST /api/hub/codes': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: 'Makes the line by which machines join a team',
		body: CodeBody,
		answer: MadeCode,
	},
	'POST /api/hub/edges/:id': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: 'Takes a machine back, or sends it away',
		params: EdgeParam,
		body: EdgeChange,
		answer: HubEdge,
	},
} as const satisfies Record<RouteName, RouteSpec>;
