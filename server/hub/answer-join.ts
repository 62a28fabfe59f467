import type http from 'node:http';
import { JoinRequest } from '#lib/contract/hub-wire.ts';
import { readBody } from '../door/read-body.ts';
import { databaseCode } from './database.ts';
import type { HubParts } from './hub-parts.ts';

/** Of Postgres: something unique is there already. */
const IS_THERE = '23505';
const LARGEST_JOIN = 8 * 1024;

/** Answers `POST /edge/join`: takes a machine in for a code. Gives status and body. */
export function createJoinAnswer({ edges, identity, log }: Pick<HubParts, 'edges' | 'identity' | 'log'>) {
	async function answer(request: http.IncomingMessage): Promise<[status: number, body: object]> {
		const body = await new Promise<string | null>((resolve) => readBody(request, LARGEST_JOIN, resolve));
		const wanted = JoinRequest.safeParse(parse(body ?? ''));
		if (!wanted.success)
			return [400, { error: 'The request to join does not fit; join with a Signalbox of this version.' }];
		const joined = await edges.join(wanted.data);
		if (!joined)
			return [403, { error: 'The code is used up, too old or mistyped. Ask for a new one: `signalbox hub code`.' }];
		log.info('hub: a machine has joined', { edge: joined.edge, name: wanted.data.name, pending: joined.pending });
		return [200, { ...joined, root: identity.root }];
	}

	return (request: http.IncomingMessage): Promise<[status: number, body: object]> =>
		answer(request).catch((error: unknown) => {
			// The code is as good as before.
			if (databaseCode(error) === IS_THERE)
				return [409, { error: 'A machine has joined with this key already. Run `signalbox leave`, then join again.' }];
			log.error('hub: a request to join could not be answered', error);
			return [503, { error: 'The hub cannot answer now. Try again.' }];
		});
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
