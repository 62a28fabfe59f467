import type http from 'node:http';
import { CiJoinRequest, JoinRequest } from '#lib/contract/hub/hub-wire.ts';
import { parsedJson } from '#lib/json/json.ts';
import { readBody } from '../../door/exchange.ts';
import { databaseCode } from '../database/database.ts';
import { CiRefused, type CiRules, createCiTokens } from '../machines/ci-join.ts';
import type { HubParts } from './edge-connection.ts';

const IS_THERE = '23505';
const LARGEST_JOIN = 16 * 1024;
const NO_CODE = 'The code is used up, too old or mistyped. Ask for a new one: `signalbox hub code`.';
const USED_TOKEN = 'A machine has joined by this token of the job already: ask for a new one.';

const Wanted = JoinRequest.or(CiJoinRequest);

export function createJoinAnswer({
	edges,
	identity,
	log,
	now,
	ci,
}: Pick<HubParts, 'edges' | 'identity' | 'log' | 'now'> & { ci: CiRules }) {
	const tokens = createCiTokens(ci.of, now);

	async function answer(request: http.IncomingMessage): Promise<[status: number, body: object]> {
		const body = await new Promise<string | null>((resolve) => readBody(request, LARGEST_JOIN, resolve));
		const wanted = Wanted.safeParse(parsedJson(body ?? '')).data;
		if (!wanted) return [400, { error: 'The request to join does not fit; join with a Signalbox of this version.' }];
		const joined = await ('code' in wanted
			? edges.join(wanted)
			: tokens.check(wanted.token).then((token) => ci.join(token, wanted)));
		if (!joined) return [403, { error: 'code' in wanted ? NO_CODE : USED_TOKEN }];
		log.info('hub: a machine has joined', { edge: joined.edge, name: wanted.name, pending: joined.pending });
		return [200, { ...joined, root: identity.root }];
	}

	return (request: http.IncomingMessage): Promise<[status: number, body: object]> =>
		answer(request).catch((error: unknown) => {
			if (error instanceof CiRefused) {
				log.warn(`hub: a job may not join: ${error.message}`, { reason: String(error.cause ?? '') });
				return [error.status, { error: error.message }];
			}
			// The code was not used up.
			if (databaseCode(error) === IS_THERE)
				return [409, { error: 'A machine has joined with this key already. Run `signalbox leave`, then join again.' }];
			log.error('hub: a request to join could not be answered', error);
			return [503, { error: 'The hub cannot answer now. Try again.' }];
		});
}
