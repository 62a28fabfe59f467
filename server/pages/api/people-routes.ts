import { demandPrincipal } from '../../http/api-env.ts';
import type { PeopleService } from '../../hub/people/people-service.ts';
import type { RosterService } from '../../hub/policies/roster-service.ts';
import { defineRoute } from './define-route.ts';

/** The people of a hub, and what lets them in. */
export function createPeopleRoutes({ people, roster }: { people: PeopleService; roster: RosterService }) {
	return [
		defineRoute('GET /api/hub/people', ({ context }) => people.list(demandPrincipal(context))),
		defineRoute('POST /api/hub/people/:id', ({ params, body, context }) =>
			people.setDisabled(demandPrincipal(context), params.id, body.action === 'disable'),
		),
		defineRoute('POST /api/hub/people/:id/roles', ({ params, body, context }) =>
			people.changeRole(demandPrincipal(context), params.id, body),
		),
		defineRoute('GET /api/hub/people/:id/roster', ({ params, context }) =>
			roster.read(demandPrincipal(context), params.id),
		),
		defineRoute('POST /api/hub/people/:id/roster', ({ params, body, context }) =>
			roster.sign(demandPrincipal(context), params.id, body.passkey, body.answer),
		),
		defineRoute('GET /api/hub/sign-ins', ({ context }) => people.listSignIns(demandPrincipal(context))),
		defineRoute('POST /api/hub/sign-ins/:id', ({ params, context }) => people.end(demandPrincipal(context), params.id)),
		defineRoute('POST /api/hub/tokens', ({ body, context }) => people.makeToken(demandPrincipal(context), body)),
	];
}
