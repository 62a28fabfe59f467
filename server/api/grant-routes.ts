import { Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { GrantBody, type GrantRecord, GrantsQuery, PreviewQuery, RevokeBody } from '#lib/contract/grants.ts';
import { GrantId } from '#lib/contract/ids.ts';
import type { AccessList } from '../auth/access-list.ts';
import type { GrantDesk } from '../grants/grant-desk.ts';
import { grantPreview } from '../grants/grant-preview.ts';
import { type DeniedCalls, demandDecided, grantSubjectOf } from '../grants/grant-subject.ts';
import type { IndexStore } from '../store/index-store.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { demandId, readBody, readQuery } from './read-request.ts';

/** What the routes need of the server. */
export interface GrantRouteOptions {
	grants: Pick<GrantDesk, 'create' | 'revoke' | 'list'>;
	approval: DeniedCalls['approval'];
	index: DeniedCalls['index'] & Pick<IndexStore, 'denials' | 'row' | 'view'>;
	observes: () => boolean;
	access: Pick<AccessList, 'ended'>;
}

/** Reading, previewing, making and taking back grants. */
export function createGrantRoutes({ grants, approval, index, observes, access }: GrantRouteOptions) {
	const routes = new Hono<ApiEnv>();
	const denied: DeniedCalls = { approval, index };

	const withMakersEnds = (found: readonly GrantRecord[]): GrantRecord[] => {
		const makerOf = ({ state, by }: GrantRecord) => (state === 'active' ? by.access : undefined);
		const makers = new Set(found.flatMap((grant) => makerOf(grant) ?? []));
		const ends = new Map([...makers].map((maker) => [maker, access.ended(maker)[0]?.endedAt]));
		return found.map((grant) => {
			const makerEndedAt = ends.get(makerOf(grant) ?? '');
			return makerEndedAt ? { ...grant, makerEndedAt } : grant;
		});
	};

	routes.get('/api/grants', (context) => {
		const { state, limit } = readQuery(context, GrantsQuery);
		return context.json({ grants: withMakersEnds(grants.list(state, limit)) });
	});

	routes.get('/api/grants/preview', (context) => {
		const { scope, ...source } = readQuery(context, PreviewQuery);
		return context.json({ preview: grantPreview(grantSubjectOf(source, denied), scope, index) });
	});

	routes.post('/api/grants', async (context) => {
		const { scope, expiresInSeconds, reason, ...source } = await readBody(context, GrantBody);
		if (observes()) throw new AppError('approval/observed');
		demandDecided(source, denied);
		const terms = { scope, reason, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
		const by = deciderOf(context);
		return context.json({ grant: await grants.create(grantSubjectOf(source, denied), terms, by) });
	});

	routes.post('/api/grants/:id/revoke', async (context) => {
		const body = await readBody(context, RevokeBody);
		const id = demandId(context, GrantId, 'grant/not-found');
		return context.json({ grant: await grants.revoke(id, body, deciderOf(context)) });
	});

	return routes;
}
