import type { AccessEntry, AccessList } from '#lib/contract/access.ts';
import { type Answer, post, request } from '../live/api.ts';
import { makePasskey } from '../live/ask-passkey.ts';

/** Everything that lets somebody in or decide; `who` asks for one by its id, though it has ended. */
export function getAccess(who: string | null): Promise<Answer<AccessList>> {
	return request(who === null ? '/api/access' : `/api/access?${new URLSearchParams({ who })}`);
}

/** Takes an entry away for good. */
export function revoke({ id }: AccessEntry): Promise<Answer<AccessList>> {
	return post(`/api/access/${id}`, { action: 'revoke' });
}

/** Lets the server's terminal show a code for the first passkey. */
export function showCode(): Promise<Answer<unknown>> {
	return post('/api/passkeys/code', {});
}

/** Enrols a passkey; `code` for the first one. */
export async function enrol(name: string, code: string | undefined): Promise<Answer<AccessList>> {
	const options = await post<unknown>('/api/passkeys/options', code === undefined ? {} : { code });
	if (!options.ok) return options;
	const response = await makePasskey(options.data);
	if (response === null) {
		return { ok: false, status: 0, code: 'passkey/refused', message: 'No passkey was made. Nothing was changed.' };
	}
	return post('/api/passkeys', { name, response });
}
